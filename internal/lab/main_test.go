package lab_test

import (
	"testing"

	"podbor/internal/servers/serverstest"
)

func TestMain(m *testing.M) { serverstest.Main(m) }
