// Package flag: the options of a command line.
package flag

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
)

var ErrHelp = errors.New("flag: help requested")

var (
	errSyntax   = errors.New("parse error")
	errTooLarge = errors.New("value out of range")
)

type Value interface {
	String() string
	Set(string) error
}

type Getter interface {
	Value
	Get() any
}

// A switchValue needs no argument.
type switchValue interface {
	Value
	IsBoolFlag() bool
}

func isSwitch(v Value) bool {
	s, ok := v.(switchValue)
	return ok && s.IsBoolFlag()
}

// plain words the errors of strconv.
func plain(err error) error {
	e, ok := err.(*strconv.NumError)
	switch {
	case !ok:
		return err
	case e.Err == strconv.ErrSyntax:
		return errSyntax
	case e.Err == strconv.ErrRange:
		return errTooLarge
	}
	return err
}

// ---- Values of the usual types.

type (
	boolValue     bool
	intValue      int
	int64Value    int64
	uintValue     uint
	uint64Value   uint64
	stringValue   string
	float64Value  float64
	durationValue time.Duration
)

// keep stores what a conversion gave, though it may have failed.
func keep[V ~int | ~int64 | ~uint | ~uint64 | ~float64, N int64 | uint64 | float64](v *V, n N, err error) error {
	*v = V(n)
	return plain(err)
}

func (v *intValue) Set(s string) error {
	n, err := strconv.ParseInt(s, 0, strconv.IntSize)
	return keep(v, n, err)
}

func (v *int64Value) Set(s string) error {
	n, err := strconv.ParseInt(s, 0, 64)
	return keep(v, n, err)
}

func (v *uintValue) Set(s string) error {
	n, err := strconv.ParseUint(s, 0, strconv.IntSize)
	return keep(v, n, err)
}

func (v *uint64Value) Set(s string) error {
	n, err := strconv.ParseUint(s, 0, 64)
	return keep(v, n, err)
}

func (v *float64Value) Set(s string) error {
	x, err := strconv.ParseFloat(s, 64)
	return keep(v, x, err)
}

func (v *boolValue) Set(s string) error {
	b, err := strconv.ParseBool(s)
	*v = boolValue(b)
	return plain(err)
}

func (v *durationValue) Set(s string) error {
	d, err := time.ParseDuration(s)
	*v = durationValue(d)
	if err != nil {
		return errSyntax
	}
	return nil
}

func (v *stringValue) Set(s string) error {
	*v = stringValue(s)
	return nil
}

func (v *boolValue) String() string     { return strconv.FormatBool(bool(*v)) }
func (v *intValue) String() string      { return strconv.Itoa(int(*v)) }
func (v *int64Value) String() string    { return strconv.FormatInt(int64(*v), 10) }
func (v *uintValue) String() string     { return strconv.FormatUint(uint64(*v), 10) }
func (v *uint64Value) String() string   { return strconv.FormatUint(uint64(*v), 10) }
func (v *stringValue) String() string   { return string(*v) }
func (v *float64Value) String() string  { return strconv.FormatFloat(float64(*v), 'g', -1, 64) }
func (v *durationValue) String() string { return time.Duration(*v).String() }
func (v *boolValue) IsBoolFlag() bool   { return true }
func (v *boolValue) Get() any           { return bool(*v) }
func (v *intValue) Get() any            { return int(*v) }
func (v *int64Value) Get() any          { return int64(*v) }
func (v *uintValue) Get() any           { return uint(*v) }
func (v *uint64Value) Get() any         { return uint64(*v) }
func (v *stringValue) Get() any         { return string(*v) }
func (v *float64Value) Get() any        { return float64(*v) }
func (v *durationValue) Get() any       { return time.Duration(*v) }

// textValue is what the program reads itself; funcValue and boolFuncValue call it.
type (
	textValue     struct{ p encoding.TextUnmarshaler }
	funcValue     func(string) error
	boolFuncValue func(string) error
)

func (v textValue) Set(s string) error     { return v.p.UnmarshalText([]byte(s)) }
func (f funcValue) Set(s string) error     { return f(s) }
func (f boolFuncValue) Set(s string) error { return f(s) }

