package models

import "errors"

// ErrNotFound means that there is no such thing.
var ErrNotFound = errors.New("not found")
