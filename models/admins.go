// Admins: the accounts that may edit.

package models

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"regexp"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// An Admin may edit.
type Admin struct {
	ID      int64
	Name    string
	Version int32 // of the password
}

var (
	// ErrWrongPassword says that name and password do not belong together, and not which of them is wrong.
	ErrWrongPassword = errors.New("wrong name or password")
	// ErrAdminName says what a name must look like.
	ErrAdminName = errors.New("a name has 1 to 40 small letters, digits, dots, hyphens or underscores, and starts with a letter or digit")
	// ErrAdminExists says that the name is taken.
	ErrAdminExists = errors.New("this admin exists already; podbor admin reset gives a new password")

	adminName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)
)

// nobody is the hash that the password of an unknown name is compared with, so that the time does not tell which names
// there are.
const nobody = "$2a$10$AeUl7Q9BFYsj5m3dCW0/cuNxTdO6Gt/giSVsq.go/Ksz7Wxy0TeaS"

// hashing has room for those who hash at once. A hash is slow on purpose: a flood of logins must not take every processor.
var hashing = make(chan struct{}, 2)

// hashWithin bounds the wait for room there.
const hashWithin = 10 * time.Second

// AddAdmin makes an account and returns its password, which is told nowhere else.
func (s *Store) AddAdmin(ctx context.Context, name string) (password string, err error) {
	if !adminName.MatchString(name) {
		return "", ErrAdminName
	}
	return s.setPassword(ctx, name, ErrAdminExists,
		`INSERT INTO admins (name, password) VALUES (@name, @password) ON CONFLICT DO NOTHING RETURNING id`)
}

// ResetAdmin gives an account a new password, which ends its sessions, and returns it.
func (s *Store) ResetAdmin(ctx context.Context, name string) (password string, err error) {
	return s.setPassword(ctx, name, fmt.Errorf("there is no admin %q", name),
		`UPDATE admins SET password = @password, version = version + 1 WHERE name = @name RETURNING id`)
}

func (s *Store) setPassword(ctx context.Context, name string, refusal error, text string) (string, error) {
	password := rand.Text()
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.DefaultCost)
	if err != nil {
		return "", err
	}
	var ids []int64
	if err := s.query(ctx, &ids, "set-password", text, map[string]any{"name": name, "password": string(hash)}); err != nil {
		return "", err
	}
	if len(ids) == 0 {
		return "", refusal
	}
	return password, nil
}

// Admin returns the account with the given id, or ErrNotFound.
func (s *Store) Admin(ctx context.Context, id int64) (Admin, error) {
	var rows []Admin
	err := s.query(ctx, &rows, "admin", `SELECT id, name, version FROM admins WHERE id = @id`, map[string]any{"id": id})
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("admin %d: %w", id, ErrNotFound)
	}
	if err != nil {
		return Admin{}, err
	}
	return rows[0], nil
}

// CheckPassword returns the account that name and password open, or ErrWrongPassword, or ErrOverloaded.
func (s *Store) CheckPassword(ctx context.Context, name, password string) (Admin, error) {
	var rows []struct {
		Admin
		Password string
	}
	err := s.query(ctx, &rows, "password", `SELECT id, name, version, password FROM admins WHERE name = @name`, map[string]any{"name": name})
	if err != nil {
		return Admin{}, err
	}
	hash, account := nobody, Admin{}
	if len(rows) > 0 {
		hash, account = rows[0].Password, rows[0].Admin
	}
	select {
	case hashing <- struct{}{}:
		defer func() { <-hashing }()
	case <-time.After(hashWithin):
		return Admin{}, ErrOverloaded
	case <-ctx.Done():
		return Admin{}, ctx.Err()
	}
	if bcrypt.CompareHashAndPassword([]byte(hash), []byte(password)) != nil || len(rows) == 0 {
		return Admin{}, ErrWrongPassword
	}
	return account, nil
}
