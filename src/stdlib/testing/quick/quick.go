// Package quick: calls functions with values that are drawn.
//
// Which values a seed leads to is as in Go: the numbers are drawn in the same order.
//
// Go: testing/quick.
package quick

import (
	"flag"
	"fmt"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"time"
)

var usualCount *int = flag.Int("quickchecks", 100, "The default number of iterations for each check")

// Generator is a type that makes values of its own.
type Generator interface {
	Generate(rand *rand.Rand, size int) reflect.Value
}

// How large values are that have parts.
const usualSize = 50

// Value draws a value of a type; false: there is none to be drawn.
func Value(t reflect.Type, rand *rand.Rand) (value reflect.Value, ok bool) {
	return drawer{rand}.value(t, usualSize)
}

type drawer struct{ rand *rand.Rand }

func (d drawer) float(most float64) float64 {
	x := d.rand.Float64() * most
	if d.rand.Int()&1 == 1 {
		return -x
	}
	return x
}

// value draws one that has about so many parts.
func (d drawer) value(t reflect.Type, size int) (reflect.Value, bool) {
	if g, ok := reflect.Zero(t).Interface().(Generator); ok {
		return g.Generate(d.rand, size), true
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(d.rand.Int()%2 == 0)
	case reflect.Float32:
		v.SetFloat(float64(float32(d.float(math.MaxFloat32))))
	case reflect.Float64:
		v.SetFloat(d.float(math.MaxFloat64))
	case reflect.Complex64:
		re := float64(float32(d.float(math.MaxFloat32)))
		v.SetComplex(complex(re, float64(float32(d.float(math.MaxFloat32)))))
	case reflect.Complex128:
		re := d.float(math.MaxFloat64)
		v.SetComplex(complex(re, d.float(math.MaxFloat64)))
	case reflect.String:
		runes := make([]rune, d.rand.Intn(usualSize))
		for i := range runes {
			runes[i] = rune(d.rand.Intn(0x10ffff))
		}
		v.SetString(string(runes))
	case reflect.Pointer:
		if d.rand.Intn(size) == 0 {
			return v, true
		}
		v.Set(reflect.New(t.Elem()))
		return v, d.fill(v.Elem(), size)
	case reflect.Slice:
		n := d.rand.Intn(size)
		v.Set(reflect.MakeSlice(t, n, n))
		return v, d.fillAll(v, size-n)
	case reflect.Array:
		return v, d.fillAll(v, size)
	case reflect.Map:
		n := d.rand.Intn(size)
		v.Set(reflect.MakeMap(t))
		for range n {
			key, ok := d.value(t.Key(), size)
			elem, ok2 := d.value(t.Elem(), size)
			if !ok || !ok2 {
				return reflect.Value{}, false
			}
			v.SetMapIndex(key, elem)
		}
	case reflect.Struct:
		n := v.NumField()
		if n > size {
			size = 1
		} else if n > 0 {
			size /= n
		}
		for i := range n {
			if !d.fill(v.Field(i), size) {
				return reflect.Value{}, false
			}
		}
	default:
		switch bits := d.rand.Uint64; {
		case v.CanInt():
			v.SetInt(int64(bits()))
		case v.CanUint():
			v.SetUint(bits())
		default:
			return reflect.Value{}, false
		}
	}
	return v, true
}

// fill gives a part its value.
func (d drawer) fill(part reflect.Value, size int) bool {
	v, ok := d.value(part.Type(), size)
	if ok {
		part.Set(v)
	}
	return ok
}

func (d drawer) fillAll(v reflect.Value, size int) bool {
	for i := range v.Len() {
		if !d.fill(v.Index(i), size) {
			return false
		}
	}
	return true
}

// Config says how often functions are called, and with what.
type Config struct {
	MaxCount      int
	MaxCountScale float64
	Rand          *rand.Rand
	Values        func([]reflect.Value, *rand.Rand)
}

