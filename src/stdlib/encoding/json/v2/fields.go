package json

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"encoding/json/internal/jsonflags"
	"encoding/json/internal/jsonopts"
	"encoding/json/internal/jsonwire"
	"encoding/json/jsontext"
)

var valueType = reflect.TypeFor[jsontext.Value]()

type zeroer interface {
	IsZero() bool
}

var typeZeroer = reflect.TypeFor[zeroer]()

var errAllHidden = errors.New("Go struct has no exported fields")

// structFields are the fields of a struct as JSON has them, those of embedded structs among them.
type structFields struct {
	// fields are in the order of the Go text.
	fields []fieldPlan
	byName map[string]*fieldPlan
	// byFold has them by their folded names, those first that are less deep.
	byFold map[string][]*fieldPlan
	// fallback is where names without a field go, nil if nowhere.
	fallback *fieldPlan
	// wrong is what encoding/json does not mind.
	wrong *SemanticError
	// format is about a tag option that is not for everyone.
	format *SemanticError
}

// problem says what is wrong with the struct.
func (fs *structFields) problem(o *jsonopts.Struct) *SemanticError {
	if fs.wrong != nil && !o.Flags.Get(jsonflags.ReportErrorsWithLegacySemantics) {
		return fs.wrong
	}
	return fs.format
}

// lookup gives the field for a name, and whether there are several that suit it as well.
func (fs *structFields) lookup(name []byte, flags *jsonflags.Flags) (f *fieldPlan, several bool) {
	if f := fs.byName[string(name)]; f != nil {
		return f, false
	}
	n := 0
	for _, g := range fs.byFold[folded(name)] {
		if g.matches(name, flags) {
			if n++; n == 1 {
				f = g
			}
		}
	}
	return f, n > 1
}

// fieldPlan is a field.
type fieldPlan struct {
	// id is its place in the order of depth.
	id int
	// It is reached by index0, then by index.
	index0 int
	index  []int
	typ    reflect.Type
	// arshaler gives that of its type; of a fallback, that of the map's elements.
	arshaler func() *arshaler
	isZero   func(variable) bool
	isEmpty  func(variable) bool
	tagOptions
}

const (
	casingLoose = 1 << iota
	casingExact
)

// tagOptions are what the name and the tag of a field say.
type tagOptions struct {
	name        string
	inQuotes    string
	nameGiven   bool
	needsEscape bool
	casing      int
	embed       bool
	omitzero    bool
	omitempty   bool
	string      bool
	format      string
}

// matches says whether a name that differs from the field's means it all the same.
func (f *fieldPlan) matches(name []byte, flags *jsonflags.Flags) bool {
	if f.casing != casingLoose &&
		(f.casing == casingExact || !flags.Get(jsonflags.MatchCaseInsensitiveNames)) {
		return false
	}
	return !flags.Get(jsonflags.MatchCaseSensitiveDelimiter) ||
		strings.EqualFold(string(name), f.name)
}

// folded leaves out of a name what may differ.
func folded(name []byte) string {
	out := make([]byte, 0, len(name))
	for i := 0; i < len(name); {
		c := name[i]
		switch {
		case c == '_' || c == '-':
			i++
		case 'a' <= c && c <= 'z':
			out = append(out, c-'a'+'A')
			i++
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRune(name[i:])
			// The smallest of those that fold to one another stands for all.
			for next := unicode.SimpleFold(r); ; next = unicode.SimpleFold(r) {
				if next <= r {
					r = next
					break
				}
				r = next
			}
			out = utf8.AppendRune(out, r)
			i += n
		}
	}
	return string(out)
}

// indirect gives what an unnamed pointer type points to.
func indirect(t reflect.Type) reflect.Type {
	if t.Name() != "" || t.Kind() != reflect.Pointer {
		return t
	}
	return t.Elem()
}

// A collector finds the fields of a struct, level by level.
type collector struct {
	fs        *structFields
	queue     []level
	seen      map[reflect.Type]bool
	all       []fieldPlan
	fallbacks []fieldPlan
}

// level is a struct to look into.
type level struct {
	typ      reflect.Type
	index    []int
	children bool
}

func (c *collector) wrong(t reflect.Type, format string, args ...any) {
	if c.fs.wrong == nil {
		c.fs.wrong = &SemanticError{GoType: t, Err: fmt.Errorf(format, args...)}
	}
}

func fieldsOf(root reflect.Type) *structFields {
	c := collector{
		fs:    new(structFields),
		queue: []level{{root, nil, true}},
		seen:  map[reflect.Type]bool{root: true},
	}
	for len(c.queue) > 0 {
		l := c.queue[0]
		c.queue = c.queue[1:]
		c.collect(l)
	}
	return c.dominant()
}

