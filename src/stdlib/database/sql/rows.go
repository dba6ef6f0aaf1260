package sql

import (
	"context"
	"database/sql/driver"
	"database/sql/internal"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync/atomic"
)

type Rows struct {
	c       *conn
	release func(error)
	rows    driver.Rows
	cancel  func()    // called when they are closed
	stmt    *prepared // closed with them

	ended atomic.Pointer[error] // of the context that closes them

	gate   gate
	err    error
	closed bool

	lent   bool // the gate is held, since RawBytes were scanned
	atEnd  bool
	called bool // Next, in this set of results
	row    []driver.Value
	width  int
	raw    []byte // what RawBytes are made of that are not the driver's
}

// until has the rows closed when one of the contexts ends.
func (rs *Rows) until(ctx, txctx context.Context) {
	end := func(c context.Context) func() bool {
		return context.AfterFunc(c, func() {
			err := c.Err()
			rs.ended.Store(&err)
			rs.close(ctx.Err())
		})
	}
	var stop, stopTx func() bool
	if ctx.Done() != nil {
		stop = end(ctx)
	}
	if txctx != nil && txctx.Done() != nil {
		stopTx = end(txctx)
	}
	if stop == nil && stopTx == nil {
		return
	}
	rs.cancelWith(func() {
		if stop != nil {
			stop()
		}
		if stopTx != nil {
			stopTx()
		}
	})
}

// cancelWith sets what is called at the end; a context may end them at any time.
func (rs *Rows) cancelWith(f func()) {
	rs.gate.close()
	defer rs.gate.open()
	if rs.closed {
		f()
		return
	}
	rs.cancel = f
}

// failed is the error that the rows ended with, or else err.
func (rs *Rows) failed(err error) error {
	if rs.err != nil && rs.err != io.EOF {
		return rs.err
	}
	return err
}

// takeBack ends the time of RawBytes.
func (rs *Rows) takeBack() {
	if rs.lent {
		rs.lent = false
		rs.gate.leave()
	}
}

func (rs *Rows) Next() bool {
	rs.takeBack()
	if rs.ended.Load() != nil {
		return false
	}
	last, ok := rs.next()
	if last {
		rs.Close()
		rs.atEnd = true
	}
	return ok
}

// next reads a row; last says that the rows shall be closed.
func (rs *Rows) next() (last, ok bool) {
	rs.gate.enter()
	defer rs.gate.leave()
	if rs.closed {
		return false, false
	}
	rs.c.Lock()
	defer rs.c.Unlock()
	if !rs.called {
		rs.called = true
		rs.width = len(rs.rows.Columns())
	}
	if s, ok := rs.rows.(driver.RowsColumnScanner); ok {
		rs.err = s.NextRow()
	} else {
		if rs.row == nil {
			rs.row = make([]driver.Value, rs.width)
		}
		rs.err = rs.rows.Next(rs.row)
	}
	if rs.err == nil {
		return false, true
	}
	if rs.err != io.EOF {
		return true, false
	}
	sets, ok := rs.rows.(driver.RowsNextResultSet)
	return !ok || !sets.HasNextResultSet(), false
}

func (rs *Rows) NextResultSet() bool {
	rs.takeBack()
	last, ok := rs.nextSet()
	if last {
		rs.Close()
	}
	return ok
}

func (rs *Rows) nextSet() (last, ok bool) {
	rs.gate.enter()
	defer rs.gate.leave()
	if rs.closed {
		return false, false
	}
	rs.called = false
	rs.row = nil
	sets, ok := rs.rows.(driver.RowsNextResultSet)
	if !ok {
		return true, false
	}
	rs.c.Lock()
	defer rs.c.Unlock()
	rs.err = sets.NextResultSet()
	return rs.err != nil, rs.err == nil
}

func (rs *Rows) Err() error {
	if !rs.atEnd {
		if err := rs.ended.Load(); err != nil {
			return *err
		}
	}
	rs.gate.enter()
	defer rs.gate.leave()
	return rs.failed(nil)
}

func (rs *Rows) Close() error {
	rs.takeBack()
	return rs.close(nil)
}

func (rs *Rows) close(err error) error {
	rs.gate.close()
	defer rs.gate.open()
	if rs.closed {
		return nil
	}
	rs.closed = true
	if rs.err == nil {
		rs.err = err
	}
	rs.c.locked(func() { err = rs.rows.Close() })
	if rs.cancel != nil {
		rs.cancel()
	}
	if rs.stmt != nil {
		rs.stmt.close()
	}
	rs.release(err)
	rs.err = rs.failed(err)
	return err
}

