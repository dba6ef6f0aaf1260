// run

// Package sql over a driver that tells what is asked of it: the pool, its limits, bad connections,
// transactions, statements, rows, contexts.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"time"
)

var trace struct {
	sync.Mutex
	lines []string
	mute  bool
}

func tell(format string, args ...any) {
	trace.Lock()
	defer trace.Unlock()
	if !trace.mute {
		trace.lines = append(trace.lines, fmt.Sprintf(format, args...))
	}
}

// flush prints what the driver was asked since the last time.
func flush(what string, args ...any) {
	trace.Lock()
	defer trace.Unlock()
	fmt.Printf("%s %v\n\t%s\n", what, args, strings.Join(trace.lines, "; "))
	trace.lines = nil
}

type drv struct {
	mu    sync.Mutex
	n     int
	bad   int // connections that turn out to be bad
	fail  error
	plain bool
}

func (d *drv) Open(name string) (driver.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fail != nil {
		return nil, d.fail
	}
	d.n++
	tell("open %s %d", name, d.n)
	c := &conn{d: d, id: d.n}
	if d.plain {
		return c, nil
	}
	return &fullConn{c}, nil
}

type conn struct {
	d  *drv
	id int
}

func (c *conn) Prepare(q string) (driver.Stmt, error) {
	tell("prepare%d %s", c.id, q)
	if strings.Contains(q, "bad") {
		c.d.mu.Lock()
		defer c.d.mu.Unlock()
		if c.d.bad > 0 {
			c.d.bad--
			return nil, fmt.Errorf("wrapped: %w", driver.ErrBadConn)
		}
	}
	if strings.Contains(q, "syntax") {
		return nil, errors.New("syntax error")
	}
	return &stmt{c, q}, nil
}
func (c *conn) Close() error              { tell("close%d", c.id); return nil }
func (c *conn) Begin() (driver.Tx, error) { tell("begin%d", c.id); return tx{c}, nil }

type fullConn struct{ *conn }

func (c *fullConn) PrepareContext(ctx context.Context, q string) (driver.Stmt, error) {
	s, err := c.Prepare(q)
	if err != nil {
		return nil, err
	}
	return &fullStmt{s.(*stmt)}, nil
}
func (c *fullConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tell("begin%d %v", c.id, o)
	return tx{c.conn}, nil
}
func (c *fullConn) Ping(ctx context.Context) error         { tell("ping%d", c.id); return nil }
func (c *fullConn) ResetSession(ctx context.Context) error { tell("reset%d", c.id); return nil }
func (c *fullConn) IsValid() bool                          { return true }
func (c *fullConn) CheckNamedValue(v *driver.NamedValue) error {
	switch v.Value.(type) {
	case sql.Out:
		return nil
	case chan int:
		return driver.ErrRemoveArgument
	}
	return driver.ErrSkip
}
func (c *fullConn) QueryContext(ctx context.Context, q string,
	a []driver.NamedValue) (driver.Rows, error) {
	if !strings.HasPrefix(q, "direct") {
		return nil, driver.ErrSkip
	}
	tell("query%d %s %v", c.id, q, a)
	return newRows(q), nil
}
func (c *fullConn) ExecContext(ctx context.Context, q string,
	a []driver.NamedValue) (driver.Result, error) {
	if !strings.HasPrefix(q, "direct") {
		return nil, driver.ErrSkip
	}
	tell("exec%d %s %d", c.id, q, len(a))
	for _, v := range a {
		tell("%s %d", v.Name, v.Ordinal)
		if o, ok := v.Value.(sql.Out); ok {
			*o.Dest.(*string) = "out of " + v.Name
		}
	}
	return result{7, 1}, nil
}

type result struct{ id, n int64 }

func (r result) LastInsertId() (int64, error) { return r.id, nil }
func (r result) RowsAffected() (int64, error) { return r.n, nil }

type tx struct{ c *conn }

func (t tx) Commit() error   { tell("commit%d", t.c.id); return nil }
func (t tx) Rollback() error { tell("rollback%d", t.c.id); return nil }

type stmt struct {
	c *conn
	q string
}

func (s *stmt) Close() error  { tell("closestmt%d", s.c.id); return nil }
func (s *stmt) NumInput() int { return strings.Count(s.q, "?") }
func (s *stmt) Exec(a []driver.Value) (driver.Result, error) {
	tell("exec%d %s %v", s.c.id, s.q, a)
	if strings.Contains(s.q, "fail") {
		return nil, errors.New("exec failed")
	}
	return driver.RowsAffected(len(a)), nil
}
func (s *stmt) Query(a []driver.Value) (driver.Rows, error) {
	tell("query%d %s %v", s.c.id, s.q, a)
	if strings.Contains(s.q, "fail") {
		return nil, errors.New("query failed")
	}
	return newRows(s.q), nil
}

