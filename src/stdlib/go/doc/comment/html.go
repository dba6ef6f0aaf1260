package comment

// This file prints comments as HTML.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// HTML returns a comment as HTML.
func (p *Printer) HTML(d *Doc) []byte {
	h := htmlPrinter{Printer: p}
	for _, x := range d.Content {
		h.block(x, false)
	}
	return h.Bytes()
}

type htmlPrinter struct {
	*Printer
	bytes.Buffer
}

// block prints a block; tight, if a paragraph has no tag.
func (h *htmlPrinter) block(x Block, tight bool) {
	switch x := x.(type) {
	case *Paragraph:
		if !tight {
			h.WriteString("<p>")
		}
		h.text(x.Text)
		h.WriteByte('\n')
	case *Heading:
		tag := "h" + strconv.Itoa(h.level())
		h.WriteString("<" + tag)
		if id := h.id(x); id != "" {
			h.WriteString(` id="` + quoted(id) + `"`)
		}
		h.WriteByte('>')
		h.text(x.Text)
		h.WriteString("</" + tag + ">\n")
	case *Code:
		h.WriteString("<pre>" + quoted(x.Text) + "</pre>\n")
	case *List:
		h.list(x)
	default:
		fmt.Fprintf(h, "?%T", x)
	}
}

func (h *htmlPrinter) list(x *List) {
	tag := "ol"
	if x.Items[0].Number == "" {
		tag = "ul"
	}
	h.WriteString("<" + tag + ">\n")
	next := "1" // what a browser would count
	for _, item := range x.Items {
		h.WriteString("<li")
		if item.Number != "" {
			if item.Number != next {
				h.WriteString(` value="` + item.Number + `"`)
			}
			next = successor(item.Number)
		}
		h.WriteByte('>')
		for _, content := range item.Content {
			h.block(content, !x.BlankBetween())
		}
	}
	h.WriteString("</" + tag + ">\n")
}

// successor returns the number after one in decimal digits.
func successor(number string) string {
	head := strings.TrimRight(number, "9")
	zeros := strings.Repeat("0", len(number)-len(head))
	if head == "" {
		return "1" + zeros
	}
	last := len(head) - 1
	return head[:last] + string(head[last]+1) + zeros
}

func (h *htmlPrinter) text(list []Text) {
	for _, x := range list {
		text, inner := leaf(x)
		before, after := "", ""
		switch x := x.(type) {
		case Italic:
			before, after = "<i>", "</i>"
		case *Link:
			before, after = `<a href="`+quoted(x.URL)+`">`, "</a>"
		case *DocLink:
			if url := h.url(x); url != "" {
				before, after = `<a href="`+quoted(url)+`">`, "</a>"
			}
		}
		h.WriteString(before)
		h.WriteString(quoted(text))
		h.text(inner)
		h.WriteString(after)
	}
}

var entities = strings.NewReplacer(
	"<", "&lt;", "&", "&amp;", `"`, "&quot;", "'", "&apos;", ">", "&gt;")

func quoted(s string) string { return entities.Replace(s) }
