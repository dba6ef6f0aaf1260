package comment

// This file reads text: links, quotes, URLs and words.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// linked reads text in which links may stand in brackets.
func (r *reader) linked(text string) []Text {
	var out []Text
	done := 0
	first, open := -1, -1 // of the brackets since the last that closes
	for i := 0; i < len(text); i++ {
		if text[i] == '[' {
			open = i
			if first < 0 {
				first = i
			}
		}
		if text[i] != ']' || open < 0 {
			continue
		}
		link := r.defined(text[first+1:i], text[open+1:i])
		if link == nil {
			link = r.docLink(text[open+1:i], text[:open], text[i+1:])
		}
		if link != nil {
			if done < open {
				out = r.words(out, text[done:open], true)
			}
			out = append(out, link)
			done = i + 1
		}
		first, open = -1, -1
	}
	if done < len(text) {
		out = r.words(out, text[done:], true)
	}
	return out
}

// key makes one line of text in brackets, without any that open in it.
var key = strings.NewReplacer("\n", " ", "\t", " ", "[", "")

// defined returns the link that the comment defines for what is named, or nil.
func (r *reader) defined(name, text string) Text {
	if len(r.links) == 0 {
		return nil
	}
	def := r.links[key.Replace(name)]
	if def == nil {
		return nil
	}
	def.Used = true
	return &Link{Text: r.words(nil, text, false), URL: def.URL}
}

// docLink returns the link to documentation that text in brackets is, or nil.
func (r *reader) docLink(inside, before, after string) Text {
	left, _ := utf8.DecodeLastRuneInString(before)
	right, _ := utf8.DecodeRuneInString(after)
	if before != "" && !separates(left) || after != "" && !separates(right) {
		return nil
	}
	link := new(DocLink)
	path, name, ok := cutName(strings.TrimPrefix(inside, "*"))
	if ok {
		path, link.Recv, _ = cutName(path)
	}
	link.Name = name
	if path != "" {
		link.ImportPath, ok = r.pkg(path)
	} else {
		ok = r.LookupSym != nil && r.LookupSym(link.Recv, name)
	}
	if !ok {
		return nil
	}
	link.Text = r.words(nil, inside, false)
	return link
}

// separates says whether c can stand beside a link to documentation. Others make an index or a type
// of the brackets.
func separates(c rune) bool {
	return c == ' ' || c == '\t' || c == '\n' || unicode.IsPunct(c)
}

// cutName cuts an exported name off, and the dot before it.
func cutName(text string) (before, name string, ok bool) {
	i := strings.LastIndexByte(text, '.')
	name = text[i+1:]
	if c, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(c) || len(ident(name)) != len(name) {
		return text, "", false
	}
	return text[:max(i, 0)], name, true
}

// pkg returns the import path of a package, of which name may be the path.
func (r *reader) pkg(name string) (string, bool) {
	if strings.Contains(name, "/") {
		return name, isPath(name)
	}
	if r.LookupPackage != nil {
		if path, ok := r.LookupPackage(name); ok {
			return path, true
		}
	}
	return DefaultLookupPackage(name)
}

// isPath says whether path has the form of an import path.
func isPath(path string) bool {
	if path == "" || path[0] == '-' || !utf8.ValidString(path) {
		return false
	}
	for elem := range strings.SplitSeq(path, "/") {
		if elem == "" || strings.HasPrefix(elem, ".") || strings.HasSuffix(elem, ".") {
			return false
		}
		for i := range len(elem) {
			if c := elem[i]; !inWord(c) && strings.IndexByte("-.~+", c) < 0 {
				return false
			}
		}
	}
	return true
}

