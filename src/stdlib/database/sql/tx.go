package sql

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
	"sync/atomic"
)

// A Conn is one connection, taken from the pool.
type Conn struct {
	db   *DB
	gate gate
	c    *conn
	done atomic.Bool
}

// grab takes the connection; what it gives must be called when it is no longer used.
func (c *Conn) grab(context.Context) (*conn, func(error), error) {
	if c.done.Load() {
		return nil, nil, ErrConnDone
	}
	c.gate.enter()
	return c.c, c.leave, nil
}

func (c *Conn) txContext() context.Context { return nil }

func (c *Conn) leave(err error) {
	c.gate.leave()
	if bad(err) {
		c.close(err)
	}
}

func (c *Conn) close(err error) error {
	if !c.done.CompareAndSwap(false, true) {
		return ErrConnDone
	}
	c.gate.close()
	defer c.gate.open()
	c.c.release(err)
	c.c = nil
	c.db = nil
	return err
}

func (c *Conn) Close() error { return c.close(nil) }

func (c *Conn) PingContext(ctx context.Context) error {
	on, release, err := c.grab(ctx)
	if err != nil {
		return err
	}
	return ping(ctx, on, release)
}

func (c *Conn) ExecContext(ctx context.Context, query string, args ...any) (Result, error) {
	on, release, err := c.grab(ctx)
	if err != nil {
		return nil, err
	}
	return exec(ctx, on, release, query, args)
}

func (c *Conn) QueryContext(ctx context.Context, query string, args ...any) (*Rows, error) {
	on, release, err := c.grab(ctx)
	if err != nil {
		return nil, err
	}
	return queryOn(ctx, nil, on, release, query, args)
}

func (c *Conn) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	rows, err := c.QueryContext(ctx, query, args...)
	return &Row{err, rows}
}

func (c *Conn) PrepareContext(ctx context.Context, query string) (*Stmt, error) {
	on, release, err := c.grab(ctx)
	if err != nil {
		return nil, err
	}
	return c.db.prepare(ctx, on, release, c, query)
}

func (c *Conn) BeginTx(ctx context.Context, opts *TxOptions) (*Tx, error) {
	on, release, err := c.grab(ctx)
	if err != nil {
		return nil, err
	}
	return c.db.begin(ctx, on, release, opts)
}

// Raw calls f with the driver's connection, which is not used again if f panics.
func (c *Conn) Raw(f func(driverConn any) error) (err error) {
	on, release, err := c.grab(nil)
	if err != nil {
		return err
	}
	returned := false
	on.Lock()
	defer func() {
		on.Unlock()
		if !returned {
			err = driver.ErrBadConn
		}
		release(err)
	}()
	err = f(on.driver)
	returned = true
	return err
}

type Tx struct {
	db      *DB
	gate    gate
	c       *conn
	tx      driver.Tx
	release func(error)
	done    atomic.Bool
	keep    bool // the connection can be used again after a rollback nobody asked for
	ctx     context.Context
	cancel  context.CancelFunc

	mu    sync.Mutex
	stmts []*Stmt
}

func (db *DB) begin(
	ctx context.Context, c *conn, release func(error), opts *TxOptions,
) (*Tx, error) {
	tx := &Tx{db: db, c: c, release: release}
	var err error
	c.locked(func() {
		_, resets := c.driver.(driver.SessionResetter)
		_, validates := c.driver.(driver.Validator)
		tx.keep = resets && validates
		tx.tx, err = beginOn(ctx, c.driver, opts)
	})
	if err != nil {
		release(err)
		return nil, err
	}
	tx.ctx, tx.cancel = context.WithCancel(ctx)
	context.AfterFunc(tx.ctx, func() { tx.rollback(!tx.keep) })
	return tx, nil
}

func beginOn(ctx context.Context, c driver.Conn, opts *TxOptions) (driver.Tx, error) {
	if opts == nil {
		opts = &TxOptions{}
	}
	if c, ok := c.(driver.ConnBeginTx); ok {
		return c.BeginTx(ctx, driver.TxOptions{
			Isolation: driver.IsolationLevel(opts.Isolation),
			ReadOnly:  opts.ReadOnly,
		})
	}
	if opts.Isolation != LevelDefault {
		return nil, errors.New("sql: driver does not support non-default isolation level")
	}
	if opts.ReadOnly {
		return nil, errors.New("sql: driver does not support read-only transactions")
	}
	tx, err := c.Begin()
	if err == nil && ctx.Err() != nil {
		tx.Rollback()
		return nil, ctx.Err()
	}
	return tx, err
}

