// Package sql: databases behind drivers, with a pool of connections for each.
//
// A DB is a pool (pool.go). A call on a DB, a Conn, a Tx (tx.go) or a Stmt (stmt.go) leases a
// connection from it, is tried again on others if the driver says that one is bad, and gives it
// back (call.go); Rows (rows.go) and a Tx keep their lease until they end. Values are converted on
// their way to the driver and back (convert.go). This file holds what is not about connections.
//
// Locks are taken in this order: the gate of a Conn, Tx, Stmt or Rows, Stmt.mu, DB.mu, and last a
// connection's, which is held while its driver is called.
package sql

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

var (
	ErrNoRows   = errors.New("sql: no rows in result set")
	ErrConnDone = errors.New("sql: connection is already closed")
	ErrTxDone   = errors.New("sql: transaction has already been committed or rolled back")

	errClosed     = errors.New("sql: database is closed")
	errRowsClosed = errors.New("sql: Rows are closed")
)

// registered holds the drivers by name.
var registered sync.Map

func Register(name string, driver driver.Driver) {
	if driver == nil {
		panic("sql: Register driver is nil")
	}
	if _, twice := registered.LoadOrStore(name, driver); twice {
		panic("sql: Register called twice for driver " + name)
	}
}

func Drivers() []string {
	names := []string(nil)
	for name := range registered.Range {
		names = append(names, name.(string))
	}
	slices.Sort(names)
	return names
}

func Open(driverName, dataSourceName string) (*DB, error) {
	found, ok := registered.Load(driverName)
	if !ok {
		return nil, fmt.Errorf("sql: unknown driver %q (forgotten import?)", driverName)
	}
	d := found.(driver.Driver)
	var c driver.Connector = byName{d, dataSourceName}
	var err error
	with(d, func(d driver.DriverContext) { c, err = d.OpenConnector(dataSourceName) })
	if err != nil {
		return nil, err
	}
	return OpenDB(c), nil
}

type NamedArg struct {
	_NamedFieldsRequired struct{}

	Name  string
	Value any
}

func Named(name string, value any) NamedArg { return NamedArg{Name: name, Value: value} }

type Out struct {
	_NamedFieldsRequired struct{}

	Dest any
	In   bool
}

type IsolationLevel int

const (
	LevelDefault IsolationLevel = iota
	LevelReadUncommitted
	LevelReadCommitted
	LevelWriteCommitted
	LevelRepeatableRead
	LevelSnapshot
	LevelSerializable
	LevelLinearizable
)

var levels = [...]string{
	"Default", "Read Uncommitted", "Read Committed", "Write Committed", "Repeatable Read",
	"Snapshot", "Serializable", "Linearizable",
}

func (i IsolationLevel) String() string {
	if i < 0 || int(i) >= len(levels) {
		return "IsolationLevel(" + strconv.Itoa(int(i)) + ")"
	}
	return levels[i]
}

type TxOptions struct {
	Isolation IsolationLevel
	ReadOnly  bool
}

type Scanner interface {
	Scan(src any) error
}

type Result interface {
	LastInsertId() (int64, error)
	RowsAffected() (int64, error)
}

// RawBytes are the driver's own, until the next call of Next, Scan or Close.
type RawBytes []byte

// scan puts src into v, unless it is nil.
func scan[T any](v *T, valid *bool, src any) error {
	if src == nil {
		var zero T
		*v, *valid = zero, false
		return nil
	}
	err := assign(v, src, nil)
	*valid = err == nil
	return err
}

// orNil is v if that is valid.
func orNil(v any, valid bool) (driver.Value, error) {
	if !valid {
		return nil, nil
	}
	return v, nil
}

type NullString struct {
	String string
	Valid  bool
}

func (n *NullString) Scan(value any) error { return scan(&n.String, &n.Valid, value) }

func (n NullString) Value() (driver.Value, error) { return orNil(n.String, n.Valid) }

type NullInt64 struct {
	Int64 int64
	Valid bool
}

func (n *NullInt64) Scan(value any) error { return scan(&n.Int64, &n.Valid, value) }

func (n NullInt64) Value() (driver.Value, error) { return orNil(n.Int64, n.Valid) }

type NullInt32 struct {
	Int32 int32
	Valid bool
}

func (n *NullInt32) Scan(value any) error { return scan(&n.Int32, &n.Valid, value) }

func (n NullInt32) Value() (driver.Value, error) { return orNil(int64(n.Int32), n.Valid) }

type NullInt16 struct {
	Int16 int16
	Valid bool
}

func (n *NullInt16) Scan(value any) error { return scan(&n.Int16, &n.Valid, value) }

func (n NullInt16) Value() (driver.Value, error) { return orNil(int64(n.Int16), n.Valid) }

type NullByte struct {
	Byte  byte
	Valid bool
}

func (n *NullByte) Scan(value any) error { return scan(&n.Byte, &n.Valid, value) }

func (n NullByte) Value() (driver.Value, error) { return orNil(int64(n.Byte), n.Valid) }

type NullFloat64 struct {
	Float64 float64
	Valid   bool
}

func (n *NullFloat64) Scan(value any) error { return scan(&n.Float64, &n.Valid, value) }

func (n NullFloat64) Value() (driver.Value, error) { return orNil(n.Float64, n.Valid) }

type NullBool struct {
	Bool  bool
	Valid bool
}

func (n *NullBool) Scan(value any) error { return scan(&n.Bool, &n.Valid, value) }

func (n NullBool) Value() (driver.Value, error) { return orNil(n.Bool, n.Valid) }

type NullTime struct {
	Time  time.Time
	Valid bool
}

func (n *NullTime) Scan(value any) error { return scan(&n.Time, &n.Valid, value) }

func (n NullTime) Value() (driver.Value, error) { return orNil(n.Time, n.Valid) }

type Null[T any] struct {
	V     T
	Valid bool
}

func (n *Null[T]) Scan(value any) error { return scan(&n.V, &n.Valid, value) }

func (n Null[T]) Value() (driver.Value, error) {
	v, err := orNil(n.V, n.Valid)
	if v, err = unwrap(v); err != nil {
		return v, err
	}
	return driver.DefaultParameterConverter.ConvertValue(v)
}

// A gate is held by those who use something, and closed by who ends it. Users do not wait for a
// closer that waits for others of them: they may hold it more than once.
type gate struct {
	mu     sync.Mutex
	moved  *sync.Cond
	users  int
	closer bool // it is closed
	queue  int  // closers that wait
}

// wait sleeps until something has changed.
func (g *gate) wait() {
	if g.moved == nil {
		g.moved = sync.NewCond(&g.mu)
	}
	g.moved.Wait()
}

func (g *gate) wake() {
	if g.moved != nil {
		g.moved.Broadcast()
	}
}

func (g *gate) enter() {
	g.mu.Lock()
	for g.closer || g.queue > 0 && g.users == 0 {
		g.wait()
	}
	g.users++
	g.mu.Unlock()
}

func (g *gate) leave() {
	g.mu.Lock()
	g.users--
	if g.users == 0 {
		g.wake()
	}
	g.mu.Unlock()
}

func (g *gate) close() {
	g.mu.Lock()
	g.queue++
	for g.closer || g.users > 0 {
		g.wait()
	}
	g.queue--
	g.closer = true
	g.mu.Unlock()
}

func (g *gate) open() {
	g.mu.Lock()
	g.closer = false
	g.wake()
	g.mu.Unlock()
}

func bad(err error) bool { return errors.Is(err, driver.ErrBadConn) }
