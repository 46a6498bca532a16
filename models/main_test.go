// The real PostgreSQL that the tests of this package share.

package models_test

import (
	"testing"

	"podbor/internal/servers/serverstest"
)

func TestMain(m *testing.M) { serverstest.Main(m) }
