package sql

// Rows. Their gate is held by who reads them, and closed by who closes them, which may be a context
// at any time. move is how they come to another row or set of results, shut is their end.

import (
	"context"
	"database/sql/driver"
	"database/sql/internal"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"sync/atomic"
)

// Rows hold the lease of the connection that they are read from.
type Rows struct {
	lease lease
	rows  driver.Rows
	ended atomic.Pointer[error] // of the context that closes them

	gate   gate
	err    error
	closed bool
	atEnd  []func() // called when they are closed, the last one first

	lent bool // the gate is held, since RawBytes were scanned
	read bool // to the end, by Next
	row  []driver.Value
	on   bool   // Next was called in this set of results
	raw  []byte // what RawBytes are made of that are not the driver's
}

// endWith has the rows closed when one of the contexts ends; the second may be nil.
func (rs *Rows) endWith(ctx, other context.Context) {
	rs.gate.close()
	defer rs.gate.open()
	for _, c := range [...]context.Context{ctx, other} {
		if c == nil || c.Done() == nil {
			continue
		}
		stop := context.AfterFunc(c, func() {
			err := c.Err()
			rs.ended.Store(&err)
			rs.shut(ctx.Err())
		})
		rs.atEnd = append(rs.atEnd, func() { stop() })
	}
}

// failed is the error that the rows ended with, or else err.
func (rs *Rows) failed(err error) error {
	if rs.err == nil || rs.err == io.EOF {
		return err
	}
	return rs.err
}

// hold enters the gate for as long as f runs.
func (rs *Rows) hold(f func() error) error {
	rs.gate.enter()
	defer rs.gate.leave()
	return f()
}

// takeBack ends the time of RawBytes.
func (rs *Rows) takeBack() {
	if rs.lent {
		rs.lent = false
		rs.gate.leave()
	}
}

// move has the driver move on, by step. Whether it did is moved; whether there is more to come, if
// not, is what step says: without that the rows are closed.
func (rs *Rows) move(step func(*Rows) (more bool)) (moved bool) {
	stay, moved := rs.locked(step)
	if !stay {
		rs.Close()
	}
	return moved
}

func (rs *Rows) locked(step func(*Rows) (more bool)) (stay, moved bool) {
	rs.gate.enter()
	defer rs.gate.leave()
	if rs.closed {
		return true, false
	}
	rs.lease.c.Lock()
	defer rs.lease.c.Unlock()
	stay = step(rs)
	return stay, stay && rs.err == nil
}

func (rs *Rows) Next() bool {
	rs.takeBack()
	return rs.ended.Load() == nil && rs.move((*Rows).nextRow)
}

func (rs *Rows) NextResultSet() bool {
	rs.takeBack()
	return rs.move((*Rows).nextSet)
}

func (rs *Rows) nextRow() (more bool) {
	if !rs.on {
		rs.on = true
		rs.row = make([]driver.Value, len(rs.rows.Columns()))
	}
	if s, ok := rs.rows.(driver.RowsColumnScanner); ok {
		rs.err = s.NextRow()
	} else {
		rs.err = rs.rows.Next(rs.row)
	}
	more = rs.err == nil
	if rs.err == io.EOF {
		sets, ok := rs.rows.(driver.RowsNextResultSet)
		more = ok && sets.HasNextResultSet()
	}
	rs.read = !more
	return more
}

func (rs *Rows) nextSet() (more bool) {
	rs.on = false
	with(rs.rows, func(s driver.RowsNextResultSet) {
		rs.err = s.NextResultSet()
		more = rs.err == nil
	})
	return more
}

func (rs *Rows) Err() error {
	if err := rs.ended.Load(); err != nil && !rs.read {
		return *err
	}
	return rs.hold(func() error { return rs.failed(nil) })
}

func (rs *Rows) Close() error {
	rs.takeBack()
	return rs.shut(nil)
}

// shut closes the rows, whose error is err if they have none of their own, and ends their lease.
func (rs *Rows) shut(err error) error {
	rs.gate.close()
	defer rs.gate.open()
	if rs.closed {
		return nil
	}
	rs.closed = true
	if rs.err == nil {
		rs.err = err
	}
	err = rs.release()
	rs.err = rs.failed(err)
	return err
}

// release closes the driver's rows, and gives back what was taken for them.
func (rs *Rows) release() (err error) {
	rs.lease.c.locked(func() { err = rs.rows.Close() })
	for _, f := range slices.Backward(rs.atEnd) {
		f()
	}
	rs.lease.end(err)
	return err
}

// describe calls f with the driver locked, if the rows are open.
func (rs *Rows) describe(f func()) error {
	return rs.hold(func() error {
		switch {
		case rs.closed:
			return rs.failed(errRowsClosed)
		case rs.rows == nil:
			return rs.failed(errors.New("sql: no Rows available"))
		}
		rs.lease.c.locked(f)
		return nil
	})
}

