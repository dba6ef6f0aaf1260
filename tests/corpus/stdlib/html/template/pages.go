// run

// Values of many kinds in every place of a page; templates that cannot be escaped.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"os"
	"strings"
)

type user struct {
	Name string
	Age  int
	Tags []string
	Link template.URL
}

func (u user) String() string { return "user " + u.Name }

var places = []string{
	"<p>{{.}}</p>", "<p title=\"{{.}}\">", "<p title={{.}}>",
	"<a href=\"{{.}}\">", "<a href='/q?x={{.}}&y=1'>",
	"<a href={{.}}>", "<a onclick=\"f({{.}})\">", "<script>var x = {{.}};</script>",
	"<script>var x = \"{{.}}\";</script>",
	"<script>var x = '{{.}}' + `a{{.}}${ {{.}} }`</script>",
	"<script>var r = /a{{.}}b/;</script>", "<style>p { color: {{.}} }</style>",
	"<style>p { background: url('{{.}}') }</style>", "<p style=\"width: {{.}}\">",
	"<textarea>{{.}}</textarea>",
	"<title>{{.}}</title>", "<!-- {{.}} -->x", "<p {{.}}=x>", "<img srcset=\"{{.}}, /x 2x\">",
	"<meta http-equiv=refresh content=\"0;url={{.}}\">",
	"<script type=\"text/plain\">{{.}}</script>",
	"{{. | html}} {{. | urlquery}} {{html . 1}}", "<p data-href=\"{{.}}\" xlink:href='{{.}}'>",
	"<script>/* {{.}} */ // {{.}}\nx</script>", "a < b {{.}} & c",
	"{{if .}}<a href=\"{{.}}\">{{else}}<a>{{end}}x</a>", "{{range $i, $c := \"x\"}}{{end}}",
}

var bad = []string{
	"<a href=\"{{if .}}x{{end}}", "<p title=\"a{{if .}}\"{{end}}>",
	"<a{{if .}} href='{{end}}>", "<script>{{if .}}\"{{end}}</script>",
	"{{. | html | print}}", "<p title={{. | html}}>", "<a =x>",
	"<a b\"c=d>", "<a b=c\"d>", "<script>a={{if .}}1{{else}}{{end}}/b/</script>",
	"<script>\"\\", "<script>/[a", "{{template \"none\"}}", "{{range .}}<a {{end}}",
	"<a href=\"/{{if .}}?{{end}}{{.}}\">",
	"{{range .}}{{if .}}<a href=\"{{break}}{{end}}{{end}}",
	"{{define \"r\"}}{{if .}}<p>{{template \"r\" .}}\"{{end}}{{end}}<a b=\"{{template \"r" +
		"\" .}}", "<style>'\\",
}

func main() {
	values := []any{
		"plain", "<script>alert(\"x\")</script>", "O'Reilly: 1 & 2",
		"javascript:alert(1)", "http://x/?a=b&c=d e", "", 42,
		1.5, true, nil, []string{"a", "</script>"},
		map[string]int{"b": 1, "a": 2}, user{"<Al>", 3,
			[]string{"x"}, "/l"}, &user{Name: "p"},
		errors.New("<err>"), template.HTML("<b title='x'>bold</b> &amp;"),
		template.JS("f(1)"), template.JSStr("a\\n"),
		template.URL("javascript:ok"), template.CSS("red;x:y"),
		template.HTMLAttr("checked"), template.Srcset("/a 1x"),
		"\x00\u2028\xff`${x}", "expression(1)", "red",
	}
	for _, place := range places {
		t, err := template.New("t").Parse(place)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(place)
		for _, v := range values {
			var b bytes.Buffer
			err := t.Execute(&b, v)
			fmt.Printf("\t%q %v\n", b.String(), err)
		}
	}
	for _, text := range bad {
		t, err := template.New("t").Parse(text)
		if err != nil {
			fmt.Println("parse:", err)
			continue
		}
		err = t.Execute(os.Stdout, []int{1})
		var e *template.Error
		fmt.Println(err, errors.As(err,
			&e) && e.ErrorCode != template.OK,
			t.Execute(os.Stdout, 1) == err)
	}

	t := template.Must(template.New("page").Funcs(template.FuncMap{"up": strings.ToUpper}).Parse(
		`{{define "item"}}<li>{{.Name | up}}{{range .Tags}} {{.}}{{end}}{{end}}` +
			`<ul>{{range .}}{{template "item" .}}{{else}}none{{end}}</ul><script>var all = {{.` +
			`}}; {{/* c */}}</script>{{block "foot" .}}<a href="{{(index . 0).Link}}">{{end}}` +
			"\n"))
	c := template.Must(t.Clone())
	template.Must(c.Parse(`{{define "foot"}}end{{end}}`))
	users := []user{{"a&b", 1, []string{"<t>"}, "/x?y"}, {Name: "c"}}
	fmt.Println(t.Execute(os.Stdout, users), c.Execute(os.Stdout, users))
	_, err := t.Parse("x")
	_, err2 := t.Clone()
	fmt.Println(err, err2, t.ExecuteTemplate(os.Stdout, "item",
		users[0]), t.ExecuteTemplate(os.Stdout, "none", 1))
	fmt.Println(len(t.Templates()), t.Lookup("item").Name(),
		t.Lookup("x") == nil, template.New("e").Execute(os.Stdout,
			1))
	fmt.Println(template.HTMLEscapeString("<'"),
		template.JSEscaper("'", 1), template.URLQueryEscaper("a b"))
}
