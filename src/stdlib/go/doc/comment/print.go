package comment

// This file holds what printers have in common, and prints comments as comments.

import (
	"bytes"
	"fmt"
	"strings"
)

// Printer prints comments; the zero Printer has useful values for all.
type Printer struct {
	// HeadingLevel is that of headings in HTML and Markdown; 0 is 3.
	HeadingLevel int

	// HeadingID gives a heading its anchor, or none if it is empty; nil is Heading.DefaultID.
	HeadingID func(h *Heading) string

	// DocLinkURL gives a link to documentation its URL; nil is DocLink.DefaultURL, of
	// DocLinkBaseURL.
	DocLinkURL     func(link *DocLink) string
	DocLinkBaseURL string

	// TextPrefix begins every line of text, TextCodePrefix those of code; if that is empty, they
	// begin with TextPrefix and a tab.
	TextPrefix     string
	TextCodePrefix string

	// TextWidth is the width of lines of text in characters, without prefix and line end; 0 is what
	// the prefix leaves of 80, a negative one has no limit.
	TextWidth int
}

func (p *Printer) url(link *DocLink) string {
	if p.DocLinkURL == nil {
		return link.DefaultURL(p.DocLinkBaseURL)
	}
	return p.DocLinkURL(link)
}

func (p *Printer) level() int {
	if level := p.HeadingLevel; level > 0 {
		return level
	}
	return 3
}

func (p *Printer) id(h *Heading) string {
	name := p.HeadingID
	if name == nil {
		name = (*Heading).DefaultID
	}
	return name(h)
}

// DefaultURL returns the URL of what is linked to: that of the package, below baseURL, and `#` with
// the name. If a slash ends baseURL, one ends the package's path, too.
func (l *DocLink) DefaultURL(baseURL string) string {
	url := ""
	if l.ImportPath != "" {
		base, slash := strings.CutSuffix(baseURL, "/")
		url = base + "/" + l.ImportPath
		if slash {
			url += "/"
		}
		if l.Name == "" {
			return url
		}
	}
	url += "#"
	if l.Recv != "" {
		url += l.Recv + "."
	}
	return url + l.Name
}

// DefaultID returns `hdr-` and the heading's text, in which what is no letter or digit of ASCII has
// become an underscore. That of an empty heading is empty.
func (h *Heading) DefaultID() string {
	text := strings.TrimSpace(plain(h.Text))
	if text == "" {
		return ""
	}
	return "hdr-" + strings.Map(func(c rune) rune {
		if c < 0x80 && inWord(byte(c)) {
			return c
		}
		return '_'
	}, text)
}

// leaf returns what a text says itself, or what it has inside.
func leaf(x Text) (text string, inner []Text) {
	switch x := x.(type) {
	case *DocLink:
		inner = x.Text
	case *Link:
		inner = x.Text
	case Italic:
		text = string(x)
	case Plain:
		text = string(x)
	}
	return text, inner
}

// plain returns text without any marks.
func plain(list []Text) string {
	var b strings.Builder
	for _, x := range list {
		text, inner := leaf(x)
		b.WriteString(text)
		if inner != nil {
			b.WriteString(plain(inner))
		}
	}
	return b.String()
}

// bullet returns what begins an item, four characters in a list without numbers.
func bullet(item *ListItem) string {
	if item.Number == "" {
		return "  - "
	}
	return " " + item.Number + ". "
}

// margin is that of an item's text.
const margin = "    "

// addItems adds the items of a list; addOne adds the text of a paragraph, without its last newline.
func addItems(b *bytes.Buffer, list *List, addOne func([]Text)) {
	for i, item := range list.Items {
		if i > 0 && list.BlankBetween() {
			b.WriteByte('\n')
		}
		b.WriteString(bullet(item))
		for j, x := range item.Content {
			if j > 0 {
				b.WriteString("\n" + margin)
			}
			addOne(x.(*Paragraph).Text)
			b.WriteByte('\n')
		}
	}
}

// addCode adds lines of code, each but empty ones with a prefix.
func addCode(b *bytes.Buffer, text, prefix string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" {
			b.WriteString(prefix)
			b.WriteString(line)
		}
		b.WriteByte('\n')
	}
}

// Comment returns a comment in the form that gofmt gives it, without marks of comments. Links that
// are used come behind the text, then those that are not.
func (p *Printer) Comment(d *Doc) []byte {
	var b bytes.Buffer
	for i, x := range d.Content {
		if i > 0 && isBlockOfItsOwn(x) {
			b.WriteByte('\n')
		}
		addBlock(&b, x)
	}
	used, unused := "", ""
	for _, def := range d.Links {
		line := "[" + def.Text + "]: " + def.URL + "\n"
		if def.Used {
			used += line
		} else {
			unused += line
		}
	}
	for _, lines := range [...]string{used, unused} {
		if lines != "" {
			b.WriteString("\n" + lines)
		}
	}
	return b.Bytes()
}

func addBlock(b *bytes.Buffer, x Block) {
	switch x := x.(type) {
	case *Paragraph:
		addText(b, x.Text, "")
		b.WriteByte('\n')
	case *Heading:
		b.WriteString("# ")
		addText(b, x.Text, "")
		b.WriteByte('\n')
	case *Code:
		addCode(b, x.Text, "\t")
	case *List:
		addItems(b, x, func(text []Text) { addText(b, text, margin) })
	default:
		fmt.Fprintf(b, "?%T", x)
	}
}

// addText adds text, with a margin behind each line end. Links are in brackets, but for those that
// name the URL.
func addText(b *bytes.Buffer, list []Text, margin string) {
	for _, x := range list {
		text, inner := leaf(x)
		before, after := "[", "]"
		switch x := x.(type) {
		case Plain, Italic:
			before, after = "", ""
		case *Link:
			if x.Auto {
				before, after = "", ""
			}
		}
		b.WriteString(before)
		b.WriteString(strings.ReplaceAll(text, "\n", "\n"+margin))
		addText(b, inner, margin)
		b.WriteString(after)
	}
}
