// run

// What package sql makes of values: arguments, Scan, the Null types, converters of drivers.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"time"
	"uuid"
)

// echo is a driver whose rows are the values that it was made with.
type echo struct {
	rows [][]driver.Value
	args []driver.Value
}

func (e *echo) Connect(context.Context) (driver.Conn, error) { return e, nil }
func (e *echo) Driver() driver.Driver                        { return nil }
func (e *echo) Prepare(q string) (driver.Stmt, error)        { return echoStmt{e, q}, nil }
func (e *echo) Close() error                                 { return nil }
func (e *echo) Begin() (driver.Tx, error) {
	return nil,
		errors.New("no transactions")
}

type echoStmt struct {
	*echo
	query string
}

func (s echoStmt) NumInput() int {
	return strings.Count(s.query, "?") - 1 + strings.Count(s.query, "!")
}
func (s echoStmt) Exec(args []driver.Value) (driver.Result, error) {
	s.args = args
	for _, a := range args {
		fmt.Printf("\t%T %v\n", a, a)
	}
	return driver.RowsAffected(len(args)), nil
}
func (s echoStmt) Query(args []driver.Value) (driver.Rows, error) {
	return &echoRows{s.rows, len(s.rows[0])}, nil
}

type echoRows struct {
	rows  [][]driver.Value
	width int
}

func (r *echoRows) Columns() []string {
	names := []string{}
	for i := range r.width {
		names = append(names, fmt.Sprint("c", i))
	}
	return names
}
func (r *echoRows) Close() error { return nil }
func (r *echoRows) Next(dest []driver.Value) error {
	if len(r.rows) == 0 || len(r.rows[0]) == 0 {
		return io.EOF
	}
	copy(dest, r.rows[0])
	if len(r.rows) > 1 {
		r.rows = r.rows[1:]
	} else {
		r.rows = [][]driver.Value{{}}
	}
	return nil
}

type MyString string
type MyInt int
type MyBytes []byte

type Upper string

func (u *Upper) Scan(src any) error {
	s, ok := src.(string)
	if !ok {
		return fmt.Errorf("Upper cannot hold %T", src)
	}
	*u = Upper(strings.ToUpper(s))
	return nil
}

type Money int

func (m Money) Value() (driver.Value, error) {
	if m < 0 {
		return nil, errors.New("debts are not stored")
	}
	return fmt.Sprintf("%d.%02d", m/100, m%100), nil
}

type Odd struct{}

func (Odd) Value() (driver.Value, error) { return 5, nil }

type Dec struct {
	form byte
	neg  bool
	coef []byte
	exp  int32
}

func (d Dec) Decompose(buf []byte) (byte, bool, []byte, int32) {
	return d.form, d.neg, d.coef,
		d.exp
}
func (d *Dec) Compose(form byte, neg bool, coef []byte, exp int32) error {
	if form > 2 {
		return errors.New("bad form")
	}
	*d = Dec{form, neg, coef, exp}
	return nil
}