func (v textValue) Get() any { return v.p }

func (f boolFuncValue) IsBoolFlag() bool { return true }

func (f boolFuncValue) String() string { return "" }
func (f funcValue) String() string     { return "" }
func (v textValue) String() string {
	writer, canWrite := v.p.(encoding.TextMarshaler)
	if !canWrite {
		return ""
	}
	if text, err := writer.MarshalText(); err == nil {
		return string(text)
	}
	return ""
}

// ---- Sets of flags.

type ErrorHandling int

const (
	ContinueOnError ErrorHandling = iota
	ExitOnError
	PanicOnError
)

type Flag struct {
	Name     string
	Usage    string
	Value    Value
	DefValue string
}

type FlagSet struct {
	Usage func()

	name   string
	parsed bool
	actual map[string]*Flag
	formal map[string]*Flag
	args   []string // not yet parsed
	policy ErrorHandling
	output io.Writer
	undef  map[string]string // set before they were defined, and where
}

func NewFlagSet(name string, errorHandling ErrorHandling) *FlagSet {
	f := &FlagSet{name: name, policy: errorHandling}
	f.Usage = f.usage
	return f
}

func (f *FlagSet) Init(name string, errorHandling ErrorHandling) {
	f.name, f.policy = name, errorHandling
}

func (f *FlagSet) Name() string                 { return f.name }
func (f *FlagSet) ErrorHandling() ErrorHandling { return f.policy }
func (f *FlagSet) SetOutput(output io.Writer)   { f.output = output }
func (f *FlagSet) Parsed() bool                 { return f.parsed }
func (f *FlagSet) Args() []string               { return f.args }
func (f *FlagSet) NArg() int                    { return len(f.args) }
func (f *FlagSet) NFlag() int                   { return len(f.actual) }
func (f *FlagSet) Lookup(name string) *Flag     { return f.formal[name] }

func (f *FlagSet) Output() io.Writer {
	if f.output != nil {
		return f.output
	}
	return os.Stderr
}

func (f *FlagSet) Arg(i int) string {
	if uint(i) < uint(len(f.args)) {
		return f.args[i]
	}
	return ""
}

func visit(flags map[string]*Flag, fn func(*Flag)) {
	var names []string
	for name := range flags {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fn(flags[name])
	}
}

func (f *FlagSet) Visit(fn func(*Flag))    { visit(f.actual, fn) }
func (f *FlagSet) VisitAll(fn func(*Flag)) { visit(f.formal, fn) }

func (f *FlagSet) Set(name, value string) error { return f.set(name, value) }

// set is called by what users call: in their lines it is noted where a flag was set too early.
func (f *FlagSet) set(name, value string) error {
	flag, ok := f.formal[name]
	if !ok {
		if f.undef == nil {
			f.undef = map[string]string{}
		}
		_, file, line, ok := runtime.Caller(2)
		where := ""
		if ok {
			where = fmt.Sprintf("%s:%d", file, line)
		}
		f.undef[name] = where
		return fmt.Errorf("no such flag -%v", name)
	}
	if err := flag.Value.Set(value); err != nil {
		return err
	}
	f.note(flag)
	return nil
}

// note remembers that the flag has been set.
func (f *FlagSet) note(flag *Flag) { put(&f.actual, flag) }

func (f *FlagSet) Var(value Value, name string, usage string) {
	why := f.refuses(name)
	if why != "" {
		panic(why)
	}
	put(&f.formal, &Flag{name, usage, value, value.String()})
}

// put adds a flag to a map, which is made for the first one.
func put(to *map[string]*Flag, flag *Flag) {
	if *to == nil {
		*to = make(map[string]*Flag)
	}
	(*to)[flag.Name] = flag
}

// refuses says why there cannot be another flag of that name; nothing if there can.
func (f *FlagSet) refuses(name string) string {
	_, isTaken := f.formal[name]
	switch early := f.undef[name]; {
	case strings.HasPrefix(name, "-"):
		return f.complain("flag %q begins with -", name)
	case strings.Contains(name, "="):
		return f.complain("flag %q contains =", name)
	case isTaken && f.name == "":
		return f.complain("flag redefined: %s", name)
	case isTaken:
		return f.complain("%s flag redefined: %s", f.name, name)
	case early != "":
		return fmt.Sprintf("flag %s set at %s before being defined", name, early)
	}
	return ""
}

