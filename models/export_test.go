// What the tests from outside may do besides: be slow between a commit and its announcement.

package models

import "context"

// Announce is the second half of Cached.UpdateApartment.
func (c *Cached) Announce(ctx context.Context, d Detail, e Edit) { c.announce(ctx, d, e) }