func (tx *Tx) grab(ctx context.Context) (*conn, func(error), error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	tx.gate.enter()
	if tx.done.Load() {
		tx.gate.leave()
		return nil, nil, ErrTxDone
	}
	return tx.c, func(error) { tx.gate.leave() }, nil
}

func (tx *Tx) txContext() context.Context { return tx.ctx }

// end ends the transaction by how, after those who use it are done.
func (tx *Tx) end(discard bool, how func(driver.Tx) error) error {
	tx.cancel()
	tx.gate.close()
	tx.gate.open()
	var err error
	tx.c.locked(func() { err = how(tx.tx) })
	if !bad(err) {
		tx.mu.Lock()
		for _, s := range tx.stmts {
			s.Close()
		}
		tx.mu.Unlock()
	}
	if discard {
		err = driver.ErrBadConn
	}
	tx.release(err)
	tx.c = nil
	tx.tx = nil
	return err
}

func (tx *Tx) Commit() error {
	if err := tx.ctx.Err(); err != nil {
		if tx.done.Load() {
			return ErrTxDone
		}
		return err
	}
	if !tx.done.CompareAndSwap(false, true) {
		return ErrTxDone
	}
	return tx.end(false, driver.Tx.Commit)
}

func (tx *Tx) rollback(discard bool) error {
	if !tx.done.CompareAndSwap(false, true) {
		return ErrTxDone
	}
	return tx.end(discard, driver.Tx.Rollback)
}

func (tx *Tx) Rollback() error { return tx.rollback(false) }

func (tx *Tx) keepStmt(s *Stmt) {
	tx.mu.Lock()
	tx.stmts = append(tx.stmts, s)
	tx.mu.Unlock()
}

func (tx *Tx) PrepareContext(ctx context.Context, query string) (*Stmt, error) {
	c, release, err := tx.grab(ctx)
	if err != nil {
		return nil, err
	}
	s, err := tx.db.prepare(ctx, c, release, tx, query)
	if err != nil {
		return nil, err
	}
	tx.keepStmt(s)
	return s, nil
}

func (tx *Tx) Prepare(query string) (*Stmt, error) {
	return tx.PrepareContext(context.Background(), query)
}

// StmtContext gives the statement for use in the transaction, prepared on its connection.
func (tx *Tx) StmtContext(ctx context.Context, stmt *Stmt) *Stmt {
	c, release, err := tx.grab(ctx)
	if err != nil {
		return &Stmt{err: err}
	}
	defer release(nil)
	if tx.db != stmt.db {
		err := errors.New("sql: Tx.Stmt: statement from different database used")
		return &Stmt{err: err}
	}
	own := &Stmt{db: tx.db, query: stmt.query, owner: tx}
	stmt.mu.Lock()
	if stmt.closed || stmt.owner != nil {
		stmt.mu.Unlock()
		c.locked(func() { own.on, err = prepareOn(ctx, c, stmt.query) })
		if err != nil {
			return &Stmt{err: err}
		}
	} else {
		s := stmt.find(c)
		stmt.mu.Unlock()
		if s == nil {
			c.locked(func() { s, err = stmt.prepareFor(ctx, c) })
			if err != nil {
				return &Stmt{err: err}
			}
		}
		own.on = &prepared{c: c, stmt: s.stmt}
		own.parent = stmt
		stmt.retain()
	}
	tx.keepStmt(own)
	return own
}

func (tx *Tx) Stmt(stmt *Stmt) *Stmt { return tx.StmtContext(context.Background(), stmt) }

func (tx *Tx) ExecContext(ctx context.Context, query string, args ...any) (Result, error) {
	c, release, err := tx.grab(ctx)
	if err != nil {
		return nil, err
	}
	return exec(ctx, c, release, query, args)
}

func (tx *Tx) Exec(query string, args ...any) (Result, error) {
	return tx.ExecContext(context.Background(), query, args...)
}

func (tx *Tx) QueryContext(ctx context.Context, query string, args ...any) (*Rows, error) {
	c, release, err := tx.grab(ctx)
	if err != nil {
		return nil, err
	}
	return queryOn(ctx, tx.ctx, c, release, query, args)
}

func (tx *Tx) Query(query string, args ...any) (*Rows, error) {
	return tx.QueryContext(context.Background(), query, args...)
}

func (tx *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	rows, err := tx.QueryContext(ctx, query, args...)
	return &Row{err, rows}
}

func (tx *Tx) QueryRow(query string, args ...any) *Row {
	return tx.QueryRowContext(context.Background(), query, args...)
}
