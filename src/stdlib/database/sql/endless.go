package sql

import "context"

// The methods without a context do what those with one do, in a context that never ends.

var endless = context.Background()

func (db *DB) Ping() error         { return db.PingContext(endless) }
func (db *DB) Begin() (*Tx, error) { return db.BeginTx(endless, nil) }

func (tx *Tx) Stmt(stmt *Stmt) *Stmt { return tx.StmtContext(endless, stmt) }

func (db *DB) Prepare(text string) (*Stmt, error) {
	return db.PrepareContext(endless, text)
}

func (tx *Tx) Prepare(text string) (*Stmt, error) {
	return tx.PrepareContext(endless, text)
}

func (db *DB) Exec(text string, args ...any) (Result, error) {
	return db.ExecContext(endless, text, args...)
}

func (tx *Tx) Exec(text string, args ...any) (Result, error) {
	return tx.ExecContext(endless, text, args...)
}

func (s *Stmt) Exec(args ...any) (Result, error) {
	return s.ExecContext(endless, args...)
}

func (db *DB) Query(text string, args ...any) (*Rows, error) {
	return db.QueryContext(endless, text, args...)
}

func (tx *Tx) Query(text string, args ...any) (*Rows, error) {
	return tx.QueryContext(endless, text, args...)
}

func (s *Stmt) Query(args ...any) (*Rows, error) {
	return s.QueryContext(endless, args...)
}

func (db *DB) QueryRow(text string, args ...any) *Row {
	return db.QueryRowContext(endless, text, args...)
}

func (tx *Tx) QueryRow(text string, args ...any) *Row {
	return tx.QueryRowContext(endless, text, args...)
}

func (s *Stmt) QueryRow(args ...any) *Row {
	return s.QueryRowContext(endless, args...)
}
