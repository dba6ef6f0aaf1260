// Package pprof: profiles of the program, for whoever asks its server. To import it is to have
// http.DefaultServeMux answer below /debug/pprof/.
package pprof

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strconv"
	"strings"
	"time"
)

const prefix = "/debug/pprof/"

//go:effect http.DefaultServeMux
func init() {
	http.HandleFunc("GET "+prefix, Index)
	http.HandleFunc("GET "+prefix+"cmdline", Cmdline)
	http.HandleFunc("GET "+prefix+"profile", Profile)
	http.HandleFunc("GET "+prefix+"symbol", Symbol)
	http.HandleFunc("GET "+prefix+"trace", Trace)
}

const text, bytes = "text/plain; charset=utf-8", "application/octet-stream"

// begin says what kind of content follows; a name is that of the file in which to keep it.
func begin(w http.ResponseWriter, kind, file string) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Type", kind)
	if file != "" {
		h.Set("Content-Disposition", `attachment; filename="`+file+`"`)
	}
}

func fail(w http.ResponseWriter, status int, why string) {
	begin(w, text, "")
	h := w.Header()
	h.Set("X-Go-Pprof", "1")
	h.Del("Content-Disposition")
	w.WriteHeader(status)
	fmt.Fprintln(w, why)
}

func Cmdline(w http.ResponseWriter, r *http.Request) {
	begin(w, text, "")
	io.WriteString(w, strings.Join(os.Args, "\x00"))
}

// A recorder makes a profile over some time.
type recorder struct {
	file, name string
	start      func(io.Writer) error
	stop       func()
}

// record answers with what is recorded until the time is over, or the request given up. The server's
// limit for writing counts from then on.
func (c recorder) record(w http.ResponseWriter, r *http.Request, d time.Duration) {
	ctx := r.Context()
	if s, _ := ctx.Value(http.ServerContextKey).(*http.Server); s != nil && s.WriteTimeout > 0 {
		until := time.Now().Add(d + s.WriteTimeout)
		http.NewResponseController(w).SetWriteDeadline(until)
	}
	begin(w, bytes, c.file)
	if err := c.start(w); err != nil {
		fail(w, http.StatusInternalServerError, "Could not enable "+c.name+": "+err.Error())
		return
	}
	defer c.stop()
	over, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-over.Done()
}

func Profile(w http.ResponseWriter, r *http.Request) {
	d := 30 * time.Second
	if n, err := strconv.ParseInt(r.FormValue("seconds"), 10, 64); err == nil && n > 0 {
		d = time.Duration(n) * time.Second
	}
	c := recorder{"profile", "CPU profiling", pprof.StartCPUProfile, pprof.StopCPUProfile}
	c.record(w, r, d)
}

func Trace(w http.ResponseWriter, r *http.Request) {
	d := time.Second
	if n, err := strconv.ParseFloat(r.FormValue("seconds"), 64); err == nil && n > 0 {
		d = time.Duration(n * float64(time.Second))
	}
	recorder{"trace", "tracing", trace.Start, trace.Stop}.record(w, r, d)
}

// Symbol names the functions at program counters, which stand in the query or the body with a plus
// between them. That there is one symbol tells only that it knows names.
func Symbol(w http.ResponseWriter, r *http.Request) {
	begin(w, text, "")
	asked := r.URL.RawQuery
	if r.Method == http.MethodPost {
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
	}
	var b strings.Builder
	b.WriteString("num_symbols: 1\n")
	for word := range strings.SplitSeq(asked, "+") {
		if pc, _ := strconv.ParseUint(word, 0, 64); pc != 0 {
			if f := runtime.FuncForPC(uintptr(pc)); f != nil {
				fmt.Fprintf(&b, "%#x %s\n", pc, f.Name())
			}
		}
	}
	io.WriteString(w, b.String())
}

type handler string

func Handler(name string) http.Handler { return handler(name) }

