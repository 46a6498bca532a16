// What a database that is away looks like.

package models

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// markUnavailable makes an ErrUnavailable of an error that means "PostgreSQL cannot answer now", as against one of the
// statement's or of the caller's context.
func markUnavailable(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var (
		refusal *pgconn.PgError
		connect *pgconn.ConnectError // whatever the reason
		network net.Error
	)
	away := errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, &connect) || errors.As(err, &network)
	if errors.As(err, &refusal) && !away {
		// Connection exceptions, insufficient resources, intervention by an operator.
		away = strings.HasPrefix(refusal.Code, "08") || strings.HasPrefix(refusal.Code, "53") || strings.HasPrefix(refusal.Code, "57P")
	}
	if !away {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}
