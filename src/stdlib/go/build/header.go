package build

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	errSyntax = errors.New("syntax error")
	errNUL    = errors.New("unexpected NUL in input")
)

// header is at a place in a file's text.
type header struct {
	text []byte
	at   int
	err  error // the first
}

func newHeader(text []byte) *header {
	return &header{text: bytes.TrimPrefix(text, []byte("\ufeff"))}
}

// get returns the byte at hand, 0 at the end of the text or behind an error.
func (h *header) get() byte {
	if h.err != nil || h.at >= len(h.text) {
		return 0
	}
	if h.text[h.at] == 0 {
		h.fail(errNUL)
	}
	return h.text[h.at]
}

func (h *header) fail(err error) {
	if h.err == nil {
		h.err = err
	}
}

// skip goes behind white space, semicolons and comments, and returns the byte there.
func (h *header) skip() byte {
	for {
		switch c := h.get(); c {
		case ' ', '\f', '\t', '\r', '\n', ';':
			h.at++
		case '/':
			h.comment()
		default:
			return c
		}
	}
}

func (h *header) comment() {
	rest := h.text[h.at:]
	size := len(rest)
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			size = i + 1
		}
	case bytes.HasPrefix(rest, []byte("/*")):
		i := bytes.Index(rest[2:], []byte("*/"))
		if i < 0 {
			if bytes.IndexByte(rest, 0) >= 0 {
				h.fail(errNUL)
			}
			h.fail(errSyntax)
			return
		}
		size = i + 4
	default:
		h.at++
		h.get()
		h.fail(errSyntax)
		return
	}
	if bytes.IndexByte(rest[:size], 0) >= 0 {
		h.fail(errNUL)
	}
	h.at += size
}

func inName(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' ||
		'a' <= c && c <= 'z'
}

func (h *header) name() {
	if !inName(h.skip()) {
		h.fail(errSyntax)
	}
	for inName(h.get()) {
		h.at++
	}
}

func (h *header) keyword(word string) {
	for h.skip(); word != "" && h.get() == word[0]; word = word[1:] {
		h.at++
	}
	if word != "" || inName(h.get()) {
		h.fail(errSyntax)
	}
}

func (h *header) quoted() {
	quote := h.skip()
	if quote != '"' && quote != '`' {
		h.fail(errSyntax)
		return
	}
	h.at++
	for h.err == nil {
		c := h.get()
		if h.at >= len(h.text) || quote == '"' && c == '\n' {
			h.fail(errSyntax)
			return
		}
		h.at++
		if c == quote {
			return
		}
		if quote == '"' && c == '\\' {
			h.get()
			h.at++
		}
	}
}

func (h *header) imported() {
	if c := h.skip(); c == '.' {
		h.at++
	} else if inName(c) {
		h.name()
	}
	h.quoted()
}

// imports returns a Go file's text up to what stands behind its imports; all of it, if something in
// front of that is wrong, which the parser will tell.
func (h *header) imports() ([]byte, error) {
	h.keyword("package")
	h.name()
	for h.skip() == 'i' {
		h.keyword("import")
		if h.skip() != '(' {
			h.imported()
			continue
		}
		h.at++
		for h.err == nil && h.skip() != ')' {
			h.imported()
		}
		h.at++
	}
	if h.err == errSyntax {
		return h.text, nil
	}
	return h.text[:min(h.at, len(h.text))], h.err
}

// comments returns the comments that a file begins with.
func (h *header) comments() ([]byte, error) {
	h.skip()
	return h.text[:h.at], h.err
}

// source is what a file tells of itself.
type source struct {
	name       string // with its folder
	header     []byte
	file       *ast.File // nil if it was not parsed
	wrong      error     // of the parser
	imports    []imported
	embeds     []embedded
	directives []Directive
}

type imported struct {
	path string
	pos  token.Pos
	doc  *ast.CommentGroup
}

type embedded struct {
	pattern string
	pos     token.Position
}