func (c *Config) source() *rand.Rand {
	if c.Rand != nil {
		return c.Rand
	}
	return rand.New(rand.NewSource(time.Now().UnixNano()))
}

func (c *Config) count() int {
	switch {
	case c.MaxCount != 0:
		return c.MaxCount
	case c.MaxCountScale != 0:
		return int(c.MaxCountScale * float64(*usualCount))
	}
	return *usualCount
}

// arguments draws those of a function of this type.
func (c *Config) arguments(args []reflect.Value, f reflect.Type, rand *rand.Rand) (err error) {
	if c.Values == nil {
		for i := 0; i < len(args) && err == nil; i++ {
			args[i], err = argument(f.In(i), i, rand)
		}
	} else {
		c.Values(args, rand)
	}
	return err
}

// argument draws the i-th of a function, which has that type.
func argument(t reflect.Type, i int, rand *rand.Rand) (reflect.Value, error) {
	if v, ok := Value(t, rand); ok {
		return v, nil
	}
	const text = "cannot create arbitrary value of type %s for argument %d"
	return reflect.Value{}, SetupError(fmt.Sprintf(text, t, i))
}

func (s SetupError) Error() string { return string(s) }

// CheckError has the arguments with which a function was false.
type CheckError struct {
	Count int
	In    []any
}

// SetupError says that a function cannot be checked.
type SetupError string

func (s *CheckError) Error() string {
	return fmt.Sprintf("#%d: failed on input %s", s.Count, list(s.In))
}

// CheckEqualError has the arguments with which two functions differ, and what they give.
type CheckEqualError struct {
	CheckError
	Out1 []any
	Out2 []any
}

func (s *CheckEqualError) Error() string {
	return fmt.Sprintf("%s. Output 1: %s. Output 2: %s", s.CheckError.Error(), list(s.Out1), list(s.Out2))
}

func list(values []any) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprintf("%#v", v))
	}
	return strings.Join(texts, ", ")
}

func interfaces(values []reflect.Value) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v.Interface()
	}
	return all
}

// each calls do with arguments for functions of this type, until it says that something is wrong.
func (c *Config) each(f reflect.Type, do func(n int, args []reflect.Value) error) error {
	if c == nil {
		c = &Config{}
	}
	args := make([]reflect.Value, f.NumIn())
	rand := c.source()
	for n := range c.count() {
		if err := c.arguments(args, f, rand); err != nil {
			return err
		}
		if err := do(n+1, args); err != nil {
			return err
		}
	}
	return nil
}

// Check looks for arguments with which f is false.
func Check(f any, config *Config) error {
	fn := reflect.ValueOf(f)
	if fn.Kind() != reflect.Func {
		return SetupError("argument is not a function")
	}
	if fn.Type().NumOut() != 1 {
		return SetupError("function does not return one value")
	}
	if fn.Type().Out(0).Kind() != reflect.Bool {
		return SetupError("function does not return a bool")
	}
	return config.each(fn.Type(), func(n int, args []reflect.Value) error {
		if fn.Call(args)[0].Bool() {
			return nil
		}
		return &CheckError{n, interfaces(args)}
	})
}

// CheckEqual looks for arguments with which f and g give different results.
func CheckEqual(f, g any, config *Config) error {
	x, y := reflect.ValueOf(f), reflect.ValueOf(g)
	switch {
	case x.Kind() != reflect.Func:
		return SetupError("f is not a function")
	case y.Kind() != reflect.Func:
		return SetupError("g is not a function")
	case x.Type() != y.Type():
		return SetupError("functions have different types")
	}
	return config.each(x.Type(), func(n int, args []reflect.Value) error {
		first, second := interfaces(x.Call(args)), interfaces(y.Call(args))
		if reflect.DeepEqual(first, second) {
			return nil
		}
		return &CheckEqualError{CheckError{n, interfaces(args)}, first, second}
	})
}
