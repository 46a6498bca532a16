package main

import (
	"testing"

	"go.uber.org/goleak"
)

// A left-over process of the site or of a server shows as a goroutine that waits for it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