func (f *FlagSet) complain(format string, a ...any) string {
	text := fmt.Sprintf(format, a...)
	fmt.Fprintln(f.Output(), text)
	return text
}

// bind defines the flag of a variable, to which v leads, and gives it its default.
func bind[T any](f *FlagSet, name, usage string, p *T, v Value, value T) {
	*p = value
	f.Var(v, name, usage)
}

// fresh makes the variable of a flag that define defines.
func fresh[T any](define func(p *T, name string, value T, usage string), name, usage string, value T) *T {
	p := new(T)
	define(p, name, value, usage)
	return p
}

func (f *FlagSet) StringVar(p *string, name string, value string, usage string) {
	bind(f, name, usage, p, (*stringValue)(p), value)
}

func (f *FlagSet) BoolVar(p *bool, name string, value bool, usage string) {
	bind(f, name, usage, p, (*boolValue)(p), value)
}

func (f *FlagSet) IntVar(p *int, name string, value int, usage string) {
	bind(f, name, usage, p, (*intValue)(p), value)
}

func (f *FlagSet) Int64Var(p *int64, name string, value int64, usage string) {
	bind(f, name, usage, p, (*int64Value)(p), value)
}

func (f *FlagSet) UintVar(p *uint, name string, value uint, usage string) {
	bind(f, name, usage, p, (*uintValue)(p), value)
}

func (f *FlagSet) Uint64Var(p *uint64, name string, value uint64, usage string) {
	bind(f, name, usage, p, (*uint64Value)(p), value)
}

func (f *FlagSet) Float64Var(p *float64, name string, value float64, usage string) {
	bind(f, name, usage, p, (*float64Value)(p), value)
}

func (f *FlagSet) DurationVar(p *time.Duration, name string, value time.Duration, usage string) {
	bind(f, name, usage, p, (*durationValue)(p), value)
}

func (f *FlagSet) String(name string, value string, usage string) *string {
	return fresh(f.StringVar, name, usage, value)
}

func (f *FlagSet) Bool(name string, value bool, usage string) *bool {
	return fresh(f.BoolVar, name, usage, value)
}

func (f *FlagSet) Int(name string, value int, usage string) *int {
	return fresh(f.IntVar, name, usage, value)
}

func (f *FlagSet) Int64(name string, value int64, usage string) *int64 {
	return fresh(f.Int64Var, name, usage, value)
}

func (f *FlagSet) Uint(name string, value uint, usage string) *uint {
	return fresh(f.UintVar, name, usage, value)
}

func (f *FlagSet) Uint64(name string, value uint64, usage string) *uint64 {
	return fresh(f.Uint64Var, name, usage, value)
}

func (f *FlagSet) Float64(name string, value float64, usage string) *float64 {
	return fresh(f.Float64Var, name, usage, value)
}

func (f *FlagSet) Duration(name string, value time.Duration, usage string) *time.Duration {
	return fresh(f.DurationVar, name, usage, value)
}

func (f *FlagSet) BoolFunc(name, usage string, fn func(string) error) {
	f.Var(boolFuncValue(fn), name, usage)
}

func (f *FlagSet) Func(name, usage string, fn func(string) error) { f.Var(funcValue(fn), name, usage) }

func (f *FlagSet) TextVar(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	text, err := value.MarshalText()
	if err == nil {
		err = p.UnmarshalText(text)
	}
	if err != nil {
		panic(err)
	}
	f.Var(textValue{p}, name, usage)
}

// ---- Help.

// UnquoteUsage gives the name of the flag's value, which the usage text may put in back quotes.
func UnquoteUsage(flag *Flag) (name string, usage string) {
	usage = flag.Usage
	if before, rest, ok := strings.Cut(usage, "`"); ok {
		if name, after, ok := strings.Cut(rest, "`"); ok {
			return name, before + name + after
		}
	}
	switch v := flag.Value.(type) {
	case switchValue:
		if v.IsBoolFlag() {
			return "", usage
		}
		return "value", usage
	case *durationValue:
		return "duration", usage
	case *float64Value:
		return "float", usage
	case *intValue, *int64Value:
		return "int", usage
	case *stringValue:
		return "string", usage
	case *uintValue, *uint64Value:
		return "uint", usage
	}
	return "value", usage
}