// words appends text without brackets that count: quotes are made round, and with auto, URLs become
// links, and identifiers in Words what these say.
func (r *reader) words(out []Text, s string, auto bool) []Text {
	var text strings.Builder // since the last piece that is not plain
	flush := func() {
		if text.Len() > 0 {
			out = append(out, Plain(text.String()))
			text.Reset()
		}
	}
	for i := 0; i < len(s); {
		end, as, x := r.piece(s, i, auto)
		if x != nil {
			flush()
			out = append(out, x)
		}
		text.WriteString(as)
		i = end
	}
	flush()
	return out
}

// piece reads what begins at i: where it ends, and what plain or other text it becomes.
func (r *reader) piece(s string, i int, auto bool) (end int, as string, x Text) {
	t := s[i:]
	switch id := ident(t); {
	case strings.HasPrefix(t, "```"):
		// Go looks for the rest of the run as far behind t as i is in s.
		for i += 3; i < len(t) && t[i] == '`'; {
			i++
		}
		end = len(s) - len(t)
		return i, s[end:i], nil
	case strings.HasPrefix(t, "``"):
		return i + 2, "“", nil
	case strings.HasPrefix(t, "''"):
		return i + 2, "”", nil
	case id == "" || !auto:
		// Up to what can be a quote or an identifier.
		for end = i + 1; end < len(s) && !starts(s[end]); end++ {
		}
		return end, s[i:end], nil
	default:
		if url := autoURL(t); url != "" {
			return i + len(url), "", &Link{URL: url, Text: []Text{Plain(url)}, Auto: true}
		}
		end = i + len(id)
		url, known := r.Words[id]
		switch {
		case !known:
			return end, id, nil
		case url == "":
			return end, "", Italic(id)
		}
		return end, "", &Link{URL: url, Text: []Text{Italic(id)}, Auto: true}
	}
}

// starts says whether a quote or an identifier can begin with c.
func starts(c byte) bool {
	return c == '`' || c == '\'' || c >= utf8.RuneSelf || inWord(c) && !isDigit(c)
}

// autoURL returns the URL at the beginning of s. Punctuation is part of it if more follows, and
// brackets are if they match.
func autoURL(s string) string {
	if len(s) < len("ftp://x") {
		return ""
	}
	at := strings.IndexByte(s[3:7], ':') + 3
	if s[at] != ':' || !strings.HasPrefix(s[at:], "://") || !isScheme(s[:at]) {
		return ""
	}
	at += len("://")
	if at >= len(s) || !inHost(s[at]) || isPunct(s[at]) {
		return ""
	}
	end := at + 1
	for i := at; i < len(s) && inHost(s[i]); i++ {
		if !isPunct(s[i]) {
			end = i + 1
		}
	}
	var open []byte // what closes the brackets
	for i := end; i < len(s); i++ {
		c := s[i]
		if isPunct(c) {
			continue
		}
		if !inPath(c) {
			break
		}
		if b := strings.IndexByte("([{", c); b >= 0 {
			open = append(open, ")]}"[b])
		} else if c == ')' || c == ']' || c == '}' {
			if len(open) == 0 || open[len(open)-1] != c {
				break
			}
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			end = i + 1
		}
	}
	return s[:end]
}

// schemes are those of the URLs that become links.
var schemes = []string{"http", "https", "mailto", "ftp", "file", "nntp", "gopher"}

func isScheme(s string) bool { return slices.Contains(schemes, s) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func inWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || isDigit(c)
}

func isPunct(c byte) bool { return strings.IndexByte(".,:;?!", c) >= 0 }
func inHost(c byte) bool  { return inWord(c) || strings.IndexByte("@-.[]:", c) >= 0 }
func inPath(c byte) bool  { return inWord(c) || strings.IndexByte("$'()*+&#=@~/-[]{}%", c) >= 0 }

// ident returns the identifier at the beginning of s. Digits count if they are of ASCII.
func ident(s string) string {
	for at, r := range s {
		isIn := unicode.IsLetter(r)
		if r < utf8.RuneSelf {
			isIn = inWord(byte(r)) && (at > 0 || !isDigit(byte(r)))
		}
		if !isIn {
			return s[:at]
		}
	}
	return s
}