// collect takes the fields of one struct.
func (c *collector) collect(l level) {
	t := l.typ
	fallback := -1
	names := make(map[string]int)
	tagged, usable := false, false
	for i := range t.NumField() {
		sf := t.Field(i)
		if _, ok := sf.Tag.Lookup("json"); ok {
			tagged = true
		}
		opts, ignored, err := readTag(sf)
		if err != nil && c.fs.wrong == nil {
			c.fs.wrong = &SemanticError{GoType: t, Err: err}
		}
		if ignored {
			continue
		}
		usable = true
		f := fieldPlan{
			index: append(slices.Clone(l.index), i), typ: sf.Type, tagOptions: opts,
		}
		if sf.Anonymous && !f.nameGiven {
			if indirect(f.typ).Kind() == reflect.Struct {
				f.embed = true
			} else {
				c.wrong(t, "embedded Go struct field %s of non-struct type must be explicitly given a JSON name", sf.Name)
			}
		}
		if f.embed {
			if !c.embedded(l, sf, &f, &fallback) {
				continue
			}
		}
		c.ordinary(t, sf, f, names)
	}
	if t.NumField() > 0 && !tagged && !usable && c.fs.wrong == nil {
		c.fs.wrong = &SemanticError{GoType: t, Err: errAllHidden}
	}
}

// embedded takes a field whose fields, or members, are the struct's. True: it is an ordinary field
// all the same.
func (c *collector) embedded(
	l level, sf reflect.StructField, f *fieldPlan, fallback *int,
) (ordinary bool) {
	t := l.typ
	plain := tagOptions{
		name: f.name, inQuotes: f.inQuotes, needsEscape: f.needsEscape, embed: true,
	}
	if f.needsEscape || f.tagOptions != plain {
		c.wrong(t, "Go struct field %s cannot have any options other than `embed` specified", sf.Name)
		if f.nameGiven {
			return true
		}
		f.tagOptions = tagOptions{name: f.name, inQuotes: f.inQuotes, embed: f.embed}
	}
	tf := indirect(f.typ)
	if hasMethodsOf(tf, methodTypes) && tf != valueType {
		c.wrong(t, "embedded Go struct field %s of type %s must not implement marshal or unmarshal methods", sf.Name, tf)
	}
	isMap := tf.Kind() == reflect.Map && tf.Key().Kind() == reflect.String
	switch {
	case tf.Kind() == reflect.Struct:
		if l.children {
			c.queue = append(c.queue, level{tf, f.index, !c.seen[tf]})
		}
		c.seen[tf] = true
		return false
	case !sf.IsExported():
		c.wrong(t, "embedded Go struct field %s is not exported", sf.Name)
		return false
	case !isMap && tf != valueType:
		c.wrong(t, "embedded Go struct field %s of type %s must be a Go struct, Go map of string key, or jsontext.Value", sf.Name, tf)
		return true
	case isMap && hasMethodsOf(tf.Key(), methodTypes):
		c.wrong(t, "embedded map field %s of type %s must have a string key that does not implement marshal or unmarshal methods", sf.Name, tf)
		return true
	case isMap:
		f.arshaler = lazily(tf.Elem())
	}
	if *fallback >= 0 {
		c.wrong(t, "embedded Go struct fields %s and %s cannot both be a Go map or jsontext.Value", t.Field(*fallback).Name, sf.Name)
	}
	*fallback = sf.Index[0]
	c.fallbacks = append(c.fallbacks, *f)
	return false
}

// ordinary takes a field that is a member.
func (c *collector) ordinary(t reflect.Type, sf reflect.StructField, f fieldPlan, names map[string]int) {
	if !sf.IsExported() {
		tf := indirect(f.typ)
		if !sf.Anonymous || tf.Kind() != reflect.Struct {
			c.wrong(t, "Go struct field %s is not exported", sf.Name)
			return
		}
		if hasMethodsOf(tf, methodTypes) ||
			f.omitzero && hasMethodsOf(tf, []reflect.Type{typeZeroer}) {
			c.wrong(t, "Go struct field %s is not exported for method calls", sf.Name)
			return
		}
	}
	asks := func(va variable) bool { return va.Interface().(zeroer).IsZero() }
	kind := sf.Type.Kind()
	switch byPointer, ok := implements(sf.Type, typeZeroer); {
	case !ok:
	case byPointer:
		f.isZero = func(va variable) bool { return va.Addr().Interface().(zeroer).IsZero() }
	case kind == reflect.Interface:
		f.isZero = func(va variable) bool {
			return va.IsNil() || va.Elem().Kind() == reflect.Pointer && va.Elem().IsNil() || asks(va)
		}
	case kind == reflect.Pointer:
		f.isZero = func(va variable) bool { return va.IsNil() || asks(va) }
	default:
		f.isZero = asks
	}
	switch kind {
	case reflect.Interface, reflect.Pointer:
		f.isEmpty = func(va variable) bool { return va.IsNil() }
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		f.isEmpty = func(va variable) bool { return va.Len() == 0 }
	}
	if j, ok := names[f.name]; ok {
		c.wrong(t, "Go struct fields %s and %s conflict over JSON object name %q", t.Field(j).Name, sf.Name, f.name)
	}
	names[f.name] = sf.Index[0]
	f.id = len(c.all)
	f.arshaler = lazily(sf.Type)
	c.all = append(c.all, f)
	if f.format != "" && c.fs.format == nil {
		cause := fmt.Errorf("Go struct field %s has unsupported `format` tag option", sf.Name)
		c.fs.format = &SemanticError{GoType: t, Err: cause}
	}
}