// parse parses the imports of a file. text is all of it.
func (s *source) parse(fset *token.FileSet, text []byte) error {
	const mode = parser.ImportsOnly | parser.ParseComments | parser.SkipObjectResolution
	s.file, s.wrong = parser.ParseFile(fset, s.name, s.header, mode)
	if s.wrong != nil {
		return nil
	}
	embeds := false
	for _, d := range s.file.Decls {
		d, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range d.Specs {
			spec, ok := spec.(*ast.ImportSpec)
			if !ok {
				continue
			}
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return fmt.Errorf("parser returned invalid quoted string: <%s>", spec.Path.Value)
			}
			if !isPath(path) {
				pos := fset.Position(spec.Pos())
				s.wrong = &scanner.Error{Pos: pos, Msg: "invalid import path: " + path}
				s.imports = nil
				return nil
			}
			entry := imported{path, spec.Pos(), spec.Doc}
			if entry.doc == nil && len(d.Specs) == 1 {
				entry.doc = d.Doc
			}
			s.imports = append(s.imports, entry)
			embeds = embeds || path == "embed"
		}
	}
	for _, g := range s.file.Comments {
		if g.Pos() >= s.file.Package {
			break
		}
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//go:") {
				s.directives = append(s.directives, Directive{c.Text, fset.Position(c.Slash)})
			}
		}
	}
	if embeds {
		s.findEmbeds(text)
	}
	return nil
}

func isPath(s string) bool {
	for _, c := range s {
		if !unicode.IsGraphic(c) || unicode.IsSpace(c) ||
			strings.ContainsRune("!\"#$%&'()*,:;<=>?[\\]^{|}`\uFFFD", c) {
			return false
		}
	}
	return s != ""
}

// findEmbeds finds `//go:embed` lines. Those that are wrong are left to the compiler.
func (s *source) findEmbeds(text []byte) {
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile(s.name, -1, len(text))
	sc.Init(file, text, nil, scanner.ScanComments)
	for {
		pos, tok, lit := sc.Scan()
		switch {
		case tok == token.EOF:
			return
		case tok != token.COMMENT, !strings.HasPrefix(lit, "//go:embed"):
			continue
		}
		d, ok := ast.ParseDirective(pos, lit)
		if !ok || d.Tool != "go" || d.Name != "embed" {
			continue
		}
		if args, err := d.ParseArgs(); err == nil {
			for _, arg := range args {
				s.embeds = append(s.embeds, embedded{arg.Arg, file.Position(arg.Pos)})
			}
		}
	}
}

// word takes the first word of text off, behind white space and comments.
func word(text []byte) (string, []byte) {
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		end := "\n"
		if bytes.HasPrefix(text, []byte("/*")) {
			text = text[2:]
			end = "*/"
		} else if !bytes.HasPrefix(text, []byte("//")) {
			break
		}
		var ok bool
		if _, text, ok = bytes.Cut(text, []byte(end)); !ok {
			return "", nil
		}
	}
	end := bytes.IndexFunc(text, func(c rune) bool {
		return !unicode.IsLetter(c) && !('0' <= c && c <= '9') && c != '_'
	})
	if end < 0 {
		end = len(text)
	}
	if end == 0 {
		return "", nil
	}
	return string(text[:end]), text[end:]
}

// importComment returns what is quoted in a comment `import "path"` behind the package clause.
func importComment(text []byte) (quoted string, ok bool) {
	first, text := word(text)
	if first != "package" {
		return "", false
	}
	_, text = word(text)
	text = bytes.TrimLeft(text, " \t\r")
	var comment []byte
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		comment, _, _ = bytes.Cut(text[2:], []byte("\n"))
	case bytes.HasPrefix(text, []byte("/*")):
		comment, _, ok = bytes.Cut(text[2:], []byte("*/"))
		if !ok || bytes.Contains(comment, []byte("\n")) {
			return "", false
		}
	}
	first, rest := word(bytes.TrimSpace(comment))
	return strings.TrimSpace(string(rest)), first == "import"
}
