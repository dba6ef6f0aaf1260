package sql

// How a call reaches a driver. What is called on a DB, a Conn, a Tx or a Stmt is one attempt after
// another: each leases a connection from that source, does its work there, and ends the lease, or
// hands it on to the rows or the transaction that the work has made. Exec and Query are two ways of
// one routine, ask: a driver is asked at once if it can be, else by a statement.

import (
	"context"
	"database/sql/driver"
)

// A source leases connections.
type source interface {
	take(ctx context.Context, fresh bool) (lease, error)
	giveBack(c *conn, err error) // err is what the connection was used with
	tries() int                  // how often a call is tried while connections are bad
	until() context.Context      // it ends the rows that come of the source, if there is one
}

// A lease is a connection for a time, and the statement that shall be used on it, if any.
type lease struct {
	c    *conn
	from source
	stmt *prepared
}

func (l lease) end(err error) {
	if l.from != nil {
		l.from.giveBack(l.c, err)
	}
}

func (*DB) tries() int { return 3 }

func (*DB) until() context.Context { return nil }

// What becomes of a lease when the work is done.
const (
	ended = false
	kept  = true // if there was no error
)

// attempt does the work on a connection of the source, and again on others if they turn out to be
// bad; the last one is fresh.
func attempt[T any](
	ctx context.Context, from source, lasts bool, work func(lease) (T, error),
) (v T, err error) {
	for left := from.tries() - 1; left >= 0; left-- {
		v, err = try(ctx, from, left == 0, lasts, work)
		if err == nil || !bad(err) {
			break
		}
	}
	return v, err
}

func try[T any](
	ctx context.Context, from source, fresh, lasts bool, work func(lease) (T, error),
) (v T, err error) {
	l, err := from.take(ctx, fresh)
	if err != nil {
		return v, err
	}
	if lasts {
		if v, err = work(l); err != nil {
			l.end(err)
		}
		return v, err
	}
	defer func() { l.end(err) }()
	return work(l)
}

// A call is what a driver has for a statement; nil if it has nothing.
type call[T any] func(context.Context, []driver.NamedValue) (T, error)

// byPosition makes a call of what knows neither contexts nor names.
func byPosition[T any](f func([]driver.Value) (T, error)) call[T] {
	return func(ctx context.Context, given []driver.NamedValue) (v T, err error) {
		values, err := positional(given)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			v, err = f(values)
		}
		return v, err
	}
}

// run converts the arguments for the driver of c, and calls it.
func (k call[T]) run(ctx context.Context, c *conn, stmt driver.Stmt, args []any) (v T, err error) {
	c.locked(func() {
		var given []driver.NamedValue
		if given, err = arguments(c.driver, stmt, args); err == nil {
			v, err = k(ctx, given)
		}
	})
	return v, err
}

// A way is how drivers do one of the two things that they do with a statement.
type way[T any] struct {
	direct func(driver.Conn, string) call[T]
	by     func(driver.Stmt) call[T]
}

var execs = way[driver.Result]{
	direct: func(c driver.Conn, query string) call[driver.Result] {
		switch c := c.(type) {
		case driver.ExecerContext:
			return func(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
				return c.ExecContext(ctx, query, args)
			}
		case driver.Execer:
			return byPosition(func(args []driver.Value) (driver.Result, error) {
				return c.Exec(query, args)
			})
		}
		return nil
	},
	by: func(s driver.Stmt) call[driver.Result] {
		if s, ok := s.(driver.StmtExecContext); ok {
			return s.ExecContext
		}
		return byPosition(s.Exec)
	},
}

var queries = way[driver.Rows]{
	direct: func(c driver.Conn, query string) call[driver.Rows] {
		switch c := c.(type) {
		case driver.QueryerContext:
			return func(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
				return c.QueryContext(ctx, query, args)
			}
		case driver.Queryer:
			return byPosition(func(args []driver.Value) (driver.Rows, error) {
				return c.Query(query, args)
			})
		}
		return nil
	},
	by: func(s driver.Stmt) call[driver.Rows] {
		if s, ok := s.(driver.StmtQueryContext); ok {
			return s.QueryContext
		}
		return byPosition(s.Query)
	},
}

