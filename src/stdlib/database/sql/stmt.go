package sql

// Statements. What a driver prepares belongs to one connection: a prepared. A Stmt of a DB has one
// on each connection that it came to run on; the connection closes it at its end, too. A Stmt of
// a Conn or a Tx is bound to the one connection of that.

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"
	"sync"
)

// A prepared statement is one of a connection. The connection's lock guards it.
type prepared struct {
	c      *conn
	stmt   driver.Stmt
	closed bool
	err    error // what closing it gave
}

// prepare prepares a query on c, which closes it at its end if it is of a Stmt.
func (c *conn) prepare(ctx context.Context, query string, of *Stmt) (*prepared, error) {
	c.Lock()
	defer c.Unlock()
	p := &prepared{c: c}
	var err error
	if d, ok := c.driver.(driver.ConnPrepareContext); ok {
		p.stmt, err = d.PrepareContext(ctx, query)
	} else if p.stmt, err = c.driver.Prepare(query); err == nil {
		if err = ctx.Err(); err != nil {
			p.stmt.Close()
		}
	}
	switch {
	case err != nil:
		return nil, err
	case of != nil && c.stmts == nil:
		c.stmts = map[*prepared]*Stmt{p: of}
	case of != nil:
		c.stmts[p] = of
	}
	return p, nil
}

func (p *prepared) close() error {
	p.c.locked(func() {
		if !p.closed {
			p.closed = true
			p.err = p.stmt.Close()
		}
	})
	return p.err
}

// A Stmt is a source of connections on which it is prepared.
type Stmt struct {
	db    *DB
	from  source
	query string
	err   error // all calls give it
	gate  gate

	bound *prepared    // where it runs, unless it is a DB's
	end   func() error // closes a bound one

	mu     sync.Mutex
	closed bool
	on     []*prepared // by the time of preparing, one on a connection
	users  int         // those for whose sake on is kept: leases, statements of transactions
}

// prepare makes a Stmt of a DB, a Conn or a Tx.
func prepare(ctx context.Context, from source, query string) (*Stmt, error) {
	return attempt(ctx, from, ended, func(l lease) (*Stmt, error) {
		s := &Stmt{db: l.c.db, from: from, query: query}
		var err error
		if from == source(s.db) {
			_, err = s.preparedOn(ctx, l.c)
		} else {
			err = s.bind(ctx, l.c)
		}
		if err != nil {
			return nil, err
		}
		return s, nil
	})
}

func (s *Stmt) bind(ctx context.Context, c *conn) (err error) {
	if s.bound, err = c.prepare(ctx, s.query, nil); err == nil {
		s.end = s.bound.close
	}
	return err
}

// preparedOn gives what is prepared on c, which nobody else uses now.
func (s *Stmt) preparedOn(ctx context.Context, c *conn) (*prepared, error) {
	if p := s.find(c); p != nil {
		return p, nil
	}
	p, err := c.prepare(ctx, s.query, s)
	if err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.on = append(s.on, p)
	}
	return p, err
}

func (s *Stmt) find(c *conn) *prepared {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.on {
		if p.c == c {
			return p
		}
	}
	return nil
}

// forget drops what was prepared on a connection that is closed.
func (s *Stmt) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.on = slices.DeleteFunc(s.on, func(p *prepared) bool { return p.c == c })
}

func (s *Stmt) take(ctx context.Context, fresh bool) (l lease, err error) {
	if s.err != nil {
		return l, s.err
	}
	if !s.use() {
		return l, errors.New("sql: statement is closed")
	}
	if l, err = s.from.take(ctx, fresh); err != nil {
		s.drop()
		return l, err
	}
	l.from = s
	if l.stmt = s.bound; l.stmt == nil {
		if l.stmt, err = s.preparedOn(ctx, l.c); err != nil {
			l.end(err)
		}
	}
	return l, err
}

func (s *Stmt) giveBack(c *conn, err error) {
	s.from.giveBack(c, err)
	s.drop()
}

func (s *Stmt) tries() int { return 3 }

func (s *Stmt) until() context.Context {
	if s.from == nil {
		return nil
	}
	return s.from.until()
}

// use adds a user, unless the statement is closed.
func (s *Stmt) use() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.users++
	}
	return !s.closed
}

func (s *Stmt) drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	s.giveUp()
}

// giveUp gives up what is prepared, if the statement is closed and has no users.
func (s *Stmt) giveUp() {
	if !s.closed || s.users > 0 {
		return
	}
	for _, p := range s.on {
		p.c.giveUp(p)
	}
	s.on = nil
}

func (s *Stmt) ExecContext(ctx context.Context, args ...any) (Result, error) {
	s.gate.enter()
	defer s.gate.leave()
	return exec(ctx, s, "", args)
}

func (s *Stmt) QueryContext(ctx context.Context, args ...any) (*Rows, error) {
	s.gate.enter()
	defer s.gate.leave()
	return query(ctx, s, "", args)
}

func (s *Stmt) QueryRowContext(ctx context.Context, args ...any) *Row {
	rows, err := s.QueryContext(ctx, args...)
	return &Row{err, rows}
}

func (s *Stmt) Close() error {
	s.gate.close()
	defer s.gate.open()
	if s.err != nil || !s.retire() || s.end == nil {
		return s.err
	}
	return s.end()
}

// retire keeps the statement from further use. It says whether it does so for the first time.
func (s *Stmt) retire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.closed
	s.closed = true
	s.giveUp()
	return first
}