// dominant keeps of fields with the same name the one that Go's rules choose, if they do.
func (c *collector) dominant() *structFields {
	fs := c.fs
	byNameOrder := func(a, b fieldPlan) int {
		named := func(f fieldPlan) int {
			if f.nameGiven {
				return 0
			}
			return 1
		}
		return cmp.Or(
			strings.Compare(a.name, b.name),
			cmp.Compare(len(a.index), len(b.index)),
			cmp.Compare(named(a), named(b)))
	}
	slices.SortStableFunc(c.all, byNameOrder)
	for rest := c.all; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].name == rest[0].name {
			n++
		}
		if n == 1 || len(rest[0].index) != len(rest[1].index) || rest[0].nameGiven != rest[1].nameGiven {
			fs.fields = append(fs.fields, rest[0])
		}
		rest = rest[n:]
	}
	slices.SortFunc(fs.fields, func(a, b fieldPlan) int { return cmp.Compare(a.id, b.id) })
	for i := range fs.fields {
		fs.fields[i].id = i
	}
	slices.SortFunc(fs.fields, func(a, b fieldPlan) int { return slices.Compare(a.index, b.index) })
	fs.byName = make(map[string]*fieldPlan)
	fs.byFold = make(map[string][]*fieldPlan)
	for i := range fs.fields {
		f := &fs.fields[i]
		f.index0, f.index = f.index[0], f.index[1:]
		fs.byName[f.name] = f
		fold := folded([]byte(f.name))
		fs.byFold[fold] = append(fs.byFold[fold], f)
	}
	for _, alike := range fs.byFold {
		slices.SortFunc(alike, func(a, b *fieldPlan) int { return cmp.Compare(a.id, b.id) })
	}
	if n := len(c.fallbacks); n == 1 ||
		n > 1 && len(c.fallbacks[0].index) != len(c.fallbacks[1].index) {
		f := &c.fallbacks[0]
		f.index0, f.index = f.index[0], f.index[1:]
		fs.fallback = f
	}
	return fs
}

// readTag reads the tag of a field.
func readTag(sf reflect.StructField) (out tagOptions, ignored bool, err error) {
	tag, hasTag := sf.Tag.Lookup("json")
	ignored = tag == "-" || !sf.IsExported() && !sf.Anonymous
	if tag == "-" {
		return out, ignored, nil
	}
	wrong := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf("Go struct field "+sf.Name+" "+format, args...)
		}
	}
	if ignored {
		if hasTag {
			err = fmt.Errorf("unexported Go struct field %s cannot have non-ignored `json:%q` tag", sf.Name, tag)
		}
		return out, ignored, err
	}
	out.name = sf.Name
	if tag != "" && tag[0] != ',' {
		n := strings.IndexAny(tag, ",\\'\"`")
		if n < 0 {
			n = len(tag)
		}
		name, malformed := tag[:n], error(nil)
		if n < len(tag) && tag[n] != ',' {
			if name, n, malformed = tagItem(tag, false); malformed != nil {
				wrong("has malformed `json` tag: %v", malformed)
			}
		}
		if !utf8.ValidString(name) {
			wrong("has JSON object name %q with invalid UTF-8", name)
			name = string([]rune(name))
		}
		if malformed == nil {
			out.nameGiven, out.name = true, name
		}
		tag = tag[n:]
	}
	quoted, _ := jsonwire.AppendQuote(nil, out.name, &jsonflags.Flags{})
	out.inQuotes = string(quoted)
	out.needsEscape = jsonwire.NeedEscape(out.name)
	seen := make(map[string]bool)
	for tag != "" {
		if tag[0] != ',' {
			wrong("has malformed `json` tag: invalid character %q before next option (expecting ',')", tag[0])
		} else if tag = tag[1:]; tag == "" {
			wrong("has malformed `json` tag: invalid trailing ',' character")
			break
		}
		opt, n, malformed := tagItem(tag, false)
		if malformed != nil {
			wrong("has malformed `json` tag: %v", malformed)
		}
		raw := tag[:n]
		tag = tag[n:]
		if out.format != "" {
			wrong("has `format` tag option that was not specified last")
		} else if strings.HasPrefix(raw, "'") && strings.TrimFunc(opt, isWordRune) == "" {
			wrong("has unnecessarily quoted appearance of `%s` tag option; specify `%s` instead", raw, opt)
		}
		switch opt {
		case "string":
			out.string = true
		case "omitempty":
			out.omitempty = true
		case "omitzero":
			out.omitzero = true
		case "embed":
			out.embed = true
		case "case":
			raw, tag = out.parseCase(raw, tag, wrong)
		case "format":
			tag = out.parseFormat(tag, wrong)
		default:
			plain := strings.ReplaceAll(strings.ToLower(opt), "_", "")
			switch plain {
			case "case", "embed", "omitzero", "omitempty", "string", "format":
				wrong("has invalid appearance of `%s` tag option; specify `%s` instead", opt, plain)
			}
		}
		if out.casing == casingLoose|casingExact {
			wrong("cannot have both `case:ignore` and `case:strict` tag options")
		} else if seen[opt] {
			wrong("has duplicate appearance of `%s` tag option", raw)
		}
		seen[opt] = true
	}
	return out, false, err
}

