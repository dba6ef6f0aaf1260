// run

// A configuration format: sections, inheritance, variables, includes, errors with lines, and writing.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing/fstest"
	"time"
	"unicode"
)

type Section struct {
	Name   string
	Parent *Section
	keys   []string
	values map[string]string
}

func (s *Section) Lookup(key string) (string, bool) {
	for ; s != nil; s = s.Parent {
		if v, ok := s.values[key]; ok {
			return v, true
		}
	}
	return "", false
}

type Config struct {
	Sections []*Section
	fsys     fs.FS
	depth    int
}

type ParseError struct {
	File string
	Line int
	Err  error
}

func (e *ParseError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }
func (e *ParseError) Unwrap() error { return e.Err }

var (
	sectionRE = regexp.MustCompile(`^\[\s*([\w.-]+)\s*(?::\s*([\w.-]+)\s*)?\]$`)
	keyRE     = regexp.MustCompile(`^([A-Za-z_][\w.-]*)\s*[=:]\s*(.*)$`)
	varRE     = regexp.MustCompile(`\$\{(?:([\w.-]+):)?([\w.-]+)(?:\|([^}]*))?\}|\$\$`)

	ErrDuplicate = errors.New("duplicate")
	ErrCycle     = errors.New("cycle")
)

func (c *Config) section(name string) *Section {
	i := slices.IndexFunc(c.Sections, func(s *Section) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	return c.Sections[i]
}

func (c *Config) load(name string) error {
	if c.depth++; c.depth > 5 {
		return fmt.Errorf("includes: %w", ErrCycle)
	}
	defer func() { c.depth-- }()
	f, err := c.fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	var cur *Section
	var errs []error
	n := 0
	fail := func(format string, args ...any) {
		errs = append(errs, &ParseError{name, n, fmt.Errorf(format, args...)})
	}
	for sc.Scan() {
		n++
		line := strings.TrimRightFunc(sc.Text(), unicode.IsSpace)
		for strings.HasSuffix(line, `\`) && sc.Scan() {
			n++
			line = strings.TrimSuffix(line, `\`) + strings.TrimSpace(sc.Text())
		}
		if i := strings.IndexAny(line, "#;"); i == 0 || i > 0 && line[i-1] == ' ' {
			line = strings.TrimSpace(line[:i])
		}
		switch {
		case line == "":
		case strings.HasPrefix(line, "include "):
			if err := c.load(strings.TrimSpace(line[8:])); err != nil {
				fail("%w", err)
			}
		case line[0] == '[':
			m := sectionRE.FindStringSubmatch(line)
			if m == nil {
				fail("bad section %s", line)
				continue
			}
			if c.section(m[1]) != nil {
				fail("section %s: %w", m[1], ErrDuplicate)
			}
			cur = &Section{Name: m[1], values: map[string]string{}}
			if m[2] != "" {
				if cur.Parent = c.section(m[2]); cur.Parent == nil {
					fail("no section %s", m[2])
				}
			}
			c.Sections = append(c.Sections, cur)
		default:
			m := keyRE.FindStringSubmatch(line)
			if m == nil {
				fail("no key in %q", line)
				continue
			}
			if cur == nil {
				fail("key %s outside of sections", m[1])
				continue
			}
			v := m[2]
			if strings.HasPrefix(v, `"`) {
				u, err := strconv.Unquote(v)
				if err != nil {
					fail("key %s: %w", m[1], err)
				}
				v = u
			}
			if _, dup := cur.values[m[1]]; dup {
				fail("key %s: %w", m[1], ErrDuplicate)
			} else {
				cur.keys = append(cur.keys, m[1])
			}
			cur.values[m[1]] = v
		}
	}
	return errors.Join(append(errs, sc.Err())...)
}

func (c *Config) Get(section, key string) (string, error) { return c.get(section, key, nil) }

