package debug

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
)

// What a program was built of. As text, each module and setting is a line, whose columns are
// separated by tabs.

type Module struct {
	Path    string
	Version string
	Sum     string
	Replace *Module
}

type BuildSetting struct {
	Key, Value string
}

type BuildInfo struct {
	GoVersion string
	Path      string
	Main      Module
	Deps      []*Module
	Settings  []BuildSetting
}

// buildText is what ReadBuildInfo tells, as text without the version of Go; "" if nothing is known.
func buildText() string

func ReadBuildInfo() (info *BuildInfo, ok bool) {
	text := buildText()
	if text == "" {
		return nil, false
	}
	info, err := ParseBuildInfo(text)
	if err != nil {
		return nil, false
	}
	info.GoVersion = runtime.Version()
	return info, true
}

// special are the characters for which a key or value is quoted.
const special = " \t\r\n\"`"

func quoted(s string, alsoFor string) string {
	if strings.ContainsAny(s, special+alsoFor) {
		return strconv.Quote(s)
	}
	return s
}

func (bi *BuildInfo) String() string {
	var b strings.Builder
	line := func(columns ...string) { b.WriteString(strings.Join(columns, "\t") + "\n") }
	var module func(word string, m *Module)
	module = func(word string, m *Module) {
		if m.Replace == nil {
			line(word, m.Path, m.Version, m.Sum)
			return
		}
		line(word, m.Path, m.Version)
		module("=>", m.Replace)
		line()
	}
	if bi.GoVersion != "" {
		line("go", bi.GoVersion)
	}
	if bi.Path != "" {
		line("path", bi.Path)
	}
	if bi.Main != (Module{}) {
		module("mod", &bi.Main)
	}
	for _, m := range bi.Deps {
		module("dep", m)
	}
	for _, s := range bi.Settings {
		key := quoted(s.Key, "=")
		if key == "" {
			key = `""`
		}
		line("build", key+"="+quoted(s.Value, ""))
	}
	return b.String()
}

func ParseBuildInfo(data string) (*BuildInfo, error) {
	info := new(BuildInfo)
	var last *Module // what a replacement is of
	number := 0
	for whole := range strings.Lines(data) {
		number++
		text, isWhole := strings.CutSuffix(whole, "\n")
		if !isWhole {
			break
		}
		if err := info.take(text, &last); err != nil {
			return nil, fmt.Errorf("could not parse Go build info: line %d: %w", number, err)
		}
	}
	return info, nil
}

// take reads one line.
func (bi *BuildInfo) take(text string, last **Module) error {
	word, rest, ok := strings.Cut(text, "\t")
	if !ok {
		return nil
	}
	columns := strings.Split(rest, "\t")
	switch word {
	case "path":
		bi.Path = rest
	case "mod", "dep":
		if n := len(columns); n != 2 && n != 3 {
			return fmt.Errorf("expected 2 or 3 columns; got %d", n)
		}
		*last = &bi.Main
		if word == "dep" {
			*last = new(Module)
			bi.Deps = append(bi.Deps, *last)
		}
		(*last).Path, (*last).Version = columns[0], columns[1]
		if len(columns) == 3 {
			(*last).Sum = columns[2]
		}
	case "=>":
		if n := len(columns); n != 3 {
			return fmt.Errorf("expected 3 columns for replacement; got %d", n)
		}
		if *last == nil {
			return errors.New("replacement with no module on previous line")
		}
		(*last).Replace = &Module{Path: columns[0], Version: columns[1], Sum: columns[2]}
		*last = nil
	case "build":
		return bi.takeSetting(rest)
	}
	return nil
}

func isQuoted(s string) bool { return s != "" && (s[0] == '"' || s[0] == '`') }

func (bi *BuildInfo) takeSetting(text string) error {
	if text == "" {
		return errors.New("build line with missing key")
	}
	key, value := "", ""
	if isQuoted(text) {
		prefix, err := strconv.QuotedPrefix(text)
		if err != nil {
			return errors.New("invalid quoted key in build line")
		}
		if value = text[len(prefix):]; value == "" {
			return errors.New("build line missing '=' after quoted key")
		}
		if value[0] != '=' {
			return fmt.Errorf("unexpected character after quoted key: %q", value[0])
		}
		key, _ = strconv.Unquote(prefix)
		value = value[1:]
	} else {
		var ok bool
		if key, value, ok = strings.Cut(text, "="); !ok {
			return errors.New("build line missing '=' after key")
		}
		if key == "" {
			return errors.New("build line with missing key")
		}
		if strings.ContainsAny(key, special) {
			return fmt.Errorf("unquoted key %q must be quoted", key)
		}
	}
	if isQuoted(value) {
		var err error
		if value, err = strconv.Unquote(value); err != nil {
			return errors.New("invalid quoted value in build line")
		}
	} else if strings.ContainsAny(value, special) {
		return fmt.Errorf("unquoted value %q must be quoted", value)
	}
	bi.Settings = append(bi.Settings, BuildSetting{key, value})
	return nil
}
