// run

// Double-entry book-keeping with exact amounts, dates, recurring entries and a trial balance.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"
)

type Amount int64

func ParseAmount(s string) (Amount, error) {
	neg := strings.HasPrefix(s, "-")
	whole, frac, _ := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if len(frac) > 2 || whole == "" {
		return 0, fmt.Errorf("bad amount %q", s)
	}
	var n Amount
	for _, c := range strings.ReplaceAll(whole, ",", "") + (frac + "00")[:2] {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("bad amount %q", s)
		}
		n = n*10 + Amount(c-'0')
	}
	if neg {
		n = -n
	}
	return n, nil
}

func (a Amount) String() string {
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	s := fmt.Sprint(int64(a / 100))
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return fmt.Sprintf("%s%s.%02d", sign, s, int64(a%100))
}

// Format lets widths count.
func (a Amount) Format(f fmt.State, verb rune) {
	s := a.String()
	if w, ok := f.Width(); ok {
		pad := strings.Repeat(" ", max(0, w-len(s)))
		if f.Flag('-') {
			s += pad
		} else {
			s = pad + s
		}
	}
	if verb == '+' || f.Flag('+') && a > 0 {
		s = "+" + strings.TrimLeft(s, " ")
	}
	fmt.Fprint(f, s)
}

type Posting struct {
	Account string
	Amount  Amount
}

type Entry struct {
	Date     time.Time
	Text     string
	Postings []Posting
}

var errUnbalanced = errors.New("unbalanced")

func parse(src string) (entries []Entry, errs []error) {
	var cur *Entry
	finish := func(line int) {
		if cur == nil {
			return
		}
		var sum Amount
		open := -1
		for i, p := range cur.Postings {
			if p.Amount == 0 {
				open = i
			}
			sum += p.Amount
		}
		if open >= 0 {
			cur.Postings[open].Amount = -sum
			sum = 0
		}
		if sum != 0 {
			errs = append(errs, fmt.Errorf("line %d: %q: %w by %v", line, cur.Text, errUnbalanced, sum))
		} else {
			entries = append(entries, *cur)
		}
		cur = nil
	}
	sc := bufio.NewScanner(strings.NewReader(src))
	n := 0
	for sc.Scan() {
		n++
		line, _, _ := strings.Cut(sc.Text(), ";")
		switch {
		case strings.TrimSpace(line) == "":
			finish(n)
		case line[0] != ' ':
			finish(n)
			date, text, _ := strings.Cut(line, " ")
			d, err := time.Parse("2006/01/02", date)
			if err != nil {
				errs = append(errs, fmt.Errorf("line %d: %w", n, err))
				continue
			}
			cur = &Entry{Date: d, Text: strings.TrimSpace(text)}
		case cur != nil:
			f := strings.Fields(line)
			p := Posting{Account: f[0]}
			if len(f) > 1 {
				var err error
				if p.Amount, err = ParseAmount(f[1]); err != nil {
					errs = append(errs, fmt.Errorf("line %d: %w", n, err))
				}
			}
			cur.Postings = append(cur.Postings, p)
		}
	}
	finish(n)
	return entries, errs
}

func recurring(e Entry, every func(time.Time) time.Time, until time.Time) (out []Entry) {
	for d := every(e.Date); !d.After(until); d = every(d) {
		next := e
		next.Date = d
		next.Postings = slices.Clone(e.Postings)
		out = append(out, next)
	}
	return out
}

const book = `
2024/01/01 Opening ; balances
  Assets:Bank  10,000.00
  Equity:Opening

2024/01/15 Groceries
  Expenses:Food  52.25
  Expenses:Home  7.5
  Assets:Bank

2024/01/31 Rent
  Expenses:Rent  1200
  Assets:Bank  -1,200.00
2024/02/30 No such day
  Assets:Bank  1

2024/02/03 Salary
  Assets:Bank  3,333.33
  Income:Job  -3333.32

2024/02/04 Cents
  Assets:Bank  -0.05
  Expenses:Fees  0.05
  Expenses:Odd  1.234
`

var report = template.Must(template.New("report").Funcs(template.FuncMap{
	"pad": func(n int, s string) string { return fmt.Sprintf("%-*s", n, s) },
}).Parse(`{{range $i, $a := .Accounts}}{{with index $.Balances $a}}{{$a | pad 20}}{{printf "%14v" .}}
{{end}}{{end}}{{"total" | pad 20}}{{printf "%14v" .Total}}
`))

func main() {
	entries, errs := parse(book)
	for _, err := range errs {
		fmt.Println(err, errors.Is(err, errUnbalanced))
	}
	rent := entries[slices.IndexFunc(entries, func(e Entry) bool { return e.Text == "Rent" })]
	entries = append(entries, recurring(rent, func(t time.Time) time.Time {
		first := time.Date(t.Year(), t.Month()+2, 0, 0, 0, 0, 0, time.UTC)
		return first
	}, time.Date(2024, 6, 30, 0, 0, 0, 0, time.UTC))...)
	slices.SortStableFunc(entries, func(a, b Entry) int { return a.Date.Compare(b.Date) })
	balances := map[string]Amount{}
	var total Amount
	for _, e := range entries {
		y, w := e.Date.ISOWeek()
		fmt.Printf("%s %-10s week %d-%02d day %3d\n", e.Date.Format("Mon Jan _2"), e.Text, y, w,
			e.Date.YearDay())
		for _, p := range e.Postings {
			balances[p.Account] += p.Amount
			total += p.Amount
			for i := strings.LastIndexByte(p.Account,
				':'); i > 0; i = strings.LastIndexByte(p.Account[:i], ':') {
				balances[p.Account[:i]] += p.Amount
			}
		}
	}
	err := report.Execute(textOut{}, map[string]any{
		"Accounts": slices.Sorted(maps.Keys(balances)), "Balances": balances, "Total": total,
	})
	fmt.Println(err)
	for _, s := range []string{"0", "-0.1", "1,234,567.89", ".5", "1.2.3", "x", "-", "12a"} {
		a, err := ParseAmount(s)
		fmt.Printf("%v|%12v|%-12v|%+v %v\n", a, a, a, a, err)
	}
}

type textOut struct{}

func (textOut) Write(b []byte) (int, error) { return fmt.Print(string(b)) }