func main() {
	when := time.Date(2024, 5, 6, 7, 8, 9, 10, time.FixedZone("X", 3600))
	var nilInt *int
	var nilMoney *Money
	id := uuid.MustParse("01234567-89ab-cdef-0123-456789abcdef")
	values := []any{nil, int64(42), int64(-1), int64(300), 3.5, math.Inf(1), 1e300, true, false,
		"text", "17", "-17", "1.5", "true", "T", "0", "", []byte("bytes"), []byte("19"),
		[]byte(nil), when, Dec{1, true, []byte{5}, -2}, id.String(), id[:], []byte("not an id"),
		float32(0.1), int8(1), uint64(math.MaxUint64), MyString("mine"), struct{ A int }{1}}
	targets := []func() any{
		func() any { return new(string) }, func() any { return new([]byte) },
		func() any { return new(sql.RawBytes) }, func() any { return new(any) },
		func() any { return new(bool) }, func() any { return new(int) },
		func() any { return new(int8) }, func() any { return new(uint) },
		func() any { return new(uint16) }, func() any { return new(float64) },
		func() any { return new(float32) }, func() any { return new(time.Time) },
		func() any { return new(*int) }, func() any { return new(*string) },
		func() any { return new(MyString) }, func() any { return new(MyInt) },
		func() any { return new(MyBytes) }, func() any { return new(Upper) },
		func() any { return new(sql.NullString) }, func() any { return new(sql.NullInt64) },
		func() any { return new(sql.NullInt32) }, func() any { return new(sql.NullInt16) },
		func() any { return new(sql.NullByte) }, func() any { return new(sql.NullFloat64) },
		func() any { return new(sql.NullBool) }, func() any { return new(sql.NullTime) },
		func() any { return new(sql.Null[int]) }, func() any { return new(sql.Null[MyString]) },
		func() any { return new(sql.Null[*string]) }, func() any { return new(Dec) },
		func() any { return new(uuid.UUID) }, func() any { return new(complex128) },
		func() any { return new(struct{ A int }) }, func() any { return new([]string) },
		func() any { return (*string)(nil) }, func() any { return (*int)(nil) },
		func() any { return (*any)(nil) }, func() any { return 5 }, func() any { return new(sql.Rows) },
	}
	e := &echo{}
	db := sql.OpenDB(e)
	for _, target := range targets {
		fmt.Printf("%T\n", target())
		for _, v := range values {
			// Some combinations dereference nil pointers, in Go as here.
			_, isTime := v.(time.Time)
			if to := target(); reflect.ValueOf(to).Kind() == reflect.Pointer &&
				reflect.ValueOf(to).IsNil() && (isTime || v != nil && fmt.Sprintf("%T", to) == "*string" &&
				fmt.Sprintf("%T", v) != "string" && fmt.Sprintf("%T", v) != "[]uint8") ||
				fmt.Sprintf("%T", to) == "*interface {}" && reflect.ValueOf(to).IsNil() {
				continue
			}
			e.rows = [][]driver.Value{{v}}
			rows, err := db.Query("?")
			if err != nil {
				fmt.Println(err)
				continue
			}
			rows.Next()
			to := target()
			err = rows.Scan(to)
			if err != nil {
				fmt.Printf("\t%v: %v\n", v, err)
			} else {
				x := reflect.ValueOf(to).Elem()
				for x.Kind() == reflect.Pointer && !x.IsNil() {
					x = x.Elem()
				}
				if n, ok := to.(*sql.Null[*string]); ok {
					fmt.Printf("\t%v: %v %v\n", v, n.V != nil && *n.V != "", n.Valid)
				} else {
					fmt.Printf("\t%v: %#v\n", v, x)
				}
			}
			rows.Close()
		}
	}

	arguments := []any{nil, 1, int8(2), uint16(3), uint64(math.MaxUint64), uint64(5), 1.5,
		float32(2.5), true, "s", []byte("b"), when, MyString("m"), MyInt(4), MyBytes("mb"), nilInt,
		nilMoney, Money(1234), Money(-1), Odd{}, &Odd{}, Dec{}, id, new(int), struct{}{},
		[]int{1}, map[string]int{}, make(chan int), complex(1, 2), uintptr(1),
		sql.NullString{String: "x", Valid: true}, sql.NullInt64{}, sql.NullTime{Time: when, Valid: true},
		sql.NullByte{Byte: 7, Valid: true}, sql.NullInt16{Int16: 1, Valid: true}, sql.NullFloat64{},
		sql.NullBool{Bool: true, Valid: true}, sql.NullInt32{Int32: 3, Valid: true},
		sql.Null[Money]{V: 250, Valid: true}, sql.Null[int]{}, sql.Null[[]int]{Valid: true},
		sql.Named("n", 1), sql.Named("", 2), sql.Named("1x", 1), sql.Out{Dest: new(int)}}
	for _, a := range arguments {
		r, err := db.Exec("??", a)
		fmt.Printf("%T: %v", a, err)
		if err == nil {
			n, err := r.RowsAffected()
			_, err2 := r.LastInsertId()
			fmt.Print(" ", n, err, err2)
		}
		fmt.Println()
	}
	_, err := db.Exec("???", 1)
	fmt.Println(err)
	_, err = db.Exec("?", 1, 2)
	fmt.Println(err)

	for _, c := range []driver.ValueConverter{driver.Bool, driver.Int32, driver.String,
		driver.Null{Converter: driver.Int32}, driver.NotNull{Converter: driver.String},
		driver.DefaultParameterConverter} {
		fmt.Printf("%T\n", c)
		for _, v := range []any{nil, true, "true", "maybe", []byte("0"), 0, 1, 2, int64(1) << 40,
			uint8(1), uint32(7), uint64(1) << 50, "12", "x", 1.5, MyString("9")} {
			r, err := c.ConvertValue(v)
			fmt.Printf("\t%v: %T %v, %v\n", v, r, r, err)
		}
	}
	fmt.Println(driver.Bool, driver.ErrSkip, driver.ErrBadConn, driver.ErrRemoveArgument)
	fmt.Println(driver.ResultNoRows.LastInsertId())
	fmt.Println(driver.ResultNoRows.RowsAffected())
	fmt.Println(driver.IsValue(int64(1)), driver.IsValue(1), driver.IsScanValue([]byte{}))
	for l := sql.IsolationLevel(-1); l < 9; l++ {
		fmt.Print(l, ", ")
	}
	fmt.Printf("\n%+v %v\n", sql.Named("a", 1), sql.TxOptions{Isolation: sql.LevelSnapshot})
	fmt.Println(sql.ErrNoRows, sql.ErrConnDone, sql.ErrTxDone)
	var s string
	fmt.Println(sql.ConvertAssign(driver.ScanContext{}, &s, int64(5)), s)
	fmt.Println(sql.ConvertAssign(driver.ScanContext{}, new(sql.Rows), &echoRows{}))
}
