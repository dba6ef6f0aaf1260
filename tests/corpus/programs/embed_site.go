// run

// A site whose pages, data and templates are embedded, served over loopback.
package main

import (
	"embed"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"sort"
	"strings"
)

//go:embed embed_site_files
var files embed.FS

//go:embed embed_site_files/version.txt
var version string

//go:embed embed_site_files/people.csv
var people []byte

//go:embed embed_site_files/pages/*.html
var pages embed.FS

type person struct{ Name, Role string }

func load() (list []person, err error) {
	r := csv.NewReader(strings.NewReader(string(people)))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] {
		list = append(list, person{row[0], row[1]})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list, nil
}

func main() {
	fmt.Printf("%q %d\n", version, len(people))
	fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Println(info.Mode(), info.Size(), name, info.ModTime().IsZero())
		return nil
	})
	list, err := load()
	fmt.Println(list, err)
	t, err := template.ParseFS(pages, "embed_site_files/pages/*.html")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(t.Templates()))
	sub, err := fs.Sub(files, "embed_site_files")
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("/static/", http.StripPrefix("/static/", http.FileServerFS(sub)))
	mux.HandleFunc("GET /{page}", func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("page") + ".html"
		if t.Lookup(name) == nil {
			http.NotFound(w, r)
			return
		}
		if err := t.ExecuteTemplate(w, name, map[string]any{"People": list,
			"Version": strings.TrimSpace(version)}); err != nil {
			fmt.Println(err)
		}
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	for _, p := range []string{"/people", "/about", "/none", "/static/version.txt", "/static/pages/",
		"/static/people.csv", "/static/../people.csv", "/static/nothing"} {
		resp, err := http.Get(srv.URL + p)
		if err != nil {
			fmt.Println(err)
			continue
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%s %s %s\n%s\n", path.Clean(p), resp.Status, resp.Header.Get("Content-Type"), body)
	}
	_, err = files.Open("embed_site_files/../secret")
	fmt.Println(err)
	_, err = files.ReadFile("nothing")
	fmt.Println(err)
	_, err = files.ReadDir("embed_site_files/version.txt")
	fmt.Println(err)
	req, _ := http.NewRequest("GET", srv.URL+"/static/people.csv", nil)
	req.Header.Set("Range", "bytes=5-9")
	resp, err := http.DefaultClient.Do(req)
	if err == nil {
		b, _ := io.ReadAll(resp.Body)
		fmt.Printf("%s %q %s\n", resp.Status, b, resp.Header.Get("Content-Range"))
	}
}
