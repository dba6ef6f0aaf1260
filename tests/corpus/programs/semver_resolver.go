// run

// Versions parsed and compared, ranges of them, and a resolver of dependencies that backtracks.
package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

type Version struct {
	Major, Minor, Patch uint64
	Pre                 []string
	Build               string
}

var versionRE = regexp.MustCompile(`^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
	`(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$`)

func Parse(s string) (v Version, err error) {
	m := versionRE.FindStringSubmatch(s)
	if m == nil {
		return v, fmt.Errorf("%q is no version", s)
	}
	for i, p := range []*uint64{&v.Major, &v.Minor, &v.Patch} {
		if *p, err = strconv.ParseUint(m[i+1], 10, 64); err != nil {
			return v, fmt.Errorf("%q: %w", s, err)
		}
	}
	if m[4] != "" {
		v.Pre = strings.Split(m[4], ".")
	}
	v.Build = m[5]
	return v, nil
}

func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	if v.Pre != nil {
		s += "-" + strings.Join(v.Pre, ".")
	}
	if v.Build != "" {
		s += "+" + v.Build
	}
	return s
}

func comparePart(a, b string) int {
	x, err := strconv.ParseUint(a, 10, 64)
	y, err2 := strconv.ParseUint(b, 10, 64)
	switch {
	case err == nil && err2 == nil:
		return cmp.Compare(x, y)
	case err == nil:
		return -1
	case err2 == nil:
		return 1
	}
	return strings.Compare(a, b)
}

func (v Version) Compare(w Version) int {
	if c := cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor),
		cmp.Compare(v.Patch, w.Patch)); c != 0 {
		return c
	}
	switch {
	case v.Pre == nil && w.Pre == nil:
		return 0
	case v.Pre == nil:
		return 1
	case w.Pre == nil:
		return -1
	}
	return slices.CompareFunc(v.Pre, w.Pre, comparePart)
}

type Range struct {
	text string
	test func(Version) bool
}

func (r Range) String() string { return r.text }

func parseRange(s string) (Range, error) {
	var alts []func(Version) bool
	for alt := range strings.SplitSeq(s, "||") {
		var all []func(Version) bool
		for term := range strings.FieldsSeq(alt) {
			t, err := parseTerm(term)
			if err != nil {
				return Range{}, err
			}
			all = append(all, t)
		}
		alts = append(alts, func(v Version) bool {
			return !slices.ContainsFunc(all, func(t func(Version) bool) bool { return !t(v) })
		})
	}
	return Range{s, func(v Version) bool {
		return slices.ContainsFunc(alts, func(t func(Version) bool) bool { return t(v) })
	}}, nil
}

func parseTerm(s string) (func(Version) bool, error) {
	if s == "*" {
		return func(Version) bool { return true }, nil
	}
	i := strings.IndexFunc(s, func(r rune) bool { return r >= '0' && r <= '9' || r == 'v' })
	if i < 0 {
		return nil, fmt.Errorf("%q is no range", s)
	}
	op, rest := s[:i], s[i:]
	v, err := Parse(rest)
	if err != nil {
		return nil, err
	}
	upper := v
	switch op {
	case "^":
		switch {
		case v.Major > 0:
			upper = Version{Major: v.Major + 1}
		case v.Minor > 0:
			upper = Version{Minor: v.Minor + 1}
		default:
			upper = Version{Patch: v.Patch + 1}
		}
	case "~":
		upper = Version{Major: v.Major, Minor: v.Minor + 1}
	}
	switch op {
	case "^", "~":
		return func(x Version) bool { return x.Compare(v) >= 0 && x.Compare(upper) < 0 }, nil
	case "", "=":
		return func(x Version) bool { return x.Compare(v) == 0 }, nil
	case ">":
		return func(x Version) bool { return x.Compare(v) > 0 }, nil
	case ">=":
		return func(x Version) bool { return x.Compare(v) >= 0 }, nil
	case "<":
		return func(x Version) bool { return x.Compare(v) < 0 }, nil
	case "<=":
		return func(x Version) bool { return x.Compare(v) <= 0 }, nil
	case "!=":
		return func(x Version) bool { return x.Compare(v) != 0 }, nil
	}
	return nil, fmt.Errorf("unknown operator %q", op)
}

type registry map[string]map[string]map[string]string

type conflict struct {
	pkg    string
	wanted []string
}

func (c *conflict) Error() string {
	return fmt.Sprintf("no version of %s fits %s", c.pkg, strings.Join(c.wanted, " and "))
}

type resolver struct {
	reg    registry
	chosen map[string]Version
	wants  map[string][]string
	tries  int
}

func (r *resolver) fits(pkg string, v Version) bool {
	for _, w := range r.wants[pkg] {
		rng, err := parseRange(w)
		if err != nil || !rng.test(v) {
			return false
		}
	}
	return true
}

func (r *resolver) solve(todo []string) error {
	for len(todo) > 0 {
		v, ok := r.chosen[todo[0]]
		if !ok {
			break
		}
		if !r.fits(todo[0], v) {
			return &conflict{todo[0], r.wants[todo[0]]}
		}
		todo = todo[1:]
	}
	if len(todo) == 0 {
		return nil
	}
	pkg := todo[0]
	if r.reg[pkg] == nil {
		return fmt.Errorf("unknown package %s", pkg)
	}
	var versions []Version
	for s := range r.reg[pkg] {
		v, err := Parse(s)
		if err != nil {
			return err
		}
		if r.fits(pkg, v) {
			versions = append(versions, v)
		}
	}
	slices.SortFunc(versions, func(a, b Version) int { return b.Compare(a) })
	var last error = &conflict{pkg, slices.Clone(r.wants[pkg])}
	for _, v := range versions {
		r.tries++
		saved, wants := maps.Clone(r.chosen), map[string][]string{}
		for k, w := range r.wants {
			wants[k] = slices.Clone(w)
		}
		r.chosen[pkg] = v
		next := slices.Clone(todo[1:])
		deps := r.reg[pkg][v.String()]
		for _, d := range slices.Sorted(maps.Keys(deps)) {
			r.wants[d] = append(r.wants[d], deps[d])
			next = append(next, d)
		}
		err := r.solve(next)
		if err == nil {
			return nil
		}
		last = fmt.Errorf("%s %v: %w", pkg, v, err)
		r.chosen, r.wants = saved, wants
	}
	return last
}

func resolve(reg registry, roots map[string]string) (map[string]Version, int, error) {
	r := &resolver{reg: reg, chosen: map[string]Version{}, wants: map[string][]string{}}
	for k, v := range roots {
		r.wants[k] = []string{v}
	}
	err := r.solve(slices.Sorted(maps.Keys(roots)))
	return r.chosen, r.tries, err
}

func main() {
	list := []string{"1.0.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.11",
		"1.0.0-beta.2", "1.0.0-rc.1+build.5",
		"2.1.0", "2.0.9", "10.0.0", "0.0.1", "v1.2.3", "01.2.3", "1.2", "1.2.3-", "1.2.3-01",
		"1.2.3+", "99999999999999999999.0.0", ""}
	var good []Version
	for _, s := range list {
		v, err := Parse(s)
		if err != nil {
			fmt.Println(err, errors.Is(err, strconv.ErrRange))
			continue
		}
		good = append(good, v)
	}
	slices.SortFunc(good, Version.Compare)
	fmt.Println(good)
	for _, s := range []string{"^1.2.3", "~1.2.3", "^0.2.3", "^0.0.3", ">=1.0.0 <2.0.0 !=1.5.0",
		"<0.1.0 || >=2.0.0", "*", "=1.2.3", "abc", "=>1.0.0", "^1"} {
		r, err := parseRange(s)
		if err != nil {
			fmt.Println(s, err)
			continue
		}
		var in []string
		for _, t := range []string{"0.0.3", "0.0.4", "0.2.3", "0.2.9", "0.3.0", "1.2.2", "1.2.3",
			"1.2.9", "1.5.0", "2.0.0", "2.0.0-rc.1"} {
			if v, _ := Parse(t); r.test(v) {
				in = append(in, t)
			}
		}
		fmt.Println(r, in)
	}
	reg := registry{
		"app":   {"1.0.0": {"web": "^2.0.0", "db": "*"}, "0.9.0": {"web": "^1.0.0"}},
		"web":   {"2.1.0": {"core": "^3.0.0"}, "2.0.0": {"core": "^2.0.0"}, "1.0.0": {"core": "^1.0.0"}},
		"db":    {"1.1.0": {"core": "~2.5.0"}, "1.0.0": {"core": "^1.0.0"}},
		"core":  {"3.0.0": nil, "2.6.0": nil, "2.5.3": {"util": ">=1.0.0"}, "2.5.1": nil, "1.0.0": nil},
		"util":  {"0.9.0": nil},
		"loop":  {"1.0.0": {"loop2": "*"}},
		"loop2": {"1.0.0": {"loop": "*"}},
		"bad":   {"1.0.0": {"core": "^9.0.0"}, "0.1.0": {"nowhere": "*"}},
	}
	for _, roots := range []map[string]string{{"app": "^1.0.0"}, {"app": "*"}, {"app": "1.0.0",
		"core": "^3.0.0"}, {"loop": "*"}, {"bad": "*"}, {"web": "^2.0.0", "util": "*"}} {
		chosen, tries, err := resolve(reg, roots)
		var c *conflict
		fmt.Println(roots, chosen, tries, err, errors.As(err, &c))
	}
}
