package slog

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Value is any value; those of the commonest kinds take no memory of their own.
//
// Of numbers the kind lies in any, and the bits in num. Strings, times, groups and all others lie
// in any themselves.
type Value struct {
	_   [0]func() // values cannot be compared
	num uint64
	any any
}

type Kind int

const (
	KindAny Kind = iota
	KindBool
	KindDuration
	KindFloat64
	KindInt64
	KindString
	KindTime
	KindUint64
	KindGroup
	KindLogValuer
)

var kindNames = [...]string{
	"Any", "Bool", "Duration", "Float64", "Int64", "String", "Time", "Uint64", "Group", "LogValuer",
}

func (k Kind) String() string {
	if 0 <= k && int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "<unknown slog.Kind>"
}

// A kind is a Kind that is a value itself.
type kind Kind

func (v Value) Kind() Kind {
	switch x := v.any.(type) {
	case Kind:
		return x
	case string:
		return KindString
	case time.Time:
		return KindTime
	case []Attr:
		return KindGroup
	case LogValuer:
		return KindLogValuer
	}
	return KindAny
}

func BoolValue(is bool) (v Value) {
	if is {
		v.num = 1
	}
	v.any = KindBool
	return v
}

func DurationValue(span time.Duration) Value { return Value{any: KindDuration, num: uint64(span)} }
func Float64Value(x float64) Value           { return Value{any: KindFloat64, num: math.Float64bits(x)} }
func IntValue(n int) Value                   { return Int64Value(int64(n)) }
func Int64Value(n int64) Value               { return Value{any: KindInt64, num: uint64(n)} }
func StringValue(text string) Value          { return Value{any: text} }
func Uint64Value(n uint64) Value             { return Value{any: KindUint64, num: n} }

// TimeValue leaves the monotonic clock out.
func TimeValue(v time.Time) Value {
	if v.IsZero() {
		return Value{any: time.Time{}}
	}
	return Value{any: v.Round(0)}
}

func GroupValue(as ...Attr) Value {
	if slices.ContainsFunc(as, Attr.hasNothing) {
		as = slices.DeleteFunc(slices.Clone(as), Attr.hasNothing)
	}
	return Value{any: as}
}

func (a Attr) hasNothing() bool {
	group, ok := a.Value.any.([]Attr)
	return ok && len(group) == 0
}

func AnyValue(v any) Value {
	switch v := v.(type) {
	case Value:
		return v
	case []Attr:
		return GroupValue(v...)
	case time.Time:
		return TimeValue(v)
	case Kind:
		return Value{any: kind(v)}
	case bool:
		return BoolValue(v)
	case time.Duration:
		return Value{num: uint64(v), any: KindDuration}
	case int:
		return Value{num: uint64(v), any: KindInt64}
	case int64:
		return Value{num: uint64(v), any: KindInt64}
	case int32:
		return Value{num: uint64(v), any: KindInt64}
	case int16:
		return Value{num: uint64(v), any: KindInt64}
	case int8:
		return Value{num: uint64(v), any: KindInt64}
	case uint:
		return Value{num: uint64(v), any: KindUint64}
	case uint64:
		return Value{num: uint64(v), any: KindUint64}
	case uintptr:
		return Value{num: uint64(v), any: KindUint64}
	case uint32:
		return Value{num: uint64(v), any: KindUint64}
	case uint16:
		return Value{num: uint64(v), any: KindUint64}
	case byte:
		return Value{num: uint64(v), any: KindUint64}
	case float64:
		return Float64Value(v)
	case float32:
		return Float64Value(float64(v))
	}
	// What is left, strings too, stands for itself.
	return Value{any: v}
}

func (v Value) Any() any {
	switch v.Kind() {
	case KindInt64:
		return int64(v.num)
	case KindUint64:
		return v.num
	case KindFloat64:
		return math.Float64frombits(v.num)
	case KindBool:
		return v.num == 1
	case KindDuration:
		return time.Duration(v.num)
	}
	k, isKind := v.any.(kind)
	if !isKind {
		return v.any
	}
	return Kind(k)
}