type fullStmt struct{ *stmt }

func (s *fullStmt) ExecContext(ctx context.Context, a []driver.NamedValue) (driver.Result, error) {
	tell("exec%d %s %v", s.c.id, s.q, a)
	return result{1, int64(len(a))}, ctx.Err()
}
func (s *fullStmt) QueryContext(ctx context.Context, a []driver.NamedValue) (driver.Rows, error) {
	tell("query%d %s %v", s.c.id, s.q, a)
	return newRows(s.q), ctx.Err()
}

// rows counts to three, in two sets if the query says so, or fails in the middle.
type rows struct {
	q    string
	n    int
	sets int
	buf  []byte
}

func newRows(q string) driver.Rows {
	r := &rows{q: q, sets: 1, buf: []byte("raw0")}
	if strings.Contains(q, "sets") {
		r.sets = 2
		return r
	}
	if strings.Contains(q, "scanner") {
		return &scanner{r}
	}
	return r
}

func (r *rows) Columns() []string { return []string{"n", "text"} }
func (r *rows) Close() error {
	tell("closerows")
	if strings.Contains(r.q, "closeerr") {
		return errors.New("close failed")
	}
	return nil
}
func (r *rows) Next(dest []driver.Value) error {
	if r.n == 3 || strings.Contains(r.q, "none") {
		return io.EOF
	}
	if r.n == 1 && strings.Contains(r.q, "middle") {
		return errors.New("failed in the middle")
	}
	r.n++
	dest[0] = int64(r.n)
	r.buf[3] = '0' + byte(r.n)
	dest[1] = r.buf
	return nil
}
func (r *rows) HasNextResultSet() bool { return r.sets > 1 }
func (r *rows) NextResultSet() error {
	if r.sets--; r.sets == 0 {
		return io.EOF
	}
	r.n = 1
	return nil
}
func (r *rows) ColumnTypeDatabaseTypeName(i int) string { return []string{"INT", "TEXT"}[i] }
func (r *rows) ColumnTypeLength(i int) (int64, bool)    { return 10, i == 1 }
func (r *rows) ColumnTypeNullable(i int) (bool, bool)   { return i == 1, true }
func (r *rows) ColumnTypePrecisionScale(i int) (int64, int64, bool) {
	return 5, 2, i == 0
}
func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	return []reflect.Type{reflect.TypeFor[int64](), reflect.TypeFor[string]()}[i]
}

type scanner struct{ *rows }

func (s *scanner) NextRow() error { return s.rows.Next(make([]driver.Value, 2)) }
func (s *scanner) ScanColumn(ctx driver.ScanContext, i int, dest any) error {
	return sql.ConvertAssign(ctx, dest, fmt.Sprint(10*s.n+i))
}

func read(r *sql.Rows, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	defer r.Close()
	var out []string
	for {
		for r.Next() {
			var n int
			var s string
			if err := r.Scan(&n, &s); err != nil {
				return "scan: " + err.Error()
			}
			out = append(out, fmt.Sprint(n, s))
		}
		if !r.NextResultSet() {
			break
		}
		out = append(out, "next set")
	}
	return fmt.Sprint(out, r.Err())
}

