// run

// Structs filled from environment-like maps and checked by rules in their tags, with reflection.
package main

import (
	"encoding"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

type FieldError struct {
	Path string
	Rule string
	Err  error
}

func (e FieldError) Error() string { return e.Path + ": " + e.Rule + ": " + e.Err.Error() }
func (e FieldError) Unwrap() error { return e.Err }

var errRequired = errors.New("is required")

type loader struct {
	env  map[string]string
	errs []error
}

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

func (l *loader) fill(v reflect.Value, prefix, path string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		name, opts, _ := strings.Cut(f.Tag.Get("env"), ",")
		if name == "" {
			name = strings.ToUpper(f.Name)
		}
		field, where := v.Field(i), path+f.Name
		if field.Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.Struct &&
			!field.Type().Implements(textUnmarshaler) {
			if field.IsNil() {
				field.Set(reflect.New(field.Type().Elem()))
			}
			field = field.Elem()
		}
		if field.Kind() == reflect.Struct && !field.Addr().Type().Implements(textUnmarshaler) {
			inner := prefix + name + "_"
			if f.Anonymous {
				inner = prefix
			}
			l.fill(field, inner, where+".")
			continue
		}
		text, ok := l.env[prefix+name]
		if !ok {
			text, ok = f.Tag.Lookup("default")
		}
		if !ok {
			if opts == "required" {
				l.errs = append(l.errs, FieldError{where, "env", errRequired})
			}
			continue
		}
		if err := set(field, text); err != nil {
			l.errs = append(l.errs, FieldError{where, "env", err})
			continue
		}
		for _, rule := range strings.Split(f.Tag.Get("check"), ";") {
			if rule == "" {
				continue
			}
			if err := check(field, rule); err != nil {
				l.errs = append(l.errs, FieldError{where, rule, err})
			}
		}
	}
}

func set(v reflect.Value, text string) error {
	if v.CanAddr() && v.Addr().Type().Implements(textUnmarshaler) {
		return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
	}
	switch v.Type() {
	case reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(text)
		v.SetInt(int64(d))
		return err
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		v.SetBool(b)
		return err
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(text, 0, v.Type().Bits())
		v.SetInt(n)
		return err
	case reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint, reflect.Uint8:
		n, err := strconv.ParseUint(text, 0, v.Type().Bits())
		v.SetUint(n)
		return err
	case reflect.Float64:
		n, err := strconv.ParseFloat(text, 64)
		v.SetFloat(n)
		return err
	case reflect.Slice:
		parts := strings.Split(text, ",")
		s := reflect.MakeSlice(v.Type(), len(parts), len(parts))
		for i, p := range parts {
			if err := set(s.Index(i), strings.TrimSpace(p)); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		v.Set(s)
	case reflect.Map:
		m := reflect.MakeMap(v.Type())
		for p := range strings.SplitSeq(text, ",") {
			k, x, ok := strings.Cut(p, "=")
			if !ok {
				return fmt.Errorf("no = in %q", p)
			}
			key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			if err := errors.Join(set(key, k), set(val, x)); err != nil {
				return err
			}
			m.SetMapIndex(key, val)
		}
		v.Set(m)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return set(v.Elem(), text)
	default:
		return fmt.Errorf("cannot set %s", v.Type())
	}
	return nil
}

func check(v reflect.Value, rule string) error {
	name, arg, _ := strings.Cut(rule, "=")
	size := func() float64 {
		switch {
		case v.CanInt():
			return float64(v.Int())
		case v.CanUint():
			return float64(v.Uint())
		case v.CanFloat():
			return v.Float()
		}
		return float64(v.Len())
	}
	limit, _ := strconv.ParseFloat(arg, 64)
	switch name {
	case "min":
		if size() < limit {
			return fmt.Errorf("%v is below %s", v, arg)
		}
	case "max":
		if size() > limit {
			return fmt.Errorf("%v is above %s", v, arg)
		}
	case "oneof":
		if !slices.Contains(strings.Split(arg, "|"), fmt.Sprint(v)) {
			return fmt.Errorf("%v is not one of %s", v, arg)
		}
	case "match":
		if !regexp.MustCompile(arg).MatchString(v.String()) {
			return fmt.Errorf("%q does not match", v)
		}
	default:
		return fmt.Errorf("unknown rule %q", name)
	}
	return nil
}

type Common struct {
	Debug bool
	Level string `check:"oneof=info|warn|error" default:"info"`
}

type Config struct {
	Common
	Name    string         `env:"APP_NAME,required" check:"match=^[a-z-]+$;max=12"`
	Port    uint16         `default:"8080" check:"min=1024"`
	Timeout time.Duration  `default:"1m30s"`
	Hosts   []string       `check:"min=1"`
	Weights map[string]int `env:"WEIGHTS"`
	Ratio   *float64       `env:"RATIO"`
	Started time.Time      `default:"2024-01-02T03:04:05Z"`
	Addr    netip.AddrPort `default:"127.0.0.1:80"`
	DB      *struct {
		URL  string `env:",required"`
		Pool int    `default:"4" check:"min=1;max=64;odd"`
	}
	Limits map[string]time.Duration `default:"read=1s,write=2s"`
	Func   func()                   `env:"FUNC"`
	secret string
}

func Load[T any](env map[string]string) (*T, error) {
	l := &loader{env: env}
	t := new(T)
	l.fill(reflect.ValueOf(t).Elem(), "", "")
	return t, errors.Join(l.errs...)
}

func main() {
	c, err := Load[Config](map[string]string{
		"APP_NAME": "my-app", "HOSTS": "a, b,c", "WEIGHTS": "x=1,y=0x10", "RATIO": "0.25",
		"DB_URL": "mem://", "DEBUG": "T", "LEVEL": "warn",
	})
	fmt.Println(err)
	fmt.Println(c.Name, c.Port, c.Timeout, c.Hosts, c.Weights, *c.Ratio, c.Started, c.Addr,
		c.DB.URL, c.DB.Pool, c.Limits, c.Common)
	_, err = Load[Config](map[string]string{
		"APP_NAME": "My App With A Long Name", "PORT": "80", "TIMEOUT": "soon", "WEIGHTS": "x=1,y",
		"RATIO": "much", "DB_POOL": "100", "LEVEL": "loud", "FUNC": "f", "STARTED": "now",
		"ADDR": "host", "DEBUG": "maybe",
	})
	fmt.Println(err)
	fmt.Println(errors.Is(err, errRequired), errors.Is(err, strconv.ErrSyntax))
	var fe FieldError
	fmt.Println(errors.As(err, &fe), fe.Path)
	_, err = Load[struct {
		Port uint16
		N    int8
		U    url.URL
	}](map[string]string{"PORT": "70000", "N": "-129"})
	fmt.Println(err, errors.Is(err, strconv.ErrRange))
}