// zeroOf is a zero value of v's type, or if that is a pointer, a pointer to one.
func zeroOf(v any) any

// isZero tells whether the default is what a variable of the type holds anyway. Methods of zero values may panic.
func isZero(flag *Flag) (ok bool, err error) {
	defer func() {
		if e := recover(); e != nil {
			typ := strings.TrimPrefix(fmt.Sprintf("%T", flag.Value), "*")
			err = fmt.Errorf("panic calling String method on zero %v for flag %s: %v", typ, flag.Name, e)
		}
	}()
	zero := zeroOf(flag.Value).(Value)
	return flag.DefValue == zero.String(), nil
}

func (f *FlagSet) PrintDefaults() {
	out := f.Output()
	var failed []any
	f.VisitAll(func(flag *Flag) {
		text, err := flag.describe()
		if err != nil {
			failed = append(failed, err)
		}
		fmt.Fprintln(out, text)
	})
	if len(failed) > 0 {
		fmt.Fprintln(out)
		for _, err := range failed {
			fmt.Fprintln(out, err)
		}
	}
}

// describe is what PrintDefaults prints of a flag, without its default if its value cannot say
// whether that is zero.
func (f *Flag) describe() (string, error) {
	const indent = "\n    \t"
	value, usage := UnquoteUsage(f)
	head, gap := "  -"+f.Name, indent
	if value != "" {
		head += " " + value
	}
	if len(head) <= len("  -x") {
		gap = "\t"
	}
	text := head + gap + strings.ReplaceAll(usage, "\n", indent)
	isEmpty, err := isZero(f)
	if isEmpty || err != nil {
		return text, err
	}
	if _, isString := f.Value.(*stringValue); isString {
		return text + fmt.Sprintf(" (default %q)", f.DefValue), nil
	}
	return text + fmt.Sprintf(" (default %v)", f.DefValue), nil
}

func (f *FlagSet) usage() {
	title := "Usage"
	if f.name != "" {
		title += " of " + f.name
	}
	fmt.Fprintln(f.Output(), title+":")
	f.PrintDefaults()
}

func (f *FlagSet) showUsage() {
	if f.Usage == nil {
		f.usage()
	} else {
		f.Usage()
	}
}

// ---- Parsing.

func (f *FlagSet) wrong(format string, a ...any) error {
	err := errors.New(f.complain(format, a...))
	f.showUsage()
	return err
}

// flags sets the flags at the front of the arguments: up to the first that is none, or behind "--".
func (f *FlagSet) flags() error {
	for len(f.args) > 0 {
		arg := f.args[0]
		name, dash := strings.CutPrefix(arg, "-")
		if !dash || name == "" {
			break
		}
		name = strings.TrimPrefix(name, "-")
		if strings.HasPrefix(name, "-") || strings.HasPrefix(name, "=") {
			return f.wrong("bad flag syntax: %s", arg)
		}
		f.args = f.args[1:]
		if name == "" {
			break
		}
		name, value, given := strings.Cut(name, "=")
		if err := f.assign(name, value, given); err != nil {
			return err
		}
	}
	return nil
}

// assign sets one flag. If its value was not given, a switch is turned on, and others take the next argument.
func (f *FlagSet) assign(name, value string, given bool) error {
	flag := f.formal[name]
	if flag == nil {
		if name != "help" && name != "h" {
			return f.wrong("flag provided but not defined: -%s", name)
		}
		f.showUsage()
		return ErrHelp
	}
	turn := isSwitch(flag.Value)
	if !given && turn {
		value = "true"
	} else if !given {
		if len(f.args) == 0 {
			return f.wrong("flag needs an argument: -%s", name)
		}
		value, f.args = f.args[0], f.args[1:]
	}
	err := flag.Value.Set(value)
	switch {
	case err == nil:
		f.note(flag)
		return nil
	case !turn:
		return f.wrong("invalid value %q for flag -%s: %v", value, name, err)
	case given:
		return f.wrong("invalid boolean value %q for -%s: %v", value, name, err)
	}
	return f.wrong("invalid boolean flag %s: %v", name, err)
}