// describe calls f with the driver locked, if the rows are open.
func (rs *Rows) describe(f func()) error {
	rs.gate.enter()
	defer rs.gate.leave()
	if rs.closed {
		return rs.failed(errRowsClosed)
	}
	if rs.rows == nil {
		return rs.failed(errors.New("sql: no Rows available"))
	}
	rs.c.locked(f)
	return nil
}

func (rs *Rows) Columns() (columns []string, err error) {
	err = rs.describe(func() { columns = rs.rows.Columns() })
	return columns, err
}

func (rs *Rows) ColumnTypes() (types []*ColumnType, err error) {
	err = rs.describe(func() {
		names := rs.rows.Columns()
		types = make([]*ColumnType, len(names))
		for i, name := range names {
			types[i] = columnType(rs.rows, i, name)
		}
	})
	return types, err
}

type ColumnType struct {
	name         string
	databaseType string
	scanType     reflect.Type

	nullable, hasNullable bool
	length                int64
	hasLength             bool
	precision, scale      int64
	hasDecimalSize        bool
}

func (t *ColumnType) Name() string { return t.name }

func (t *ColumnType) Length() (length int64, ok bool) { return t.length, t.hasLength }

func (t *ColumnType) DecimalSize() (precision, scale int64, ok bool) {
	return t.precision, t.scale, t.hasDecimalSize
}

func (t *ColumnType) ScanType() reflect.Type { return t.scanType }

func (t *ColumnType) Nullable() (nullable, ok bool) { return t.nullable, t.hasNullable }

func (t *ColumnType) DatabaseTypeName() string { return t.databaseType }

func columnType(rows driver.Rows, i int, name string) *ColumnType {
	t := &ColumnType{name: name, scanType: reflect.TypeFor[any]()}
	if r, ok := rows.(driver.RowsColumnTypeScanType); ok {
		t.scanType = r.ColumnTypeScanType(i)
	}
	if r, ok := rows.(driver.RowsColumnTypeDatabaseTypeName); ok {
		t.databaseType = r.ColumnTypeDatabaseTypeName(i)
	}
	if r, ok := rows.(driver.RowsColumnTypeLength); ok {
		t.length, t.hasLength = r.ColumnTypeLength(i)
	}
	if r, ok := rows.(driver.RowsColumnTypeNullable); ok {
		t.nullable, t.hasNullable = r.ColumnTypeNullable(i)
	}
	if r, ok := rows.(driver.RowsColumnTypePrecisionScale); ok {
		t.precision, t.scale, t.hasDecimalSize = r.ColumnTypePrecisionScale(i)
	}
	return t
}

func (rs *Rows) Scan(dest ...any) error {
	if rs.lent {
		return fmt.Errorf("sql: Scan called without calling Next (closemuScanHold)")
	}
	rs.gate.enter()
	rs.raw = rs.raw[:0]
	err := rs.scan(dest)
	if err == nil && wantsRaw(dest) {
		rs.lent = true
	} else {
		rs.gate.leave()
	}
	return err
}

func (rs *Rows) scan(dest []any) error {
	if err := rs.failed(nil); err != nil {
		return err
	}
	if rs.closed {
		return errRowsClosed
	}
	if !rs.called {
		return errors.New("sql: Scan called without calling Next")
	}
	if len(dest) != rs.width {
		return fmt.Errorf("sql: expected %d destination arguments in Scan, not %d",
			rs.width, len(dest))
	}
	one := func(i int) error { return assign(dest[i], rs.row[i], rs) }
	if s, ok := rs.rows.(driver.RowsColumnScanner); ok {
		rs.c.Lock()
		defer rs.c.Unlock()
		context := driver.ScanContext(internal.NewScanContext(rs))
		one = func(i int) error { return s.ScanColumn(context, i, dest[i]) }
	}
	for i := range dest {
		if err := one(i); err != nil {
			return fmt.Errorf("sql: Scan error on column index %d, name %q: %w",
				i, rs.rows.Columns()[i], err)
		}
	}
	return nil
}

func wantsRaw(dest []any) bool {
	for _, d := range dest {
		if _, ok := d.(*RawBytes); ok {
			return true
		}
	}
	return false
}

type Row struct {
	err  error
	rows *Rows
}

func (r *Row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if wantsRaw(dest) {
		return errors.New("sql: RawBytes isn't allowed on Row.Scan")
	}
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return ErrNoRows
	}
	if err := r.rows.Scan(dest...); err != nil {
		return err
	}
	return r.rows.Close()
}

func (r *Row) Err() error { return r.err }
