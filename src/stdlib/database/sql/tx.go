package sql

// Conn and Tx: sources of one connection each, which stays the same. A gate keeps them from
// ending while somebody has a lease.

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
	"sync/atomic"
)

// A Conn is one connection, leased from the pool.
type Conn struct {
	gate gate
	pool lease
	done atomic.Bool
}

func (c *Conn) take(context.Context, bool) (lease, error) {
	if c.done.Load() {
		return lease{}, ErrConnDone
	}
	c.gate.enter()
	return lease{c: c.pool.c, from: c}, nil
}

func (c *Conn) giveBack(_ *conn, err error) {
	c.gate.leave()
	if bad(err) {
		c.finish(err)
	}
}

func (*Conn) tries() int { return 1 }

func (*Conn) until() context.Context { return nil }

// finish ends the lease from the pool, once nobody uses the connection.
func (c *Conn) finish(err error) error {
	if c.done.Swap(true) {
		return ErrConnDone
	}
	c.gate.close()
	defer c.gate.open()
	c.pool.end(err)
	return err
}

func (c *Conn) Close() error { return c.finish(nil) }

func (c *Conn) PingContext(ctx context.Context) error {
	l, err := c.take(ctx, false)
	return ping(ctx, l, err)
}

func (c *Conn) ExecContext(ctx context.Context, query string, args ...any) (Result, error) {
	return exec(ctx, c, query, args)
}

func (c *Conn) QueryContext(ctx context.Context, text string, args ...any) (*Rows, error) {
	return query(ctx, c, text, args)
}

func (c *Conn) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	return queryRow(ctx, c, query, args)
}

func (c *Conn) PrepareContext(ctx context.Context, query string) (*Stmt, error) {
	return prepare(ctx, c, query)
}

func (c *Conn) BeginTx(ctx context.Context, opts *TxOptions) (*Tx, error) {
	return begin(ctx, c, opts)
}

// Raw calls f with the driver's connection, which is not used again if f panics.
func (c *Conn) Raw(f func(driverConn any) error) (err error) {
	l, err := c.take(nil, false)
	if err != nil {
		return err
	}
	err = driver.ErrBadConn
	defer func() { l.end(err) }()
	l.c.locked(func() { err = f(l.c.driver) })
	return err
}

// A Tx holds a lease until it is committed or rolled back.
type Tx struct {
	gate   gate
	held   lease
	tx     driver.Tx
	done   atomic.Bool
	spoils bool // the connection cannot be used again after a rollback nobody asked for
	ctx    context.Context
	cancel context.CancelFunc

	mu    sync.Mutex
	stmts []*Stmt // closed with it
}

func begin(ctx context.Context, from source, opts *TxOptions) (*Tx, error) {
	return attempt(ctx, from, kept, func(l lease) (tx *Tx, err error) {
		tx = &Tx{held: l}
		l.c.locked(func() {
			_, resets := l.c.driver.(driver.SessionResetter)
			_, validates := l.c.driver.(driver.Validator)
			tx.spoils = !resets || !validates
			tx.tx, err = beginOn(ctx, l.c.driver, opts)
		})
		if err != nil {
			return nil, err
		}
		tx.ctx, tx.cancel = context.WithCancel(ctx)
		context.AfterFunc(tx.ctx, func() { tx.end(driver.Tx.Rollback, tx.spoils) })
		return tx, nil
	})
}

// beginOn begins a transaction at the driver. One that knows no contexts has no options, either.
func beginOn(ctx context.Context, c driver.Conn, opts *TxOptions) (tx driver.Tx, err error) {
	var asked TxOptions
	if opts != nil {
		asked = *opts
	}
	if with(c, func(c driver.ConnBeginTx) {
		tx, err = c.BeginTx(ctx, driver.TxOptions{
			ReadOnly:  asked.ReadOnly,
			Isolation: driver.IsolationLevel(asked.Isolation),
		})
	}) {
		return tx, err
	}
	switch {
	case asked.Isolation != LevelDefault:
		return nil, errors.New("sql: driver does not support non-default isolation level")
	case asked.ReadOnly:
		return nil, errors.New("sql: driver does not support read-only transactions")
	}
	if tx, err = c.Begin(); err == nil {
		if err = ctx.Err(); err != nil {
			tx.Rollback()
		}
	}
	return tx, err
}

