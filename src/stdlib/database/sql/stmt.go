package sql

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
)

// A prepared statement is one of a connection. The connection's lock guards it.
type prepared struct {
	c      *conn
	stmt   driver.Stmt
	closed bool
	err    error // what closing it gave
}

func prepareOn(ctx context.Context, c *conn, query string) (*prepared, error) {
	if p, ok := c.driver.(driver.ConnPrepareContext); ok {
		s, err := p.PrepareContext(ctx, query)
		if err != nil {
			return nil, err
		}
		return &prepared{c: c, stmt: s}, nil
	}
	s, err := c.driver.Prepare(query)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		s.Close()
		return nil, err
	}
	return &prepared{c: c, stmt: s}, nil
}

// prepareKept prepares a statement that the connection closes at its end.
func prepareKept(ctx context.Context, c *conn, query string) (*prepared, error) {
	s, err := prepareOn(ctx, c, query)
	if err != nil {
		return nil, err
	}
	if c.stmts == nil {
		c.stmts = map[*prepared]bool{}
	}
	c.stmts[s] = true
	return s, nil
}

func (s *prepared) close() error {
	s.c.Lock()
	defer s.c.Unlock()
	if !s.closed {
		s.closed = true
		s.err = s.stmt.Close()
	}
	return s.err
}

func (s *prepared) exec(ctx context.Context, args []any) (Result, error) {
	s.c.Lock()
	defer s.c.Unlock()
	named, err := arguments(s.c.driver, s.stmt, args)
	if err != nil {
		return nil, err
	}
	var r driver.Result
	if w, ok := s.stmt.(driver.StmtExecContext); ok {
		r, err = w.ExecContext(ctx, named)
	} else {
		var values []driver.Value
		if values, err = positional(ctx, named); err == nil {
			r, err = s.stmt.Exec(values)
		}
	}
	if err != nil {
		return nil, err
	}
	return result{s.c, r}, nil
}

func (s *prepared) query(ctx context.Context, args []any) (driver.Rows, error) {
	s.c.Lock()
	defer s.c.Unlock()
	named, err := arguments(s.c.driver, s.stmt, args)
	if err != nil {
		return nil, err
	}
	if w, ok := s.stmt.(driver.StmtQueryContext); ok {
		return w.QueryContext(ctx, named)
	}
	values, err := positional(ctx, named)
	if err != nil {
		return nil, err
	}
	return s.stmt.Query(values)
}

// An owner is a Tx or a Conn: what is prepared by it runs on its connection only.
type owner interface {
	grab(context.Context) (*conn, func(error), error)
	txContext() context.Context
}

// A Stmt is prepared on each connection that it comes to run on, unless it has an owner.
type Stmt struct {
	db    *DB
	query string
	err   error // all calls give it
	gate  gate

	owner  owner
	on     *prepared // the owner's
	parent *Stmt     // which prepared that

	mu     sync.Mutex
	closed bool
	ready  []*prepared
	gone   uint64 // of db when closed connections were last looked for
	users  int    // those for whose sake it is not closed yet: rows, statements of transactions
	closes bool   // when there are no users
}

// prepare prepares a statement on c, then releases that.
func (db *DB) prepare(
	ctx context.Context, c *conn, release func(error), by owner, query string,
) (stmt *Stmt, err error) {
	defer func() { release(err) }()
	var s *prepared
	c.locked(func() {
		if by == nil {
			s, err = prepareKept(ctx, c, query)
		} else {
			s, err = prepareOn(ctx, c, query)
		}
	})
	if err != nil {
		return nil, err
	}
	stmt = &Stmt{db: db, query: query, owner: by, on: s}
	if by == nil {
		stmt.ready = []*prepared{s}
		db.mu.Lock()
		stmt.gone = db.gone
		db.mu.Unlock()
	}
	return stmt, nil
}

// forgetClosed drops the statements of connections that were closed.
func (s *Stmt) forgetClosed() {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	if s.db.gone == s.gone {
		return
	}
	s.gone = s.db.gone
	keep := s.ready[:0]
	for _, p := range s.ready {
		if !p.c.removed {
			keep = append(keep, p)
		}
	}
	clear(s.ready[len(keep):])
	s.ready = keep
}

