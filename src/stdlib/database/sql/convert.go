package sql

// Values on their way: arguments to the driver, through the checks that it has, and values from it
// into what Scan is given, by assign.

import (
	"bytes"
	"database/sql/driver"
	"database/sql/internal"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"
	"uuid"
)

var errNil = errors.New("destination pointer is nil")

// unwrap gives the value of a Valuer. A nil pointer, where the method is not the pointer's own, is
// nil; what is no Valuer is its own value.
func unwrap(v any) (any, error) {
	valuer, ok := v.(driver.Valuer)
	switch {
	case !ok:
		return v, nil
	case internal.NilOf[driver.Valuer](valuer):
		return nil, nil
	}
	return valuer.Value()
}

// positional gives values to a driver that knows no names.
func positional(given []driver.NamedValue) (values []driver.Value, err error) {
	values = []driver.Value{}
	for _, v := range given {
		if v.Name != "" {
			err = errors.New("sql: driver does not support the use of Named Parameters")
		}
		values = append(values, v.Value)
	}
	return values, err
}

// A check looks at an argument, and may change it.
type check func(*driver.NamedValue) error

func checkDefault(v *driver.NamedValue) (err error) {
	v.Value, err = driver.DefaultParameterConverter.ConvertValue(v.Value)
	return err
}

// checkByColumn converts by the converter of the column, if there is such a column.
func checkByColumn(columns driver.ColumnConverter, want int) check {
	return func(v *driver.NamedValue) error {
		if want >= 0 && v.Ordinal > want {
			return nil
		}
		from, err := unwrap(v.Value)
		if err != nil {
			return err
		}
		if _, unwrapped := v.Value.(driver.Valuer); unwrapped && !driver.IsValue(from) {
			return fmt.Errorf("non-subset type %T returned from Value", from)
		}
		v.Value, err = columns.ColumnConverter(v.Ordinal - 1).ConvertValue(from)
		if err == nil && !driver.IsValue(v.Value) {
			err = fmt.Errorf("driver ColumnConverter error converted %T to unsupported type %T",
				from, v.Value)
		}
		return err
	}
}

// checksOf are the checks of a statement, which may be nil; each has its turn when the one before
// it skipped, the last one always.
func checksOf(c driver.Conn, stmt driver.Stmt, want int) (checks []check) {
	var own driver.NamedValueChecker
	for _, by := range [...]any{stmt, c} {
		if n, ok := by.(driver.NamedValueChecker); ok {
			own = n
			break
		}
	}
	if own != nil {
		checks = append(checks, own.CheckNamedValue)
	}
	if columns, ok := stmt.(driver.ColumnConverter); ok {
		checks = append(checks, checkByColumn(columns, want))
	}
	return append(checks, checkDefault)
}

// arguments makes arguments of a statement, which may be nil, into what the driver takes.
func arguments(c driver.Conn, stmt driver.Stmt, args []any) ([]driver.NamedValue, error) {
	want := -1
	if stmt != nil {
		want = stmt.NumInput()
	}
	values := make([]driver.NamedValue, 0, len(args))
	var checks []check
	for _, arg := range args {
		v := driver.NamedValue{Ordinal: len(values) + 1, Value: arg}
		if named, ok := arg.(NamedArg); ok {
			v.Name, v.Value = named.Name, named.Value
			first, _ := utf8.DecodeRuneInString(v.Name)
			if v.Name != "" && !unicode.IsLetter(first) {
				return nil, fmt.Errorf("name %q does not begin with a letter", v.Name)
			}
		}
		if checks == nil {
			checks = checksOf(c, stmt, want)
		}
		err, rest := driver.ErrSkip, checks
		for err == driver.ErrSkip {
			err = rest[0](&v)
			rest = rest[min(1, len(rest)-1):]
		}
		if err == nil {
			values = append(values, v)
		} else if err != driver.ErrRemoveArgument {
			which := "$" + strconv.Itoa(v.Ordinal)
			if v.Name != "" {
				which = "with name " + strconv.Quote(v.Name)
			}
			return nil, fmt.Errorf("sql: converting argument %s type: %w", which, err)
		}
	}
	if want != -1 && len(values) != want {
		return nil, fmt.Errorf("sql: expected %d arguments, got %d", want, len(values))
	}
	return values, nil
}

