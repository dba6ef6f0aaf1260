// run

// A page with hostile values in every place that html/template knows.
package main

import (
	"fmt"
	"html"
	"html/template"
	"os"
	"strings"
	"time"
)

type comment struct {
	Author, Text, Site string
	When               time.Time
	Likes              int
	Tags               []string
	Extra              map[string]any
}

func (c comment) JSON() map[string]any {
	return map[string]any{"author": c.Author, "n": c.Likes,
		"html": "</script><script>alert(1)</script>", "u": "\u2028"}
}

const page = `<!DOCTYPE html>
<html><head><title>{{.Title}}</title>
<style>
  .a { color: {{.Color}}; background: url("{{.Image}}"); width: {{.Width}}px }
  .b:before { content: "{{.Title}}" }
</style>
<script>
  var title = {{.Title}}, n = {{.Width}}, list = {{.Comments}}, nothing = {{.Nothing}};
  var s = "{{.Title}}", t = '{{.Title}}', re = /{{.Title}}/, tpl = ` + "`x{{.Title}}`" + `;
  // {{.Title}} in a comment
  f({{range $i, $c := .Comments}}{{if $i}}, {{end}}{{$c.JSON}}{{end}});
</script>
</head>
<body onload="start({{.Title}}, '{{.Title}}')" class={{.Class}} data-x="{{.Title}}">
{{/* comments */}}<!-- {{.Title}} -->
{{range .Comments}}<div id='c-{{.Author}}' title={{.Author}}>
<a href="{{.Site}}">{{.Author}}</a> <a href="/search?q={{.Text}}&amp;by={{.Author}}#{{.Author}}">search</a>
<img src='{{.Site}}' alt="{{.Text}}" srcset="{{.Site}} 2x" style="width: {{.Likes}}%; {{"color: red"}}">
<p>{{.Text}}</p><textarea>{{.Text}}</textarea>
<button onclick="like({{.Author}}, {{.Likes}}, {{.When}})" {{if gt .Likes 5}}disabled{{end}}>{{.Likes}}</button>
{{range .Tags}}<i>{{. | printf "%s!" | html}}</i>{{else}}none{{end}}
</div>
{{end}}
{{.Safe}} <b {{.Attr}}>x</b> <a href="{{.SafeURL}}">y</a> <span style="{{.SafeCSS}}">z</span>
<script>{{.SafeJS}}; var q = "{{.SafeJSStr}}"</script>
</body></html>
`

func main() {
	evil := `<script>alert("x'&\n")</script>`
	t := template.Must(template.New("page").Parse(page))
	when := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	err := t.Execute(os.Stdout, map[string]any{
		"Title": evil, "Color": "red; } body { display: none", "Image": "javascript:alert(1)",
		"Width": 12.5,
		"Class": "two words onclick=x", "Nothing": nil,
		"Comments": []comment{
			{"Ann O'Neil", evil, "https://example.com/?a=1&b=<2>", when, 3, []string{"<a>", "b&c"}, nil},
			{"\"Bob\"", "plain text ünïcode +", "javascript:alert('no')", when, 9, nil,
				map[string]any{"k": []int{1}}},
			{"C&D", "", "//host/path with space", time.Time{}, -1, []string{}, nil},
		},
		"Safe": template.HTML("<em>safe</em>"), "Attr": template.HTMLAttr(`data-ok="1"`),
		"SafeURL": template.URL("javascript:ok()"),
		"SafeCSS": template.CSS("color: blue"), "SafeJS": template.JS("ok()"),
		"SafeJSStr": template.JSStr("a\\x22b"),
	})
	fmt.Println(err)
	for _, text := range []string{"<a href='{{.}}", "<script>{{if .}}x{{else}}'{{end}}</script>",
		"<div {{.}}=1>", "<a {{if .}}href='{{end}}{{.}}'>",
		"{{define \"x\"}}<b>{{end}}{{template \"x\"}}{{template \"none\"}}", "<p style='{{.}}",
		"{{. | html | print}}", "<{{.}}>", "<script type='text/template'>{{.}}</script>",
		"<a onclick='f({{.}})' href={{.}}>", "<title>{{.}}</title><textarea>{{.}}</textarea>",
		"<img src=\"{{.}}\" srcset=\"{{.}}\">", "<iframe srcdoc='{{.}}'>",
		"<meta content='{{.}}'>", "<svg><script>{{.}}</script></svg>"} {
		t, err := template.New("t").Parse(text)
		var b strings.Builder
		if err == nil {
			err = t.Execute(&b, "x' onload=\"y\" <z>")
		}
		fmt.Printf("%q\n\t%q %v\n", text, b.String(), err)
	}
	fmt.Println(template.HTMLEscapeString(evil), template.JSEscapeString(evil),
		template.URLQueryEscaper(evil, 1))
	fmt.Println(html.UnescapeString("&lt;&eacute;&#233;&#xe9;&notit;&amp;amp;&nosuch;&#0;&#x110000;"), html.EscapeString(evil))
}