func (f *FlagSet) Parse(arguments []string) error {
	f.parsed, f.args = true, arguments
	err := f.flags()
	if err == nil || f.policy == ContinueOnError {
		return err
	}
	if f.policy == PanicOnError {
		panic(err)
	}
	status := 2
	if err == ErrHelp {
		status = 0
	}
	os.Exit(status)
	return err
}

// ---- The command line.

var CommandLine = NewFlagSet(os.Args[0], ExitOnError)

//go:effect CommandLine
func init() { CommandLine.Usage = func() { Usage() } }

var Usage = func() {
	fmt.Fprintf(CommandLine.Output(), "Usage of %s:\n", os.Args[0])
	PrintDefaults()
}

func Parse()                       { CommandLine.Parse(os.Args[1:]) }
func Parsed() bool                 { return CommandLine.Parsed() }
func Args() []string               { return CommandLine.args }
func Arg(i int) string             { return CommandLine.Arg(i) }
func NArg() int                    { return CommandLine.NArg() }
func NFlag() int                   { return CommandLine.NFlag() }
func Lookup(name string) *Flag     { return CommandLine.Lookup(name) }
func Visit(fn func(*Flag))         { CommandLine.Visit(fn) }
func VisitAll(fn func(*Flag))      { CommandLine.VisitAll(fn) }
func Set(name, value string) error { return CommandLine.set(name, value) }

func Var(value Value, name string, usage string)         { CommandLine.Var(value, name, usage) }
func BoolFunc(name, usage string, fn func(string) error) { CommandLine.BoolFunc(name, usage, fn) }
func Func(name, usage string, fn func(string) error)     { CommandLine.Func(name, usage, fn) }

func PrintDefaults() { CommandLine.PrintDefaults() }

func TextVar(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	CommandLine.TextVar(p, name, value, usage)
}

func StringVar(p *string, name string, value string, usage string) {
	bind(CommandLine, name, usage, p, (*stringValue)(p), value)
}

func BoolVar(p *bool, name string, value bool, usage string) {
	bind(CommandLine, name, usage, p, (*boolValue)(p), value)
}

func IntVar(p *int, name string, value int, usage string) {
	bind(CommandLine, name, usage, p, (*intValue)(p), value)
}

func Int64Var(p *int64, name string, value int64, usage string) {
	bind(CommandLine, name, usage, p, (*int64Value)(p), value)
}

func UintVar(p *uint, name string, value uint, usage string) {
	bind(CommandLine, name, usage, p, (*uintValue)(p), value)
}

func Uint64Var(p *uint64, name string, value uint64, usage string) {
	bind(CommandLine, name, usage, p, (*uint64Value)(p), value)
}

func Float64Var(p *float64, name string, value float64, usage string) {
	bind(CommandLine, name, usage, p, (*float64Value)(p), value)
}

func DurationVar(p *time.Duration, name string, value time.Duration, usage string) {
	bind(CommandLine, name, usage, p, (*durationValue)(p), value)
}

func String(name string, value string, usage string) *string {
	return fresh(StringVar, name, usage, value)
}

func Bool(name string, value bool, usage string) *bool { return fresh(BoolVar, name, usage, value) }
func Int(name string, value int, usage string) *int    { return fresh(IntVar, name, usage, value) }
func Int64(name string, value int64, usage string) *int64 {
	return fresh(Int64Var, name, usage, value)
}

func Uint(name string, value uint, usage string) *uint { return fresh(UintVar, name, usage, value) }
func Uint64(name string, value uint64, usage string) *uint64 {
	return fresh(Uint64Var, name, usage, value)
}

func Float64(name string, value float64, usage string) *float64 {
	return fresh(Float64Var, name, usage, value)
}

func Duration(name string, value time.Duration, usage string) *time.Duration {
	return fresh(DurationVar, name, usage, value)
}