func (name handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin(w, text, "")
	p := pprof.Lookup(string(name))
	if p == nil {
		fail(w, http.StatusNotFound, "Unknown profile")
		return
	}
	debug, _ := strconv.Atoi(r.FormValue("debug"))
	if s := r.FormValue("seconds"); s != "" {
		why := `"seconds" parameter is not supported for this profile type`
		if n, err := strconv.ParseInt(s, 10, 64); err != nil || n <= 0 {
			why = `invalid value for "seconds" - must be a positive integer`
		} else if _, ok := told[string(name)]; ok && debug > 0 {
			why = "seconds and debug params are incompatible"
		}
		fail(w, http.StatusBadRequest, why)
		return
	}
	if gc, _ := strconv.Atoi(r.FormValue("gc")); name == "heap" && gc > 0 {
		runtime.GC()
	}
	if debug == 0 {
		begin(w, bytes, string(name))
	}
	p.WriteTo(w, debug)
}

// told is what the page says of profiles.
var told = map[string]string{
	"allocs": "A sampling of all past memory allocations",
	"block":  "Stack traces that led to blocking on synchronization primitives",
	"goroutine": "Stack traces of all current goroutines. Use debug=2 as a query parameter to " +
		"export in the same format as an unrecovered panic.",
	"goroutineleak": "Stack traces of all leaked goroutines. Use debug=2 as a query parameter to " +
		"export in the same format as an unrecovered panic.",
	"heap": "A sampling of memory allocations of live objects. You can specify the gc GET " +
		"parameter to run GC before taking the heap sample.",
	"mutex":        "Stack traces of holders of contended mutexes",
	"threadcreate": "Stack traces that led to the creation of new OS threads",
}

// others are what is no profile of package runtime/pprof.
var others = map[string]string{
	"cmdline": "The command line invocation of the current program",
	"profile": "CPU profile. You can specify the duration in the seconds GET parameter. After you " +
		"get the profile file, use the go tool pprof command to investigate the profile.",
	"symbol": "Maps given program counters to function names. Counters can be specified in a GET " +
		"raw query or POST body, multiple counters are separated by '+'.",
	"trace": "A trace of execution of the current program. You can specify the duration in the " +
		"seconds GET parameter. After you get the trace file, use the go tool trace command to " +
		"investigate the trace.",
}

type row struct {
	name, about, link string
	count             int
}

const top = `<html>
<head>
<title>/debug/pprof/</title>
<style>
.profile-name{
	display:inline-block;
	width:6rem;
}
</style>
</head>
<body>
/debug/pprof/
<br>
<p>Set debug=1 as a query parameter to export in legacy text format</p>
<br>
Types of profiles available:
<table>
<thead><td>Count</td><td>Profile</td></thead>
`

const middle = `</table>
<a href="goroutine?debug=2">full goroutine stack dump</a>
<br>
<p>
Profile Descriptions:
<ul>
`

// Index shows what there is, or the profile that the path names.
func Index(w http.ResponseWriter, r *http.Request) {
	if name, ok := strings.CutPrefix(r.URL.Path, prefix); ok && name != "" {
		handler(name).ServeHTTP(w, r)
		return
	}
	begin(w, "text/html; charset=utf-8", "")
	var rows []row
	add := func(name, about string, count int) {
		link := &url.URL{Path: name, RawQuery: "debug=1"}
		rows = append(rows, row{name, about, link.String(), count})
	}
	for _, p := range pprof.Profiles() {
		add(p.Name(), told[p.Name()], p.Count())
	}
	for name, about := range others {
		add(name, about, 0)
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(a.name, b.name) })
	var b strings.Builder
	b.WriteString(top)
	for _, row := range rows {
		fmt.Fprintf(&b, "<tr><td>%d</td><td><a href='%s'>%s</a></td></tr>\n", row.count, row.link,
			html.EscapeString(row.name))
	}
	b.WriteString(middle)
	for _, row := range rows {
		fmt.Fprintf(&b, "<li><div class=profile-name>%s: </div> %s</li>\n",
			html.EscapeString(row.name), html.EscapeString(row.about))
	}
	b.WriteString("</ul>\n</p>\n</body>\n</html>")
	io.WriteString(w, b.String())
}
