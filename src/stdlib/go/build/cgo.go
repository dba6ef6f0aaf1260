package build

import (
	"errors"
	"fmt"
	"go/build/constraint"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cgo reads lines `#cgo [systems] FLAGS: arguments` of the comment on an import of "C".
func (c *Context) cgo(name string, p *Package, text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		invalid := func(what string) error {
			return fmt.Errorf("%s: invalid #cgo %s: %s", name, what, line)
		}
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "#cgo")
		if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
			continue
		}
		words := strings.Fields(rest)
		if len(words) == 2 && (words[0] == "nocallback" || words[0] == "noescape") {
			continue
		}
		before, arguments, ok := strings.Cut(rest, ":")
		words = strings.Fields(before)
		if !ok || len(words) == 0 {
			return invalid("line")
		}
		last := len(words) - 1
		if last > 0 && !c.hasAny(words[:last]) {
			continue
		}
		args, err := split(arguments)
		if err != nil {
			return invalid("line")
		}
		for i, arg := range args {
			if args[i], ok = inDir(arg, p.Dir); !ok {
				return fmt.Errorf("%s: malformed #cgo argument: %s", name, args[i])
			}
		}
		var flags *[]string
		switch words[last] {
		case "CFLAGS":
			flags = &p.CgoCFLAGS
		case "CPPFLAGS":
			flags = &p.CgoCPPFLAGS
		case "CXXFLAGS":
			flags = &p.CgoCXXFLAGS
		case "FFLAGS":
			flags = &p.CgoFFLAGS
		case "LDFLAGS":
			flags = &p.CgoLDFLAGS
		case "pkg-config":
			p.CgoPkgConfig = append(p.CgoPkgConfig, args...)
			continue
		default:
			return invalid("verb")
		}
		absolute(args, p.Dir)
		*flags = append(*flags, args...)
	}
	return nil
}

// hasAny says whether one of several constraints of either form is met.
func (c *Context) hasAny(list []string) bool {
	for _, text := range list {
		mark := "// +build "
		if strings.ContainsAny(text, "&|()") {
			mark = "//go:build "
		}
		x, err := constraint.Parse(mark + text)
		if err == nil && x.Eval(func(tag string) bool { return c.has(tag, nil) }) {
			return true
		}
	}
	return false
}

// inDir puts a folder in place of `${SRCDIR}`, and says whether the result is harmless.
func inDir(arg, dir string) (string, bool) {
	parts := strings.Split(arg, "${SRCDIR}")
	if len(parts) == 1 {
		return arg, arg != "" && isHarmless(arg)
	}
	arg = strings.Join(parts, dir)
	return arg, arg != "" && isHarmless(strings.Join(parts, "")) && isHarmless(dir)
}

func isHarmless(s string) bool {
	const punctuation = "+-.,/=_:$@%! ~^"
	return strings.IndexFunc(s, func(c rune) bool {
		return c < utf8.RuneSelf && !inName(byte(c)) && !strings.ContainsRune(punctuation, c)
	}) < 0
}

// absolute makes the paths behind -I and -L absolute.
func absolute(args []string, dir string) {
	for i := 0; i < len(args); i++ {
		flag := args[i]
		if !strings.HasPrefix(flag, "-I") && !strings.HasPrefix(flag, "-L") {
			continue
		}
		flag, path := flag[:2], flag[2:]
		if path == "" {
			flag = ""
			if i++; i == len(args) {
				return
			}
			path = args[i]
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		args[i] = flag + path
	}
}

// split splits text at white space that is not quoted or behind a backslash. Quotes of both kinds
// and backslashes are taken away.
func split(text string) (words []string, err error) {
	var word []rune
	var quote rune
	quoted, escaped := false, false
	end := func() {
		if quoted || len(word) > 0 {
			words = append(words, string(word))
		}
		word, quoted = nil, false
	}
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
			word = append(word, c)
		case c == '\\':
			escaped = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word = append(word, c)
		case c == '"' || c == '\'':
			quote, quoted = c, true
		case unicode.IsSpace(c):
			end()
		default:
			word = append(word, c)
		}
	}
	end()
	switch {
	case quote != 0:
		err = errors.New("unclosed quote")
	case escaped:
		err = errors.New("unfinished escaping")
	}
	return words, err
}