// want panics if v is of another kind.
func (v Value) want(k Kind) {
	if is := v.Kind(); is != k {
		panic("Value kind is " + is.String() + ", not " + k.String())
	}
}

func (v Value) String() string {
	if s, ok := v.any.(string); ok {
		return s
	}
	return string(v.append(nil))
}

func (v Value) Int64() int64 {
	v.want(KindInt64)
	return int64(v.num)
}

func (v Value) Uint64() uint64 {
	v.want(KindUint64)
	return v.num
}

func (v Value) Bool() bool {
	v.want(KindBool)
	return v.num == 1
}

func (v Value) Duration() time.Duration {
	v.want(KindDuration)
	return time.Duration(v.num)
}

func (v Value) Float64() float64 {
	v.want(KindFloat64)
	return math.Float64frombits(v.num)
}

func (v Value) Time() time.Time {
	v.want(KindTime)
	return v.any.(time.Time)
}

func (v Value) LogValuer() LogValuer { return v.any.(LogValuer) }

func (v Value) Group() []Attr {
	group, ok := v.any.([]Attr)
	if !ok {
		panic("Group: bad kind")
	}
	return group
}

func (v Value) Equal(w Value) bool {
	k := v.Kind()
	if k != w.Kind() {
		return false
	}
	switch k {
	case KindFloat64:
		return v.Float64() == w.Float64()
	case KindTime:
		return v.Time().Equal(w.Time())
	case KindGroup:
		return slices.EqualFunc(v.Group(), w.Group(), Attr.Equal)
	}
	return v.num == w.num && v.any == w.any
}

// append appends v as fmt.Sprint has it.
func (v Value) append(dst []byte) []byte {
	switch x := v.any.(type) {
	case Kind:
		return v.appendNumber(dst, x)
	case string:
		return append(dst, x...)
	case time.Time:
		return x.AppendFormat(dst, "2006-01-02 15:04:05.999999999 -0700 MST")
	}
	return fmt.Append(dst, v.any)
}

func (v Value) appendNumber(dst []byte, k Kind) []byte {
	switch k {
	case KindBool:
		return strconv.AppendBool(dst, v.num == 1)
	case KindDuration:
		return append(dst, time.Duration(v.num).String()...)
	case KindFloat64:
		return strconv.AppendFloat(dst, math.Float64frombits(v.num), 'g', -1, 64)
	case KindInt64:
		return strconv.AppendInt(dst, int64(v.num), 10)
	}
	return strconv.AppendUint(dst, v.num, 10)
}

// A LogValuer says itself what is logged of it.
type LogValuer interface {
	LogValue() Value
}

// Resolve asks LogValuers until there is a value, but not for ever.
func (v Value) Resolve() (rv Value) {
	const most = 100
	defer func() {
		if recover() != nil {
			rv = AnyValue(fmt.Errorf("LogValue panicked\n%s", callers(3, 5)))
		}
	}()
	rv = v
	for range most {
		from, isAsked := rv.any.(LogValuer)
		if !isAsked {
			return rv
		}
		rv = from.LogValue()
	}
	return AnyValue(fmt.Errorf("LogValue called too many times on Value of type %T", v.any))
}

// callers lists the functions that are running, so many after the first ones.
func callers(skip, most int) string {
	pcs := make([]uintptr, most+1)
	pcs = pcs[:runtime.Callers(skip+1, pcs)]
	if len(pcs) == 0 {
		return "(no stack)"
	}
	var b strings.Builder
	frames := runtime.CallersFrames(pcs)
	for more := true; more; most-- {
		if most == 0 {
			b.WriteString("(rest of stack elided)\n")
			break
		}
		var f runtime.Frame
		f, more = frames.Next()
		fmt.Fprintf(&b, "called from %s (%s:%d)\n", f.Function, f.File, f.Line)
	}
	return b.String()
}