// ask runs the statement of the lease, or else the query. Where that needs a statement of its own,
// done is called with it at last.
func (w way[T]) ask(
	ctx context.Context, l lease, query string, args []any, done func(*prepared, error),
) (v T, err error) {
	s := l.stmt
	if s == nil {
		if direct := w.direct(l.c.driver, query); direct != nil {
			if v, err = direct.run(ctx, l.c, nil, args); err != driver.ErrSkip {
				return v, err
			}
		}
		if s, err = l.c.prepare(ctx, query, nil); err != nil {
			return v, err
		}
		defer func() { done(s, err) }()
	}
	return w.by(s.stmt).run(ctx, l.c, s.stmt, args)
}

func exec(ctx context.Context, from source, query string, args []any) (Result, error) {
	return attempt(ctx, from, ended, func(l lease) (Result, error) {
		r, err := execs.ask(ctx, l, query, args, func(s *prepared, _ error) { s.close() })
		if err != nil {
			return nil, err
		}
		return result{l.c, r}, nil
	})
}

func query(ctx context.Context, from source, query string, args []any) (*Rows, error) {
	return attempt(ctx, from, kept, func(l lease) (*Rows, error) {
		rows := &Rows{lease: l}
		var err error
		rows.rows, err = queries.ask(ctx, l, query, args, func(s *prepared, err error) {
			if err != nil {
				s.close()
				return
			}
			rows.atEnd = append(rows.atEnd, func() { s.close() })
		})
		if err != nil {
			return nil, err
		}
		rows.endWith(ctx, l.from.until())
		return rows, nil
	})
}

func queryRow(ctx context.Context, from source, text string, args []any) *Row {
	rows, err := query(ctx, from, text, args)
	return &Row{err, rows}
}

// ping asks whether the connection of a lease lives, and ends the lease.
func ping(ctx context.Context, l lease, err error) error {
	if err != nil {
		return err
	}
	with(l.c.driver, func(p driver.Pinger) { l.c.locked(func() { err = p.Ping(ctx) }) })
	l.end(err)
	return err
}

// result is a driver's result; the driver is asked with its connection locked.
type result struct {
	c *conn
	r driver.Result
}

func (r result) LastInsertId() (n int64, err error) {
	r.c.locked(func() { n, err = r.r.LastInsertId() })
	return n, err
}

func (r result) RowsAffected() (n int64, err error) {
	r.c.locked(func() { n, err = r.r.RowsAffected() })
	return n, err
}

// The calls of a DB.

// lease leases any connection that works as far as the pool can tell.
func (db *DB) lease(ctx context.Context) (lease, error) {
	return attempt(ctx, db, kept, func(l lease) (lease, error) { return l, nil })
}

func (db *DB) PingContext(ctx context.Context) error {
	l, err := db.lease(ctx)
	return ping(ctx, l, err)
}

func (db *DB) Conn(ctx context.Context) (*Conn, error) {
	l, err := db.lease(ctx)
	if err != nil {
		return nil, err
	}
	return &Conn{pool: l}, nil
}

func (db *DB) PrepareContext(ctx context.Context, query string) (*Stmt, error) {
	return prepare(ctx, db, query)
}

func (db *DB) ExecContext(ctx context.Context, text string, args ...any) (Result, error) {
	return exec(ctx, db, text, args)
}

func (db *DB) QueryContext(ctx context.Context, text string, args ...any) (*Rows, error) {
	return query(ctx, db, text, args)
}

func (db *DB) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	return queryRow(ctx, db, query, args)
}

func (db *DB) BeginTx(ctx context.Context, opts *TxOptions) (*Tx, error) {
	return begin(ctx, db, opts)
}
