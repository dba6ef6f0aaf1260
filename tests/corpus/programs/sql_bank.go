// run

// Accounts in a database whose driver, with a small query language, is part of the program.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// The engine: tables of rows, each a map; a transaction works on a copy.
type table struct {
	columns []string
	rows    [][]driver.Value
	nextID  int64
}

type engine struct {
	mu     sync.Mutex
	tables map[string]*table
}

func (e *engine) clone() map[string]*table {
	c := map[string]*table{}
	for name, t := range e.tables {
		n := *t
		n.rows = nil
		for _, r := range t.rows {
			n.rows = append(n.rows, slices.Clone(r))
		}
		c[name] = &n
	}
	return c
}

type memDriver struct {
	mu   sync.Mutex
	dbs  map[string]*engine
	open int
}

func (d *memDriver) Open(name string) (driver.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.dbs[name]
	if e == nil {
		e = &engine{tables: map[string]*table{}}
		d.dbs[name] = e
	}
	d.open++
	return &conn{d: d, e: e}, nil
}

type conn struct {
	d     *memDriver
	e     *engine
	saved map[string]*table // what a rollback brings back
}

func (c *conn) Prepare(q string) (driver.Stmt, error) {
	for _, s := range statements {
		if m := s.re.FindStringSubmatch(strings.TrimSpace(q)); m != nil {
			return &stmt{c, m, s.run, strings.Count(q, "?")}, nil
		}
	}
	return nil, fmt.Errorf("syntax error in %q", q)
}

func (c *conn) Close() error { c.d.mu.Lock(); defer c.d.mu.Unlock(); c.d.open--; return nil }

func (c *conn) Begin() (driver.Tx, error) {
	c.e.mu.Lock() // one transaction at a time
	c.saved = c.e.clone()
	return c, nil
}

func (c *conn) Commit() error { c.saved = nil; c.e.mu.Unlock(); return nil }

func (c *conn) Rollback() error {
	c.e.tables, c.saved = c.saved, nil
	c.e.mu.Unlock()
	return nil
}

type stmt struct {
	c      *conn
	m      []string
	run    func(c *conn, m []string, args []driver.Value) (*result, error)
	inputs int
}

func (s *stmt) Close() error  { return nil }
func (s *stmt) NumInput() int { return s.inputs }
func (s *stmt) do(args []driver.Value) (*result, error) {
	if s.c.saved == nil {
		s.c.e.mu.Lock()
		defer s.c.e.mu.Unlock()
	}
	return s.run(s.c, s.m, args)
}
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	r, err := s.do(args)
	if err != nil {
		return nil, err
	}
	return r, nil
}
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	r, err := s.do(args)
	if err != nil {
		return nil, err
	}
	return r, nil
}

type result struct {
	columns []string
	rows    [][]driver.Value
	id, n   int64
}

func (r *result) LastInsertId() (int64, error) { return r.id, nil }
func (r *result) RowsAffected() (int64, error) { return r.n, nil }
func (r *result) Columns() []string            { return r.columns }
func (r *result) Close() error                 { return nil }
func (r *result) Next(dest []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	copy(dest, r.rows[0])
	r.rows = r.rows[1:]
	return nil
}

var statements = []struct {
	re  *regexp.Regexp
	run func(c *conn, m []string, args []driver.Value) (*result, error)
}{
	{regexp.MustCompile(`(?i)^create table (\w+) \(([\w, ]+)\)$`), create},
	{regexp.MustCompile(`(?i)^insert into (\w+) values \(([?, ]+)\)$`), insert},
	{regexp.MustCompile(`(?i)^select ([\w, *()]+) from (\w+)(?: where (\w+) = \?)?(?: order by (\w+))?$`), query},
	{regexp.MustCompile(`(?i)^update (\w+) set (\w+) = \w+ \+ \? where (\w+) = \?$`), update},
}

func (c *conn) table(name string) (*table, error) {
	if t := c.e.tables[name]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("no table %s", name)
}

func create(c *conn, m []string, _ []driver.Value) (*result, error) {
	if c.e.tables[m[1]] != nil {
		return nil, fmt.Errorf("table %s exists", m[1])
	}
	c.e.tables[m[1]] = &table{columns: strings.Split(strings.ReplaceAll(m[2], " ", ""), ",")}
	return &result{}, nil
}

func insert(c *conn, m []string, args []driver.Value) (*result, error) {
	t, err := c.table(m[1])
	if err != nil {
		return nil, err
	}
	if len(args) != len(t.columns)-1 {
		return nil, fmt.Errorf("%d values for %d columns", len(args), len(t.columns)-1)
	}
	t.nextID++
	t.rows = append(t.rows, append([]driver.Value{t.nextID}, args...))
	return &result{id: t.nextID, n: 1}, nil
}