func (c *Config) get(section, key string, stack []string) (string, error) {
	s := c.section(section)
	if s == nil {
		return "", fmt.Errorf("no section %q", section)
	}
	v, ok := s.Lookup(key)
	if !ok {
		return "", fmt.Errorf("no key %q in %q", key, section)
	}
	id := section + ":" + key
	if slices.Contains(stack, id) {
		return "", fmt.Errorf("%w: %s", ErrCycle, strings.Join(append(stack, id), " -> "))
	}
	stack = append(slices.Clone(stack), id)
	var err error
	v = varRE.ReplaceAllStringFunc(v, func(ref string) string {
		if ref == "$$" {
			return "$"
		}
		m := varRE.FindStringSubmatch(ref)
		from := m[1]
		if from == "" {
			from = section
		}
		x, e := c.get(from, m[2], stack)
		if e != nil && strings.Contains(ref, "|") && !errors.Is(e, ErrCycle) {
			return m[3]
		}
		err = errors.Join(err, e)
		return x
	})
	return v, err
}

func As[T any](c *Config, section, key string, parse func(string) (T, error)) (t T, err error) {
	s, err := c.Get(section, key)
	if err != nil {
		return t, err
	}
	if t, err = parse(s); err != nil {
		return t, fmt.Errorf("%s.%s: %w", section, key, err)
	}
	return t, nil
}

func (c *Config) WriteTo(w io.Writer) (n int64, err error) {
	for i, s := range c.Sections {
		var b strings.Builder
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("[" + s.Name)
		if s.Parent != nil {
			b.WriteString(" : " + s.Parent.Name)
		}
		b.WriteString("]\n")
		for _, k := range s.keys {
			v := s.values[k]
			if q := strconv.Quote(v); q != `"`+v+`"` || strings.TrimSpace(v) != v {
				v = q
			}
			fmt.Fprintf(&b, "%-10s = %s\n", k, v)
		}
		m, err := io.WriteString(w, b.String())
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

var files = fstest.MapFS{
	"main.ini": {Data: []byte(`# main
include common.ini
[server : base]
host = example.com ; the name
port: 8080
url = http://${host}:${port}/${path|index}
timeout = 1m30s
price = 5$$ or ${missing|nothing}
long = one \
   two \
   three
quoted = "tab\there # no comment "
debug = yes

[client : server]
port = 9090
server = ${server:url}
loop = ${client:pool}
pool = ${loop}
bad = ${nowhere:x}
`)},
	"common.ini": {Data: []byte("[base]\nscheme = https\npath = ${scheme}/home\n")},
	"broken.ini": {Data: []byte("stray = 1\n[ok]\nno equals sign\n[bad section]\nx = \"open\nx = 2\n[ok]\n[child : none]\ninclude missing.ini\ninclude broken.ini\n")},
}

func main() {
	c := &Config{fsys: files}
	fmt.Println(c.load("main.ini"))
	for _, k := range []string{"host", "url", "price", "long", "quoted", "scheme", "nothing"} {
		v, err := c.Get("server", k)
		fmt.Printf("%s = %q %v\n", k, v, err)
	}
	for _, k := range []string{"url", "server", "loop", "bad"} {
		v, err := c.Get("client", k)
		fmt.Printf("%s = %q %v %v\n", k, v, err, errors.Is(err, ErrCycle))
	}
	fmt.Println(As(c, "server", "port", strconv.Atoi))
	fmt.Println(As(c, "server", "timeout", time.ParseDuration))
	fmt.Println(As(c, "server", "debug", strconv.ParseBool))
	fmt.Println(As(c, "nothing", "x", strconv.Atoi))
	n, err := c.WriteTo(os.Stdout)
	fmt.Println(n, err)
	err = (&Config{fsys: files}).load("broken.ini")
	lines := strings.Split(err.Error(), "\n")
	fmt.Println(len(lines), strings.Join(lines[:6], "\n"))
	var pe *ParseError
	fmt.Println(errors.As(err, &pe), pe.Line, errors.Is(err, ErrDuplicate), errors.Is(err,
		fs.ErrNotExist), errors.Is(err, ErrCycle), errors.Is(err, strconv.ErrSyntax))
}
