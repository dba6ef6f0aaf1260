package comment

// This file prints comments as Markdown.

import (
	"bytes"
	"fmt"
	"strings"
)

// Markdown returns a comment as Markdown.
func (p *Printer) Markdown(d *Doc) []byte {
	var b bytes.Buffer
	for i, x := range d.Content {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch x := x.(type) {
		case *Paragraph:
			b.WriteString(p.line(x.Text) + "\n")
		case *Heading:
			b.WriteString(strings.Repeat("#", p.level()) + " " + p.line(x.Text))
			if id := p.id(x); id != "" {
				b.WriteString(" {#" + id + "}")
			}
			b.WriteByte('\n')
		case *Code:
			addCode(&b, x.Text, "\t")
		case *List:
			addItems(&b, x, func(text []Text) { b.WriteString(p.line(text)) })
		default:
			fmt.Fprintf(&b, "?%T", x)
		}
	}
	return b.Bytes()
}

// line returns text as one line that does not begin a list or heading.
func (p *Printer) line(list []Text) string {
	var b strings.Builder
	p.addMarked(&b, list)
	line := strings.TrimSpace(b.String())
	if line == "" {
		return ""
	}
	if strings.IndexByte("+-*#", line[0]) >= 0 {
		return `\` + line
	}
	rest := strings.TrimLeft(line, "0123456789")
	if len(rest) < len(line) && rest != "" && (rest[0] == '.' || rest[0] == ')') {
		return line[:len(line)-len(rest)] + `\` + rest
	}
	return line
}

// masks stand for what would be a mark.
var masks = strings.NewReplacer(
	"\n", " ", "`", "\\`", "_", `\_`, "*", `\*`, "[", `\[`, "<", `\<`, `\`, `\\`)

var maskParens = strings.NewReplacer("(", "%28", ")", "%29")

func (p *Printer) addMarked(b *strings.Builder, list []Text) {
	for _, x := range list {
		text, inner := leaf(x)
		before, after := "", ""
		switch x := x.(type) {
		case Italic:
			before, after = "*", "*"
		case *Link:
			before, after = "[", "]("+x.URL+")"
		case *DocLink:
			if url := p.url(x); url != "" {
				before, after = "[", "]("+maskParens.Replace(url)+")"
			}
		}
		b.WriteString(before)
		b.WriteString(masks.Replace(text))
		p.addMarked(b, inner)
		b.WriteString(after)
	}
}