// parseCase reads what follows `case`, and gives how the option is written and what is left.
func (out *tagOptions) parseCase(raw, tag string, wrong func(string, ...any)) (string, string) {
	if !strings.HasPrefix(tag, ":") {
		wrong("is missing value for `case` tag option; specify `case:ignore` or `case:strict` instead")
		return raw, tag
	}
	tag = tag[1:]
	val, n, err := tagItem(tag, false)
	if err != nil {
		wrong("has malformed value for `case` tag option: %v", err)
		return raw, tag
	}
	written := tag[:n]
	if strings.HasPrefix(written, "'") {
		wrong("has unnecessarily quoted appearance of `case:%s` tag option; specify `case:%s` instead", written, val)
	}
	switch val {
	case "ignore":
		out.casing |= casingLoose
	case "strict":
		out.casing |= casingExact
	default:
		wrong("has unknown `case:%s` tag value", written)
	}
	return raw, tag[n:]
}

// parseFormat reads what follows `format`, and gives what is left.
func (out *tagOptions) parseFormat(tag string, wrong func(string, ...any)) string {
	if !strings.HasPrefix(tag, ":") {
		wrong("is missing value for `format` tag option")
		return tag
	}
	tag = tag[1:]
	val, n, err := tagItem(tag, true)
	switch {
	case err != nil:
		wrong("has malformed value for `format` tag option: %v", err)
		return tag
	case val == "":
		wrong("cannot have empty value for `format` tag option")
		return tag
	}
	out.format = val
	return tag[n:]
}

// tagItem gives the option or value at the front, and how long it is as it is written.
func tagItem(in string, mayBeQuoted bool) (item string, length int, err error) {
	if in == "" {
		return "", 0, io.ErrUnexpectedEOF
	}
	first, _ := utf8.DecodeRuneInString(in)
	rest := strings.TrimLeftFunc(in, isWordRune)
	if n := len(in) - len(rest); n > 0 && !unicode.IsNumber(first) {
		return in[:n], n, nil
	}
	if first == '\'' && mayBeQuoted {
		if item, length, err = quotedItem(in); err == nil {
			return item, length, nil
		}
	} else {
		expected := "Unicode letter"
		if mayBeQuoted {
			expected += " or single quote"
		}
		err = fmt.Errorf("invalid character %q at start of option (expecting %s)", first, expected)
	}
	// What is wrong ends with a comma.
	item, _, _ = strings.Cut(in, ",")
	return item, len(item), err
}

// quotedItem is tagItem for one in single quotes. It is a string of Go with other quotes.
func quotedItem(in string) (item string, length int, err error) {
	end := 1
	for end < len(in) && in[end] != '\'' {
		if in[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(in) {
		err = fmt.Errorf("single-quoted string not terminated: %s...", in[:min(len(in), 10)])
		return "", 0, err
	}
	text := strings.NewReplacer(`\\`, `\\`, `\"`, `\"`, `\'`, `'`, `"`, `\"`).Replace(in[1:end])
	if item, err = strconv.Unquote(`"` + text + `"`); err != nil {
		err = fmt.Errorf("invalid single-quoted string: %s", in[:end+1])
	}
	return item, end + 1, err
}

// isWordRune says whether r may stand in a word that needs no quotes.
func isWordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N) || r == '_'
}
