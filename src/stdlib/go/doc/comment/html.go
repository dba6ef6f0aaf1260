package comment

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
	digits := []byte(number)
	for i := len(digits) - 1; i >= 0; i-- {
		if digits[i] < '9' {
			digits[i]++
			return string(digits)
		}
		digits[i] = '0'
	}
	return "1" + string(digits)
}

func (h *htmlPrinter) text(list []Text) {
	link := func(url string, text []Text) {
		h.WriteString(`<a href="` + quoted(url) + `">`)
		h.text(text)
		h.WriteString("</a>")
	}
	for _, x := range list {
		switch x := x.(type) {
		case Plain:
			h.WriteString(quoted(string(x)))
		case Italic:
			h.WriteString("<i>" + quoted(string(x)) + "</i>")
		case *Link:
			link(x.URL, x.Text)
		case *DocLink:
			if url := h.url(x); url != "" {
				link(url, x.Text)
			} else {
				h.text(x.Text)
			}
		}
	}
}

var entities = strings.NewReplacer(
	"<", "&lt;", "&", "&amp;", `"`, "&quot;", "'", "&apos;", ">", "&gt;")

func quoted(s string) string { return entities.Replace(s) }