func query(c *conn, m []string, args []driver.Value) (*result, error) {
	t, err := c.table(m[2])
	if err != nil {
		return nil, err
	}
	r := &result{columns: strings.Split(strings.ReplaceAll(m[1], " ", ""), ",")}
	if m[1] == "*" {
		r.columns = t.columns
	}
	for _, row := range t.rows {
		if m[3] == "" || row[slices.Index(t.columns, m[3])] == args[0] {
			r.rows = append(r.rows, row)
		}
	}
	if m[4] != "" {
		i := slices.Index(t.columns, m[4])
		slices.SortStableFunc(r.rows, func(a, b []driver.Value) int {
			return strings.Compare(fmt.Sprint(a[i]), fmt.Sprint(b[i]))
		})
	}
	if m[1] == "count(*)" {
		r.rows = [][]driver.Value{{int64(len(r.rows))}}
		return r, nil
	}
	for k, row := range r.rows {
		var out []driver.Value
		for _, name := range r.columns {
			i := slices.Index(t.columns, name)
			if i < 0 {
				return nil, fmt.Errorf("no column %s", name)
			}
			out = append(out, row[i])
		}
		r.rows[k] = out
	}
	return r, nil
}

func update(c *conn, m []string, args []driver.Value) (*result, error) {
	t, err := c.table(m[1])
	if err != nil {
		return nil, err
	}
	r := &result{}
	col, key := slices.Index(t.columns, m[2]), slices.Index(t.columns, m[3])
	for _, row := range t.rows {
		if row[key] == args[1] {
			row[col] = row[col].(int64) + args[0].(int64)
			r.n++
		}
	}
	return r, nil
}

var errFunds = errors.New("insufficient funds")

func transfer(ctx context.Context, db *sql.DB, from, to string, amount int64) (err error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tx.Rollback())
		}
	}()
	for _, step := range []struct {
		owner string
		delta int64
	}{{from, -amount}, {to, amount}} {
		res, err := tx.Exec("update accounts set balance = balance + ? where owner = ?", step.delta,
			step.owner)
		if err != nil {
			return err
		}
		if n, _ := res.RowsAffected(); n != 1 {
			return fmt.Errorf("no account of %s", step.owner)
		}
	}
	var balance int64
	if err := tx.QueryRow("select balance from accounts where owner = ?",
		from).Scan(&balance); err != nil {
		return err
	}
	if balance < 0 {
		return errFunds
	}
	return tx.Commit()
}

func main() {
	d := &memDriver{dbs: map[string]*engine{}}
	sql.Register("mem", d)
	db, err := sql.Open("mem", "bank")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(4)
	_, err = db.Exec("create table accounts (id, owner, balance, note)")
	fmt.Println(err)
	_, err = db.Exec("create table accounts (id)")
	fmt.Println(err)
	ins, err := db.Prepare("insert into accounts values (?, ?, ?)")
	fmt.Println(err)
	for i, owner := range []string{"ann", "bob", "cy"} {
		res, err := ins.Exec(owner, 100*(i+1), sql.NullString{String: "vip", Valid: i == 1})
		id, _ := res.LastInsertId()
		fmt.Println(id, err)
	}
	ins.Close()
	_, err = db.Exec("insert into accounts values (?)", 1)
	fmt.Println(err)
	_, err = db.Exec("drop everything")
	fmt.Println(err)
	ctx := context.Background()
	fmt.Println(transfer(ctx, db, "ann", "bob", 30))
	fmt.Println(transfer(ctx, db, "ann", "bob", 300), errors.Is(transfer(ctx, db, "ann", "cy", 71),
		errFunds))
	fmt.Println(transfer(ctx, db, "ann", "zoe", 1))
	show := func() {
		rows, err := db.Query("select * from accounts order by owner")
		if err != nil {
			fmt.Println(err)
			return
		}
		defer rows.Close()
		names, _ := rows.Columns()
		fmt.Println(names)
		for rows.Next() {
			var id, balance int
			var owner string
			var note sql.NullString
			fmt.Println(rows.Scan(&id, &owner, &balance, &note), id, owner, balance, note)
		}
		fmt.Println(rows.Err())
	}
	show()
	var wg sync.WaitGroup
	owners := []string{"ann", "bob", "cy"}
	refused := make(chan error, 100)
	for i := range 60 {
		wg.Go(func() {
			if err := transfer(ctx, db, owners[i%3], owners[(i+1)%3], int64(i%7)); err != nil {
				refused <- err
			}
		})
	}
	wg.Wait()
	fmt.Println(len(refused))
	var total int64
	byOwner := map[string]int64{}
	rows, _ := db.Query("select owner, balance from accounts")
	for rows.Next() {
		var o string
		var b int64
		rows.Scan(&o, &b)
		byOwner[o] = b
		total += b
	}
	fmt.Println(total, slices.Sorted(maps.Keys(byOwner)))
	var n int
	fmt.Println(db.QueryRow("select count(*) from accounts").Scan(&n), n)
	fmt.Println(db.QueryRow("select balance from accounts where owner = ?", "nobody").Scan(&n))
	var b bool
	fmt.Println(db.QueryRow("select balance from accounts where owner = ?", "bob").Scan(&b) != nil)
	s := db.Stats()
	fmt.Println(s.MaxOpenConnections, s.InUse, s.OpenConnections <= 4)
	fmt.Println(db.Close(), d.open, strconv.Itoa(len(d.dbs)))
}
