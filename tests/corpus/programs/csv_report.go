// run

// Sales in CSV become a report: sums by region and product, in columns, and as CSV again.
package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

const sales = `date,region,product,units,price
2024-01-03,North,"Widget, large",10,2.50
2024-01-04,South,Gadget,3,19.99
2024-01-04,North,Gadget,1,19.99
2024-02-11,West,"Say ""hi"" sign",2,5
2024-02-12,South,"Widget, large",7,2.45
2024-02-30,South,Gadget,1,19.99
2024-03-01,North,"Multi
line",4,1.25
2024-03-05,West,Gadget,x,19.99
2024-03-09,East,Gadget,12
2024-03-10,East,"Widget, large",100,2.25
`

type sale struct {
	date    time.Time
	region  string
	product string
	units   int
	price   float64
}

func (s sale) total() float64 { return float64(s.units) * s.price }

type rowError struct {
	line int
	err  error
}

func (e rowError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e rowError) Unwrap() error { return e.err }

func parse(r io.Reader) (list []sale, problems []error) {
	cr := csv.NewReader(r)
	header, err := cr.Read()
	if err != nil {
		return nil, []error{err}
	}
	column := map[string]int{}
	for i, name := range header {
		column[name] = i
	}
	for {
		rec, err := cr.Read()
		if err == io.EOF {
			return list, problems
		}
		line, _ := cr.FieldPos(0)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		field := func(name string) string { return rec[column[name]] }
		s := sale{region: field("region"), product: field("product")}
		var errs [3]error
		s.date, errs[0] = time.Parse(time.DateOnly, field("date"))
		s.units, errs[1] = strconv.Atoi(field("units"))
		s.price, errs[2] = strconv.ParseFloat(field("price"), 64)
		if err := errors.Join(errs[:]...); err != nil {
			problems = append(problems, rowError{line, err})
			continue
		}
		list = append(list, s)
	}
}

func sumBy[K comparable](list []sale, key func(sale) K) map[K]float64 {
	sums := map[K]float64{}
	for _, s := range list {
		sums[key(s)] += s.total()
	}
	return sums
}

func main() {
	list, problems := parse(strings.NewReader(sales))
	for _, p := range problems {
		fmt.Println("problem:", p, errors.Is(p, csv.ErrFieldCount), errors.Is(p, strconv.ErrSyntax))
	}
	regions := sumBy(list, func(s sale) string { return s.region })
	months := sumBy(list, func(s sale) time.Month { return s.date.Month() })
	type cell struct{ region, product string }
	cells := sumBy(list, func(s sale) cell { return cell{s.region, s.product} })

	var products []string
	for c := range cells {
		if !slices.Contains(products, c.product) {
			products = append(products, c.product)
		}
	}
	sort.Strings(products)
	var names []string
	for r := range regions {
		names = append(names, r)
	}
	sort.Slice(names, func(i, j int) bool { return regions[names[i]] > regions[names[j]] })

	tw := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprint(tw, "region\t")
	for _, p := range products {
		fmt.Fprintf(tw, "%s\t", strings.ReplaceAll(p, "\n", " "))
	}
	fmt.Fprintln(tw, "total\t")
	for _, r := range names {
		fmt.Fprintf(tw, "%s\t", r)
		for _, p := range products {
			if v, ok := cells[cell{r, p}]; ok {
				fmt.Fprintf(tw, "%.2f\t", v)
			} else {
				fmt.Fprint(tw, "-\t")
			}
		}
		fmt.Fprintf(tw, "%.2f\t\n", regions[r])
	}
	tw.Flush()
	for m := time.January; m <= time.April; m++ {
		fmt.Printf("%-9v %8.2f %s\n", m, months[m], strings.Repeat("#", int(months[m]/10)))
	}

	out := bufio.NewWriter(os.Stdout)
	cw := csv.NewWriter(out)
	cw.Comma = ';'
	for _, s := range list {
		cw.Write([]string{s.date.Format("02.01.2006"), s.region, s.product,
			strconv.FormatFloat(s.total(), 'f', 2, 64)})
	}
	cw.Flush()
	out.Flush()
	fmt.Println(cw.Error())

	for _, text := range []string{"a,b\n1,\"2", "a\nb\"c\n", "\"a\"b,c\n", "# note\na\n\n\nb\n",
		"x,y\r\n1,2\r\n"} {
		r := csv.NewReader(strings.NewReader(text))
		r.Comment = '#'
		rows, err := r.ReadAll()
		fmt.Printf("%q %v\n", rows, err)
		r = csv.NewReader(strings.NewReader(text))
		r.LazyQuotes = true
		r.FieldsPerRecord = -1
		rows, err = r.ReadAll()
		fmt.Printf("%q %v\n", rows, err)
	}
}