// Decimal numbers show their parts, and are made of them.
type decomposer interface {
	Decompose(buf []byte) (form byte, negative bool, coefficient []byte, exponent int32)
}

type composer interface {
	Compose(form byte, negative bool, coefficient []byte, exponent int32) error
}

func ConvertAssign(scanCtx driver.ScanContext, dest any, src driver.Value) error {
	rows, _ := internal.ScanContextValue(internal.ScanContext(scanCtx)).(*Rows)
	return assign(dest, src, rows)
}

// own makes RawBytes of the text that f appends, in the buffer of the rows.
func (rs *Rows) own(f func([]byte) []byte) RawBytes {
	if rs == nil {
		return f(nil)
	}
	n := len(rs.raw)
	rs.raw = f(rs.raw)
	return RawBytes(rs.raw[n:])
}

// assign stores src at dest, converting it; rows is what it was read from, or nil.
func assign(dest, src any, rows *Rows) error {
	switch d := dest.(type) {
	case *string:
		switch s := src.(type) {
		case string:
			return set(d, s)
		case []byte:
			return set(d, string(s))
		case time.Time:
			*d = s.Format(time.RFC3339Nano)
			return nil
		}
		if plain(reflect.ValueOf(src).Kind()) {
			*d = text(src)
			return nil
		}
	case *[]byte:
		switch s := src.(type) {
		case string:
			return set(d, []byte(s))
		case []byte:
			return set(d, bytes.Clone(s))
		case time.Time:
			return set(d, s.AppendFormat(make([]byte, 0, len(time.RFC3339Nano)),
				time.RFC3339Nano))
		case nil:
			return set(d, nil)
		}
		if v := reflect.ValueOf(src); plain(v.Kind()) || v.Kind() == reflect.String {
			*d = appendText(nil, v)
			return nil
		}
	case *RawBytes:
		return assignRaw(d, dest, src, rows)
	case *any:
		switch s := src.(type) {
		case []byte:
			return set[any](d, bytes.Clone(s))
		case nil:
			return set(d, nil)
		}
		*d = src
		return nil
	case *bool:
		b, err := driver.Bool.ConvertValue(src)
		if err == nil {
			*d = b.(bool)
		}
		return err
	case *time.Time:
		if s, ok := src.(time.Time); ok {
			*d = s
			return nil
		}
	case *uuid.UUID:
		switch s := src.(type) {
		case string:
			return setUUID(d, "string", s, uuid.Parse)
		case []byte:
			return setUUID(d, "[]byte", s, fromBytes)
		}
	case *Rows:
		if s, ok := src.(driver.Rows); ok {
			return nest(d, s, rows)
		}
	case composer:
		if s, ok := src.(decomposer); ok {
			return d.Compose(s.Decompose(nil))
		}
	}
	if s, ok := dest.(Scanner); ok {
		return s.Scan(src)
	}
	return reflected(dest, src, rows)
}

// fromBytes reads the bytes of a UUID, or its text.
func fromBytes(b []byte) (id uuid.UUID, err error) {
	if len(b) == len(id) {
		return uuid.UUID(b), nil
	}
	return id, id.UnmarshalText(b)
}

// setUUID has to be what parse reads in v, which comes as a value of that type.
func setUUID[T string | []byte](to *uuid.UUID, typ string, v T, parse func(T) (uuid.UUID, error)) error {
	if to == nil {
		return errNil
	}
	id, err := parse(v)
	if err != nil {
		return fmt.Errorf("converting driver.Value type %s (%q) to a UUID: %v", typ, v, err)
	}
	*to = id
	return nil
}

func set[T any](to *T, v T) error {
	if to == nil {
		return errNil
	}
	*to = v
	return nil
}

func assignRaw(d *RawBytes, dest, src any, rows *Rows) error {
	v := reflect.ValueOf(src)
	switch s := src.(type) {
	case string:
		if d == nil {
			return errNil
		}
		*d = rows.own(func(b []byte) []byte { return append(b, s...) })
		return nil
	case []byte:
		return set(d, RawBytes(s))
	case time.Time:
		if d == nil {
			return errNil
		}
		*d = rows.own(func(b []byte) []byte { return s.AppendFormat(b, time.RFC3339Nano) })
		return nil
	case nil:
		return set(d, nil)
	}
	if plain(v.Kind()) || v.Kind() == reflect.String {
		*d = rows.own(func(b []byte) []byte { return appendText(b, v) })
		return nil
	}
	return reflected(dest, src, rows)
}