// find gives what is prepared on c, if anything; s.mu is held.
func (s *Stmt) find(c *conn) *prepared {
	s.forgetClosed()
	for _, p := range s.ready {
		if p.c == c {
			return p
		}
	}
	return nil
}

// prepareFor prepares the statement on one more connection, which is locked.
func (s *Stmt) prepareFor(ctx context.Context, c *conn) (*prepared, error) {
	p, err := prepareKept(ctx, c, s.query)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.ready = append(s.ready, p)
	s.mu.Unlock()
	return p, nil
}

// get gives a connection for the statement, and what is prepared on it.
func (s *Stmt) get(ctx context.Context, fresh bool) (*prepared, func(error), error) {
	if s.err != nil {
		return nil, nil, s.err
	}
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return nil, nil, errors.New("sql: statement is closed")
	}
	if s.owner != nil {
		_, release, err := s.owner.grab(ctx)
		return s.on, release, err
	}
	c, err := s.db.conn(ctx, fresh)
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	p := s.find(c)
	s.mu.Unlock()
	if p == nil {
		c.locked(func() { p, err = s.prepareFor(ctx, c) })
		if err != nil {
			c.release(err)
			return nil, nil, err
		}
	}
	return p, c.release, nil
}

func (s *Stmt) retain() {
	s.mu.Lock()
	s.users++
	s.mu.Unlock()
}

// drop takes a user away, and closes a closed statement without any.
func (s *Stmt) drop() {
	s.mu.Lock()
	s.users--
	s.mu.Unlock()
	s.finish()
}

// finish gives up what is prepared, if the statement is closed and nobody uses it.
func (s *Stmt) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closes || s.users > 0 {
		return
	}
	for _, p := range s.ready {
		s.db.closeUnused(p.c, p)
		p.c.locked(func() { delete(p.c.stmts, p) })
	}
	s.ready = nil
}

func (s *Stmt) ExecContext(ctx context.Context, args ...any) (Result, error) {
	s.gate.enter()
	defer s.gate.leave()
	return retry(func(fresh bool) (Result, error) {
		p, release, err := s.get(ctx, fresh)
		if err != nil {
			return nil, err
		}
		r, err := p.exec(ctx, args)
		release(err)
		return r, err
	})
}

func (s *Stmt) Exec(args ...any) (Result, error) {
	return s.ExecContext(context.Background(), args...)
}

func (s *Stmt) QueryContext(ctx context.Context, args ...any) (*Rows, error) {
	s.gate.enter()
	defer s.gate.leave()
	return retry(func(fresh bool) (*Rows, error) {
		p, release, err := s.get(ctx, fresh)
		if err != nil {
			return nil, err
		}
		r, err := p.query(ctx, args)
		if err != nil {
			release(err)
			return nil, err
		}
		s.retain()
		rows := &Rows{c: p.c, rows: r}
		rows.release = func(err error) {
			release(err)
			s.drop()
		}
		var txctx context.Context
		if s.owner != nil {
			txctx = s.owner.txContext()
		}
		rows.until(ctx, txctx)
		return rows, nil
	})
}

func (s *Stmt) Query(args ...any) (*Rows, error) {
	return s.QueryContext(context.Background(), args...)
}

func (s *Stmt) QueryRowContext(ctx context.Context, args ...any) *Row {
	rows, err := s.QueryContext(ctx, args...)
	return &Row{err, rows}
}

func (s *Stmt) QueryRow(args ...any) *Row {
	return s.QueryRowContext(context.Background(), args...)
}

func (s *Stmt) Close() error {
	s.gate.close()
	defer s.gate.open()
	if s.err != nil {
		return s.err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	on := s.on
	s.on = nil
	s.closes = s.owner == nil
	s.mu.Unlock()
	switch {
	case s.owner == nil:
		s.finish()
		return nil
	case s.parent != nil:
		s.parent.drop()
		return nil
	}
	return on.close()
}
