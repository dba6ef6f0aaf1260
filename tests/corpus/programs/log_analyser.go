// run

// An access log is taken apart by regular expressions: top paths, errors, slow requests, sessions.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	line = regexp.MustCompile(`^(?P<ip>\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]+) - (?P<user>\S+) ` +
		`\[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>[^ "]+)(?: HTTP/(?P<proto>[\d.]+))?" ` +
		`(?P<status>\d{3}) (?P<size>\d+|-) "(?P<agent>(?:[^"\\]|\\.)*)" (?P<took>[\d.]+(?:µs|ms|s))$`)
	numbers = regexp.MustCompile(`/\d+(/|$)`)
	query   = regexp.MustCompile(`\?.*$`)
	bot     = regexp.MustCompile(`(?i)\b(?:bot|crawler|spider)s?\b`)
	browser = regexp.MustCompile(`(Firefox|Chrome|Safari)/(\d+)(?:\.\d+)*`)
	secret  = regexp.MustCompile(`((?:token|password)=)[^&\s]+`)
)

type entry struct {
	ip, user, method, path, agent string
	when                          time.Time
	status, size                  int
	took                          time.Duration
}

func parse(s string) (e entry, err error) {
	m := line.FindStringSubmatch(s)
	if m == nil {
		return e, fmt.Errorf("no match: %.30q", s)
	}
	get := func(name string) string { return m[line.SubexpIndex(name)] }
	e = entry{ip: get("ip"), user: get("user"), method: get("method"), path: get("path"),
		agent: get("agent")}
	if e.when, err = time.Parse("02/Jan/2006:15:04:05 -0700", get("time")); err != nil {
		return e, err
	}
	e.status, _ = strconv.Atoi(get("status"))
	e.size, _ = strconv.Atoi(get("size"))
	e.took, err = time.ParseDuration(get("took"))
	return e, err
}

func route(path string) string {
	path = query.ReplaceAllString(path, "")
	return numbers.ReplaceAllString(path, "/{id}$1")
}

func logText() string {
	var b strings.Builder
	paths := []string{"/", "/users/17", "/users/42/posts/9", "/login?token=abc&x=1",
		"/static/app.js", "/missing"}
	agents := []string{"Mozilla/5.0 Firefox/121.0", "Mozilla/5.0 Chrome/120.0.6099 Safari/537.36",
		"Googlebot/2.1 (+http://google.com/bot.html)", `quoted \"agent\"`, "curl/8"}
	t := time.Date(2024, 5, 1, 23, 50, 0, 0, time.FixedZone("", -7200))
	seed := uint32(7)
	next := func(n int) int { seed = seed*1664525 + 1013904223; return int(seed>>16) % n }
	for i := range 400 {
		t = t.Add(time.Duration(next(90)) * time.Second)
		status := []int{200, 200, 200, 304, 404, 500}[next(6)]
		fmt.Fprintf(&b, "10.0.%d.%d - %s [%s] \"%s %s HTTP/1.1\" %d %d \"%s\" %dms\n", next(3), next(5),
			[]string{"-", "ann", "bob"}[next(3)], t.Format("02/Jan/2006:15:04:05 -0700"),
			[]string{"GET", "POST"}[next(2)], paths[next(len(paths))], status, next(5000),
			agents[next(len(agents))], next(900))
		if i%100 == 50 {
			b.WriteString("garbage " + strconv.Itoa(i) + " password=hunter2 in a log\n")
		}
	}
	b.WriteString(`2001:db8::1 - - [02/May/2024:07:00:00 +0000] "GET /old" 200 - "" 1.5s` + "\n")
	b.WriteString(`10.0.0.1 - - [99/May/2024:07:00:00 +0000] "GET / HTTP/1.1" 200 5 "x" 15µs` + "\n")
	return b.String()
}

func top[K cmp.Ordered](counts map[K]int, n int) {
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, k := range keys[:min(n, len(keys))] {
		fmt.Printf("  %5d %v\n", counts[k], k)
	}
}

func main() {
	routes, statuses, hours, browsers := map[string]int{}, map[int]int{}, map[string]int{},
		map[string]int{}
	perUser := map[string][]entry{}
	var slow []entry
	bots, bytes := 0, 0
	sc := bufio.NewScanner(strings.NewReader(logText()))
	for n := 1; sc.Scan(); n++ {
		e, err := parse(sc.Text())
		if err != nil {
			fmt.Println("line", n, err, secret.ReplaceAllString(sc.Text(), "${1}***"))
			continue
		}
		routes[e.method+" "+route(e.path)]++
		statuses[e.status]++
		hours[e.when.UTC().Format("02 15h")]++
		bytes += e.size
		if bot.MatchString(e.agent) {
			bots++
		}
		for _, m := range browser.FindAllStringSubmatch(e.agent, -1) {
			browsers[m[1]+" "+m[2]]++
		}
		if e.took > 850*time.Millisecond {
			slow = append(slow, e)
		}
		perUser[e.user] = append(perUser[e.user], e)
	}
	fmt.Println("routes")
	top(routes, 5)
	fmt.Println("statuses")
	top(statuses, 10)
	fmt.Println("hours")
	top(hours, 3)
	fmt.Println("browsers")
	top(browsers, 5)
	fmt.Println("bots", bots, "bytes", bytes, "slow", len(slow))
	for _, e := range slow[:3] {
		fmt.Println(" ", e.when.Format(time.RFC3339), e.took, secret.ReplaceAllString(e.path, "${1}…"))
	}
	for _, user := range slices.Sorted(maps.Keys(perUser)) {
		sessions := 1
		list := perUser[user]
		for i := 1; i < len(list); i++ {
			if list[i].when.Sub(list[i-1].when) > 3*time.Minute {
				sessions++
			}
		}
		fmt.Println(user, len(list), "requests in", sessions, "sessions")
	}
	fmt.Println(line.NumSubexp(), line.SubexpNames()[1:4])
	fmt.Printf("%q\n", regexp.MustCompile(`[\s,;]+`).Split("a, b;c  d,,e", -1))
	fmt.Println(regexp.MustCompile(`(\w+)@(\w+)\.com`).ReplaceAllStringFunc("x@y.com, a@b.com",
		strings.ToUpper))
}