func (rs *Rows) Columns() (columns []string, err error) {
	err = rs.describe(func() { columns = rs.rows.Columns() })
	return columns, err
}

func (rs *Rows) ColumnTypes() (types []*ColumnType, err error) {
	err = rs.describe(func() {
		types = []*ColumnType{}
		for i, name := range rs.rows.Columns() {
			types = append(types, columnType(rs.rows, i, name))
		}
	})
	return types, err
}

// A ColumnType is what the driver knows of a column.
type ColumnType struct {
	name     string
	dbType   string
	goType   reflect.Type
	nullable known[bool]
	length   known[int64]
	decimal  known[[2]int64] // precision and scale
}

// known is a value that a driver may not know.
type known[T any] struct {
	value T
	ok    bool
}

func (t *ColumnType) Name() string { return t.name }

func (t *ColumnType) DatabaseTypeName() string { return t.dbType }

func (t *ColumnType) ScanType() reflect.Type { return t.goType }

func (t *ColumnType) Nullable() (nullable, ok bool) { return t.nullable.value, t.nullable.ok }

func (t *ColumnType) Length() (length int64, ok bool) { return t.length.value, t.length.ok }

func (t *ColumnType) DecimalSize() (precision, scale int64, ok bool) {
	return t.decimal.value[0], t.decimal.value[1], t.decimal.ok
}

func columnType(rows driver.Rows, i int, name string) *ColumnType {
	t := &ColumnType{name: name, goType: reflect.TypeFor[any]()}
	with(rows, func(r driver.RowsColumnTypeScanType) { t.goType = r.ColumnTypeScanType(i) })
	with(rows, func(r driver.RowsColumnTypeDatabaseTypeName) {
		t.dbType = r.ColumnTypeDatabaseTypeName(i)
	})
	with(rows, func(r driver.RowsColumnTypeLength) {
		t.length.value, t.length.ok = r.ColumnTypeLength(i)
	})
	with(rows, func(r driver.RowsColumnTypeNullable) {
		t.nullable.value, t.nullable.ok = r.ColumnTypeNullable(i)
	})
	with(rows, func(r driver.RowsColumnTypePrecisionScale) {
		d := &t.decimal
		d.value[0], d.value[1], d.ok = r.ColumnTypePrecisionScale(i)
	})
	return t
}

func (rs *Rows) Scan(dest ...any) error {
	if rs.lent {
		return errors.New("sql: Scan called without calling Next (closemuScanHold)")
	}
	rs.gate.enter()
	i, err := rs.scan(dest)
	if i >= 0 && err != nil {
		err = fmt.Errorf("sql: Scan error on column index %d, name %q: %w",
			i, rs.rows.Columns()[i], err)
	}
	if rs.lent = err == nil && wantsRaw(dest); !rs.lent {
		rs.gate.leave()
	}
	return err
}

// scan scans the row. An error is that of column i, or of none if that is -1.
func (rs *Rows) scan(dest []any) (i int, err error) {
	if err := rs.scannable(len(dest)); err != nil {
		return -1, err
	}
	rs.raw = rs.raw[:0]
	if own, ok := rs.rows.(driver.RowsColumnScanner); ok {
		rs.lease.c.Lock()
		defer rs.lease.c.Unlock()
		of := driver.ScanContext(internal.NewScanContext(rs))
		for ; i < len(dest) && err == nil; i++ {
			err = own.ScanColumn(of, i, dest[i])
		}
		return i - 1, err
	}
	for ; i < len(dest) && err == nil; i++ {
		err = assign(dest[i], rs.row[i], rs)
	}
	return i - 1, err
}

// scannable says why there is no row for n destinations, if there is none.
func (rs *Rows) scannable(n int) error {
	if err := rs.failed(nil); err != nil {
		return err
	}
	switch {
	case rs.closed:
		return errRowsClosed
	case !rs.on:
		return errors.New("sql: Scan called without calling Next")
	case n != len(rs.row):
		return fmt.Errorf("sql: expected %d destination arguments in Scan, not %d",
			len(rs.row), n)
	}
	return nil
}

func wantsRaw(dest []any) bool {
	return slices.ContainsFunc(dest, func(d any) bool {
		_, raw := d.(*RawBytes)
		return raw
	})
}

// A Row is what the first row of some rows will be, or why there is none.
type Row struct {
	err  error
	rows *Rows
}

func (r *Row) Scan(dest ...any) (err error) {
	if r.err != nil {
		return r.err
	}
	defer func() {
		if e := r.rows.Close(); err == nil {
			err = e
		}
	}()
	switch {
	case wantsRaw(dest):
		return errors.New("sql: RawBytes isn't allowed on Row.Scan")
	case r.rows.Next():
		return r.rows.Scan(dest...)
	}
	if err = r.rows.Err(); err == nil {
		err = ErrNoRows
	}
	return err
}

func (r *Row) Err() error { return r.err }