func eventually(f func() bool) bool {
	for range 2000 {
		if f() {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

func stats(db *sql.DB) string {
	s := db.Stats()
	return fmt.Sprintf("max %d open %d used %d idle %d waits %d waited %v closed %d %d %d",
		s.MaxOpenConnections, s.OpenConnections, s.InUse, s.Idle, s.WaitCount,
		s.WaitDuration > 0, s.MaxIdleClosed, s.MaxIdleTimeClosed, s.MaxLifetimeClosed)
}

func main() {
	full, plain := &drv{}, &drv{plain: true}
	sql.Register("full", full)
	sql.Register("plain", plain)
	fmt.Println(sql.Drivers())
	func() {
		defer func() { fmt.Println(recover()) }()
		sql.Register("full", full)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		sql.Register("nil", nil)
	}()
	_, err := sql.Open("unknown", "")
	fmt.Println(err)

	db, err := sql.Open("full", "dsn")
	fmt.Println(err, db.Driver() == full, stats(db))
	flush("ping", db.Ping(), stats(db))
	flush("ping", db.Ping())
	r, err := db.Exec("direct", 1, sql.Named("x", "y"))
	id, _ := r.LastInsertId()
	n, _ := r.RowsAffected()
	flush("exec", err, id, n)
	var out string
	_, err = db.Exec("direct", sql.Named("param", sql.Out{Dest: &out}), make(chan int), 5)
	flush("exec out", err, out)
	_, err = db.Exec("insert ? ?", 1, 2)
	flush("prepared exec", err)
	_, err = db.Exec("insert ?", 1, 2)
	flush("too many", err)
	_, err = db.Exec("syntax")
	flush("syntax", err)
	flush("query", read(db.Query("direct ?", 5)))
	flush("prepared query", read(db.Query("select ?", 5)))
	flush("sets", read(db.Query("select sets")))
	flush("middle", read(db.Query("select middle")))
	flush("closeerr", read(db.Query("select closeerr")))
	flush("scanner", read(db.Query("direct scanner")))
	flush("query fail", read(db.Query("select ?", make(chan string))))
	fmt.Println(stats(db))

	// Rows.
	rs, err := db.Query("direct")
	fmt.Println(rs.Scan(new(int), new(string)), rs.Next(), rs.Scan(new(int)))
	cols, err := rs.Columns()
	fmt.Println(cols, err)
	types, err := rs.ColumnTypes()
	for _, t := range types {
		l, lok := t.Length()
		p, s, pok := t.DecimalSize()
		nl, nok := t.Nullable()
		fmt.Println(t.Name(), t.DatabaseTypeName(), t.ScanType(), l, lok, p, s, pok, nl, nok)
	}
	var raw sql.RawBytes
	fmt.Println(rs.Scan(new(int), &raw), string(raw))
	fmt.Println(rs.Scan(new(int), &raw))
	fmt.Println(rs.Next(), string(raw), rs.Scan(new(bool), &raw))
	fmt.Println(rs.Close(), rs.Close(), rs.Next(), rs.Err(), rs.Scan(new(int), &raw))
	_, err = rs.Columns()
	fmt.Println(err)
	flush("rows")
	var one int
	var text string
	flush("row", db.QueryRow("direct").Scan(&one, &text), one, text)
	flush("row none", db.QueryRow("direct none").Scan(&one, &text))
	flush("row raw", db.QueryRow("direct").Scan(&one, &raw))
	flush("row error", db.QueryRow("syntax").Scan(&one), db.QueryRow("syntax").Err())
	flush("row closeerr", db.QueryRow("direct closeerr").Scan(&one, &text))

	// Statements.
	st, err := db.Prepare("select ?")
	flush("prepare", err)
	flush("stmt query", read(st.Query(1)))
	_, err = st.Exec(2)
	flush("stmt exec", err)
	_, err = st.Exec()
	flush("stmt exec", err)
	held, _ := st.Query(3)
	flush("stmt, second connection", read(st.Query(4)))
	flush("close while in use", st.Close())
	flush("rows close", held.Close())
	_, err = st.Query(1)
	flush("closed", err, st.Close(), st.QueryRow(1).Scan(&one))
	_, err = db.Prepare("syntax")
	flush("bad prepare", err)

	// Transactions.
	t, err := db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelSerializable,
		ReadOnly: true})
	flush("begin", err)
	_, err = t.Exec("direct in tx")
	flush("tx exec", err, read(t.Query("direct")), t.QueryRow("select").Scan(&one, &text))
	st, _ = t.Prepare("select in tx")
	flush("tx prepare", read(st.Query()))
	flush("commit", t.Commit())
	_, err = st.Query()
	flush("after commit", err, t.Commit(), t.Rollback())
	_, err = t.Exec("direct")
	flush("after commit", err)
	outer, _ := db.Prepare("insert ?")
	t, _ = db.Begin()
	inner := t.Stmt(outer)
	_, err = inner.Exec(1)
	_, err2 := t.Stmt(outer).Exec(2)
	flush("tx stmt", err, err2)
	other, _ := sql.Open("plain", "")
	foreign, _ := other.Prepare("x")
	_, err = t.Stmt(foreign).Exec()
	flush("foreign stmt", err)
	flush("rollback", t.Rollback(), t.Rollback())
	_, err = t.Stmt(outer).Exec(1)
	flush("after rollback", err)
	flush("close", outer.Close())
	t, _ = db.Begin()
	rs, _ = t.Query("direct")
	rs.Next()
	trace.mute = true
	fmt.Println(t.Commit(), eventually(func() bool { return !rs.Next() }), rs.Err())
	trace.mute = false

	// Contexts.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = db.QueryContext(ctx, "direct")
	flush("canceled", err, db.PingContext(ctx))
	ctx, cancel = context.WithCancel(context.Background())
	rs, err = db.QueryContext(ctx, "direct")
	fmt.Println(rs.Next(), err)
	cancel()
	fmt.Println(eventually(func() bool { return rs.Err() != nil }), rs.Err(), rs.Next())
	eventually(func() bool { return db.Stats().InUse == 0 })
	flush("canceled rows")
	ctx, cancel = context.WithCancel(context.Background())
	t, err = db.BeginTx(ctx, nil)
	cancel()
	eventually(func() bool { return db.Stats().InUse == 0 })
	flush("canceled tx", err, t.Commit())
	ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
	flush("with timeout", read(db.QueryContext(ctx, "direct")))
	cancel()

	// One connection.
	c, err := db.Conn(context.Background())
	flush("conn", err, c.PingContext(context.Background()))
	bg := context.Background()
	_, err = c.ExecContext(bg, "direct")
	flush("conn exec", err, read(c.QueryContext(bg, "direct")))
	flush("raw", c.Raw(func(dc any) error { fmt.Printf("%T\n", dc); return errors.New("mine") }))
	ct, err := c.BeginTx(bg, nil)
	flush("conn tx", err, ct.Rollback())
	cs, err := c.PrepareContext(bg, "select")
	flush("conn prepare", err, read(cs.Query()), cs.Close())
	flush("conn close", c.Close(), c.Close(), c.PingContext(bg))
	c, _ = db.Conn(bg)
	func() {
		defer func() { flush("raw panics", recover()) }()
		c.Raw(func(any) error { panic("in raw") })
	}()
	flush("conn after panic", c.PingContext(bg), c.Close())

	// The pool.
	db.SetMaxOpenConns(2)
	db.SetMaxIdleConns(5)
	fmt.Println(stats(db))
	a, _ := db.Conn(bg)
	b, _ := db.Conn(bg)
	ctx, cancel = context.WithTimeout(bg, 100*time.Millisecond)
	flush("full", db.PingContext(ctx))
	cancel()
	got := make(chan error)
	go func() { got <- db.PingContext(bg) }()
	eventually(func() bool { return db.Stats().WaitCount == 2 })
	a.Close()
	fmt.Println(<-got, stats(db))
	go func() { got <- db.PingContext(bg) }()
	<-got
	b.Close()
	trace.lines = nil
	var wg sync.WaitGroup
	trace.mute = true
	for range 50 {
		wg.Go(func() {
			if s := read(db.Query("direct")); s != "[1 raw1 2 raw2 3 raw3] <nil>" {
				fmt.Println(s)
			}
		})
	}
	wg.Wait()
	trace.mute = false
	fmt.Println(db.Stats().OpenConnections <= 2, db.Stats().InUse)
	db.SetMaxIdleConns(0)
	fmt.Println(db.Stats().Idle, db.Stats().OpenConnections)
	db.SetMaxIdleConns(2)
	db.SetMaxOpenConns(0)
	trace.lines = nil
	full.n = 100
	db.Ping()
	flush("fresh")
	full.bad = 2
	_, err = db.Exec("bad")
	flush("two bad", err)
	full.bad = 3
	_, err = db.Exec("bad")
	flush("three bad", err)
	full.fail = errors.New("no more connections")
	a, err = db.Conn(bg)
	flush("cannot open", err)
	full.fail = nil
	db.SetConnMaxLifetime(time.Nanosecond)
	time.Sleep(time.Millisecond)
	flush("expired", db.Ping(), db.Stats().MaxLifetimeClosed > 0)
	db.SetConnMaxLifetime(0)
	db.SetConnMaxIdleTime(time.Hour)
	db.SetConnMaxIdleTime(-1)
	c, _ = db.Conn(bg)
	trace.lines = nil
	db.Ping()
	flush("close", db.Close(), db.Close(), db.Ping())
	flush("conn of closed", c.Close())

	// A driver without anything optional.
	p := other
	flush("plain ping", p.Ping())
	_, err = p.Exec("insert ?", sql.Named("x", 1))
	flush("plain named", err)
	_, err = p.BeginTx(bg, &sql.TxOptions{Isolation: sql.LevelSnapshot})
	_, err2 = p.BeginTx(bg, &sql.TxOptions{ReadOnly: true})
	flush("plain options", err, err2)
	t, err = p.Begin()
	_, err2 = t.Exec("insert fail")
	flush("plain tx", err, err2, t.Rollback())
	ctx, cancel = context.WithCancel(bg)
	t, err = p.BeginTx(ctx, nil)
	cancel()
	eventually(func() bool { return p.Stats().OpenConnections == 0 })
	flush("plain canceled tx: the connection goes", err)
	flush("plain query", read(p.Query("select ?", 1)), read(p.Query("select fail")))
	flush("plain close", p.Close(), stats(p))
}
