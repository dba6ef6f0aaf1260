// run
package main

import (
	"fmt"
	"go/doc/comment"
	"strings"
)

var texts = []string{
	"", "\n\n  \n", "One line.", "  common\n    indentation\n  of lines\n",
	`A paragraph with [math.Sin], [*bytes.Buffer], [Own], [T.M], [T.none], [no.Such], a map[string]int,
[encoding/json.Decoder.Token], [a-b/c.D], [x//y.Z] and a [link] twice: [the link
over lines].

# A heading

A Title of the Older Form

 - an item
   over lines
 - another, with ` + "``quotes''" + `

   1. number
   2) number

 10. ten
 7. seven

and text, then

	code {

		inside
	}

[link]: https://go.dev/x
[the link over lines]: http://example.com/(a)
[unused]: ftp://x
[not a link]: nothing
`,
	"URLs: http://x.y/z?a=b(c)d). https://[::1]:80/, mailto://me@x! nntp://; http://a.b/{c}]\n",
	"func main() {\n\tprint()\n}\nafter\n",
	"items:\n- one\n- two\n  more\n- three\n\nx\n  - a\n\n  - b\n",
	"Not a title.\n\nText\n\nIt's Pete's\n\nText\n\nVersion 1.2 of It\n\nText\n\nIt's' Wrong\n\nText",
	"1) a\n2) b\n\n * star\n + plus\n • bullet\n -no item\n",
	"\ttabs\n\n\t\tmore\n\tagain\n \\\n",
	"a````b ``` c`` d'' e''' ```\n# no\n#\n\n# yes\n\n#no\n",
	"[a [b]: [a b] [b]\n\n[a b]: http://u\n[b]: http://v\n[b]: http://w\n",
	"1. x * y _z_ <b>\n\n+ plus\n\n12) and\n\n#x\n",
	strings.Repeat("word, words and more words. ", 9) + "averyveryverylongwordthatfitsnowhere end",
}

func main() {
	parsers := []*comment.Parser{{}, {
		Words: map[string]string{"text": "", "item": "/item?'"},
		LookupPackage: func(name string) (string, bool) {
			return "to/" + name, name == "no"
		},
		LookupSym: func(recv, name string) bool {
			return recv == "" && name == "Own" || recv == "T" && name == "M"
		},
	}}
	printers := []*comment.Printer{{}, {
		HeadingLevel:   5,
		HeadingID:      func(h *comment.Heading) string { return "" },
		DocLinkBaseURL: "/pkg/",
		TextPrefix:     "| ",
		TextCodePrefix: "|\t\t",
		TextWidth:      30,
	}, {
		DocLinkURL: func(l *comment.DocLink) string { return l.Recv },
		TextWidth:  -1,
	}}
	for i, text := range texts {
		for j, p := range parsers {
			doc := p.Parse(text)
			for _, def := range doc.Links {
				fmt.Println("def", *def)
			}
			for k, pr := range printers {
				fmt.Printf("---- %d %d %d\n", i, j, k)
				fmt.Printf("%s==\n%s==\n%s", pr.Text(doc), pr.HTML(doc), pr.Markdown(doc))
				if k == 0 {
					fmt.Printf("==\n%s", pr.Comment(doc))
				}
			}
		}
	}
	for _, base := range []string{"", "/", "/x", "https://y/"} {
		for _, l := range []comment.DocLink{
			{ImportPath: "p/q"}, {ImportPath: "p", Name: "N"}, {ImportPath: "p", Recv: "R", Name: "N"},
			{Name: "N"}, {Recv: "R", Name: "N"}, {},
		} {
			fmt.Print(l.DefaultURL(base), " ")
		}
		fmt.Println()
	}
	h := &comment.Heading{Text: []comment.Text{comment.Plain(" Übung – "), comment.Italic("x_1")}}
	fmt.Println(h.DefaultID(), new(comment.Heading).DefaultID() == "")
	for _, name := range []string{"fmt", "math", "rand", "", "weak", " ", "io iter"} {
		fmt.Println(comment.DefaultLookupPackage(name))
	}
	odd := &comment.Doc{Content: []comment.Block{nil, &comment.List{Items: []*comment.ListItem{
		{Number: "9"}, {Number: "10", Content: []comment.Block{&comment.Paragraph{}, &comment.Paragraph{}}},
	}}}}
	for _, pr := range printers[:2] {
		fmt.Printf("%q %q %q %q\n", pr.Text(odd), pr.HTML(odd), pr.Markdown(odd), pr.Comment(odd))
	}
}
