// run

// A small site made of pages with front matter, a layout with blocks, and partial templates.
package main

import (
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing/fstest"
	"time"
)

var source = fstest.MapFS{
	"templates/base.html": {Data: []byte(`<!doctype html>
<title>{{block "title" .}}{{.Site.Name}}{{end}}</title>
{{template "nav" .}}
<main>{{block "main" .}}nothing here{{end}}</main>
<footer title="{{.Site.Name}}">{{.Site.Built.Format "2006"}} {{len .Site.Pages}} pages</footer>
`)},
	"templates/nav.html": {Data: []byte(`{{define "nav"}}<nav>{{range $i, $p := .Site.Pages -}}
{{if $i}} | {{end}}{{if eq $p.Slug $.Page.Slug}}<b>{{$p.Title}}</b>{{else}}<a href="/{{$p.Slug}}.html">{{$p.Title}}</a>{{end}}
{{- else}}empty{{end}}</nav>{{end}}`)},
	"templates/post.html": {Data: []byte(`{{define "title"}}{{.Page.Title}} - {{.Site.Name}}{{end}}
{{define "main"}}<article data-tags='{{.Page.Tags}}'>
<h1>{{.Page.Title}}</h1>
{{with .Page.Date}}<time datetime="{{.Format "2006-01-02"}}">{{.Format "Jan 2"}}</time>{{end}}
{{.Page.Body}}
{{range .Page.Tags}}<a href="/tags?t={{.}}" onclick="track({{.}})">#{{. | lower}}</a> {{end}}
<script>var page = {{.Page.Meta}};</script>
<p style="width: {{.Page.Width}}">{{printf "%.1f" .Page.Minutes}} min{{if gt .Page.Minutes 1.0}}s{{end}}</p>
</article>{{end}}`)},
	"templates/list.html": {Data: []byte(`{{define "main"}}<ul>{{range .Site.Pages | recent 2}}
<li>{{.Title | title}}{{/* a comment */ -}}
</li>{{end}}
</ul>{{end}}`)},
	"content/index.md":       {Data: []byte("title: Home\nlayout: list\n\nunused")},
	"content/first.md":       {Data: []byte("title: First <post>\ndate: 2024-02-03\ntags: Go, C&A\n\nHello *world*.\n\nTwo <b>paragraphs</b>.")},
	"content/2024/second.md": {Data: []byte("title: O'Reilly \"quotes\"\ndate: 2024-05-06\ntags: a/b c\nwidth: 10px; color: red\n\n" + strings.Repeat("word ", 500))},
	"content/broken.md":      {Data: []byte("title: Broken\nlayout: missing\n\n")},
	"content/odd.md":         {Data: []byte("title Odd\n\n")},
	"static/style.css":       {Data: []byte("body { margin: 0 }\n")},
}

type Page struct {
	Title, Slug, Layout string
	Date                *time.Time
	Tags                []string
	Body                template.HTML
	Width               string
	Meta                map[string]any
	Minutes             float64
}

type Site struct {
	Name  string
	Built time.Time
	Pages []*Page
}

var emphasis = strings.NewReplacer("*w", "<em>w", "d*", "d</em>")

func parsePage(name, text string) (*Page, error) {
	head, body, _ := strings.Cut(text, "\n\n")
	p := &Page{Slug: strings.TrimSuffix(path.Base(name), ".md"), Layout: "post",
		Meta: map[string]any{}}
	for n, line := range strings.Split(head, "\n") {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("%s:%d: no colon in %q", name, n+1, line)
		}
		value = strings.TrimSpace(value)
		switch key {
		case "title":
			p.Title = value
		case "layout":
			p.Layout = value
		case "width":
			p.Width = value
		case "tags":
			p.Tags = strings.Split(value, ", ")
			p.Meta["tags"] = p.Tags
		case "date":
			d, err := time.Parse(time.DateOnly, value)
			if err != nil {
				return nil, err
			}
			p.Date = &d
		}
	}
	words := len(strings.Fields(body))
	p.Minutes = float64(words) / 200
	p.Meta["words"] = words
	var html strings.Builder
	for _, para := range strings.Split(body, "\n\n") {
		if len(para) > 60 {
			para = para[:20] + "…"
		}
		html.WriteString("<p>" + emphasis.Replace(template.HTMLEscapeString(para)) + "</p>")
	}
	p.Body = template.HTML(html.String())
	return p, nil
}

func build(out string) error {
	site := &Site{Name: "Tom & Jerry's", Built: time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC)}
	var problems []error
	err := fs.WalkDir(source, "content", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		p, err := parsePage(name, string(data))
		if err != nil {
			problems = append(problems, err)
			return nil
		}
		site.Pages = append(site.Pages, p)
		return nil
	})
	if err != nil {
		return err
	}
	sort.Slice(site.Pages, func(i, j int) bool { return site.Pages[i].Slug < site.Pages[j].Slug })
	funcs := template.FuncMap{
		"lower": strings.ToLower,
		"title": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
		"recent": func(n int, pages []*Page) []*Page {
			dated := slices.DeleteFunc(slices.Clone(pages), func(p *Page) bool { return p.Date == nil })
			slices.SortFunc(dated, func(a, b *Page) int { return b.Date.Compare(*a.Date) })
			return dated[:min(n, len(dated))]
		},
	}
	base := template.Must(template.New("base.html").Funcs(funcs).ParseFS(source, "templates/base.html",
		"templates/nav.html"))
	for _, p := range site.Pages {
		t, err := template.Must(base.Clone()).ParseFS(source, "templates/"+p.Layout+".html")
		if err != nil {
			problems = append(problems, err)
			continue
		}
		f, err := os.Create(filepath.Join(out, p.Slug+".html"))
		if err != nil {
			return err
		}
		err = t.Execute(f, map[string]any{"Site": site, "Page": p})
		if err := errors.Join(err, f.Close()); err != nil {
			problems = append(problems, err)
		}
	}
	static, _ := fs.Sub(source, "static")
	if err := os.CopyFS(out, static); err != nil {
		return err
	}
	return errors.Join(problems...)
}

func main() {
	out, err := os.MkdirTemp("", "site")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(out)
	fmt.Println("problems:", build(out))
	filepath.WalkDir(out, func(name string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			return nil
		}
		data, _ := os.ReadFile(name)
		fmt.Printf("=== %s\n%s", filepath.Base(name), data)
		return nil
	})
}