func (tx *Tx) take(ctx context.Context, _ bool) (lease, error) {
	if err := ctx.Err(); err != nil {
		return lease{}, err
	}
	tx.gate.enter()
	if tx.done.Load() {
		tx.gate.leave()
		return lease{}, ErrTxDone
	}
	return lease{c: tx.held.c, from: tx}, nil
}

func (tx *Tx) giveBack(*conn, error) { tx.gate.leave() }

func (*Tx) tries() int { return 1 }

func (tx *Tx) until() context.Context { return tx.ctx }

// end ends the transaction by how, after those who use it are done; spoilt says that the
// connection shall not be used again.
func (tx *Tx) end(how func(driver.Tx) error, spoilt bool) (err error) {
	if tx.done.Swap(true) {
		return ErrTxDone
	}
	tx.cancel()
	tx.gate.close()
	tx.gate.open()
	tx.held.c.locked(func() { err = how(tx.tx) })
	if !bad(err) {
		tx.closeStmts()
	}
	if spoilt {
		err = driver.ErrBadConn
	}
	tx.held.end(err)
	return err
}

// closeStmts closes the statements that were prepared in the transaction.
func (tx *Tx) closeStmts() {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	for _, s := range tx.stmts {
		s.Close()
	}
}

func (tx *Tx) Commit() error {
	if err := tx.ctx.Err(); err != nil && !tx.done.Load() {
		return err
	}
	return tx.end(driver.Tx.Commit, false)
}

func (tx *Tx) Rollback() error { return tx.end(driver.Tx.Rollback, false) }

func (tx *Tx) keep(s *Stmt) {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	tx.stmts = append(tx.stmts, s)
}

func (tx *Tx) PrepareContext(ctx context.Context, query string) (*Stmt, error) {
	s, err := prepare(ctx, tx, query)
	if err == nil {
		tx.keep(s)
	}
	return s, err
}

// StmtContext gives the statement for use in the transaction, prepared on its connection.
func (tx *Tx) StmtContext(ctx context.Context, stmt *Stmt) *Stmt {
	s, err := attempt(ctx, tx, ended, func(l lease) (*Stmt, error) {
		if l.c.db != stmt.db {
			return nil, errors.New("sql: Tx.Stmt: statement from different database used")
		}
		s := &Stmt{db: stmt.db, from: tx, query: stmt.query}
		if err := s.share(ctx, l.c, stmt); err != nil {
			return nil, err
		}
		tx.keep(s)
		return s, nil
	})
	if err != nil {
		return &Stmt{err: err}
	}
	return s
}

// share binds the statement to what of has prepared on c, if that can be used by others.
func (s *Stmt) share(ctx context.Context, c *conn, of *Stmt) error {
	if of.from != source(of.db) || !of.use() {
		return s.bind(ctx, c)
	}
	p, err := of.preparedOn(ctx, c)
	if err != nil {
		of.drop()
		return err
	}
	s.bound = &prepared{c: c, stmt: p.stmt}
	s.end = func() error {
		of.drop()
		return nil
	}
	return nil
}

func (tx *Tx) ExecContext(ctx context.Context, query string, args ...any) (Result, error) {
	return exec(ctx, tx, query, args)
}

func (tx *Tx) QueryContext(ctx context.Context, text string, args ...any) (*Rows, error) {
	return query(ctx, tx, text, args)
}

func (tx *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	return queryRow(ctx, tx, query, args)
}