// nest makes rows of a value that is rows; they are closed with those it was read from.
func nest(d *Rows, s driver.Rows, rows *Rows) error {
	if d == nil {
		return errNil
	}
	if rows == nil {
		return errors.New("invalid context to convert cursor rows, missing parent *Rows")
	}
	*d = Rows{lease: lease{c: rows.lease.c}, rows: s}
	rows.atEnd = append(rows.atEnd, func() { d.shut(rows.err) })
	return nil
}

// reflected stores src at dest by their kinds.
func reflected(dest, src any, rows *Rows) error {
	p := reflect.ValueOf(dest)
	if p.Kind() != reflect.Pointer {
		return errors.New("destination not a pointer")
	}
	if p.IsNil() {
		return errNil
	}
	to, from := p.Elem(), reflect.ValueOf(src)
	if from.IsValid() && from.Type().AssignableTo(to.Type()) {
		if b, ok := src.([]byte); ok {
			from = reflect.ValueOf(bytes.Clone(b))
		}
		to.Set(from)
		return nil
	}
	kind := to.Kind()
	if kind == from.Kind() && from.Type().ConvertibleTo(to.Type()) {
		to.Set(from.Convert(to.Type()))
		return nil
	}
	if kind == reflect.Pointer {
		if src == nil {
			to.SetZero()
			return nil
		}
		to.Set(reflect.New(to.Type().Elem()))
		return assign(to.Interface(), src, rows)
	}
	var err error
	bits := 64
	isInt, isUint := to.CanInt(), to.CanUint() && kind != reflect.Uintptr
	if (isInt || isUint || to.CanFloat() || kind == reflect.String) && src == nil {
		return fmt.Errorf("converting NULL to %s is unsupported", kind)
	}
	if isInt || isUint || to.CanFloat() {
		bits = to.Type().Bits()
	}
	switch {
	case isInt:
		var n int64
		if n, err = strconv.ParseInt(text(src), 10, bits); err == nil {
			to.SetInt(n)
			return nil
		}
	case isUint:
		var n uint64
		if n, err = strconv.ParseUint(text(src), 10, bits); err == nil {
			to.SetUint(n)
			return nil
		}
	case to.CanFloat():
		var f float64
		if f, err = strconv.ParseFloat(text(src), bits); err == nil {
			to.SetFloat(f)
			return nil
		}
	case kind == reflect.String:
		switch s := src.(type) {
		case string:
			to.SetString(s)
			return nil
		case []byte:
			to.SetString(string(s))
			return nil
		}
	}
	if err != nil {
		if n, ok := err.(*strconv.NumError); ok {
			err = n.Err
		}
		return fmt.Errorf("converting driver.Value type %T (%q) to a %s: %v",
			src, text(src), kind, err)
	}
	return fmt.Errorf("unsupported Scan, storing driver.Value type %T into type %T", src, dest)
}

// plain says whether values of the kind have a text of their own: numbers, and bool.
func plain(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 && k != reflect.Uintptr
}

// text is src as it is parsed, or shown in errors.
func text(src any) string {
	switch v := reflect.ValueOf(src); {
	case plain(v.Kind()):
		return string(appendText(nil, v))
	case v.IsValid() && v.Type() == reflect.TypeFor[[]byte]():
		return string(v.Bytes())
	}
	return fmt.Sprint(src)
}

// appendText appends the text of a plain value, or a string.
func appendText(b []byte, v reflect.Value) []byte {
	kind := v.Kind()
	if kind == reflect.String {
		return append(b, v.String()...)
	}
	if kind == reflect.Bool {
		return strconv.AppendBool(b, v.Bool())
	}
	if v.CanFloat() {
		return strconv.AppendFloat(b, v.Float(), 'g', -1, v.Type().Bits())
	}
	if v.CanUint() {
		return strconv.AppendUint(b, v.Uint(), 10)
	}
	return strconv.AppendInt(b, v.Int(), 10)
}
