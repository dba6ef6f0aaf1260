// run

// Columns, and the verbs and flags of Printf, wrong ones among them.
package main

import (
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
)

type row struct {
	name  string
	qty   int
	price float64
	tags  []string
}

func main() {
	rows := []row{{"Widget", 10, 3.5, []string{"a", "b"}}, {"Gadget with a long name", 1234567, 0.333333, nil}, {"Ünïcödé", -5, 1e9, []string{"日本"}}, {"", 0, 0, []string{}}}
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', tabwriter.AlignRight|tabwriter.Debug)
	fmt.Fprintln(w, "name\tqty\tprice\ttags\t")
	total := 0.0
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%s\t\n", r.name, r.qty, r.price, strings.Join(r.tags, ","))
		total += float64(r.qty) * r.price
	}
	w.Flush()
	w = tabwriter.NewWriter(os.Stdout, 5, 0, 1, '.', 0)
	fmt.Fprint(w, "a\tb\tc\naaaa\tbbbbbbb\tc\n\nx\ty\n")
	fmt.Fprintf(w, "%v\t%+v\t%q\n", rows[0], rows[1], rows[2].name)
	w.Flush()
	fmt.Printf("total %12.3f|%-12.1e|%+d|%x|%o|%b|%08.3f|%6.2f%%\n", total, total, 5, 255, 8, 5, -3.14159, 99.5)
	fmt.Printf("%5t|%-7t|%q|%v|%c|%U|%#U\n", true, false, 'x', 'x', 'x', '⌘', '⌘')
	fmt.Printf("%*d|%-*d|%.*f|%[2]*[1]d\n", 5, 42, 5, 42, 2, 3.14159)
	fmt.Printf("%[3]v %[1]v %[2]v %v\n", 1, 2, 3)
	fmt.Printf("%d %s\n", "str", 5)
	fmt.Printf("%d\n", 1, 2)
	fmt.Printf("%d %d\n", 1)
	fmt.Printf("%!\n")
	fmt.Printf("%z %v\n", 3, nil)
	fmt.Printf("%v %+v %#v %T\n", &rows[0], &rows[0], rows[:1], rows)
	fmt.Printf("%s|%10s|%-10s|%.2s|%q|%x|% x|%#x\n", "héllo", "héllo", "héllo", "héllo", "hé\"llo\n", "hé", "hé", "hé")
	fmt.Printf("%v %v %v %v\n", []byte("hi"), [3]bool{true}, map[string]int{"z": 1, "a": 2}, struct {
		A any
		B error
	}{1, nil})
	fmt.Printf("%6d|%-6d|%06d|%+.2e|%g|%G|%e\n", 42, 42, -42, 12345.678, 1e21, 1e-7, 0.0)
	fmt.Printf("%t %v %p\n", "x", struct{}{}, nil)
	fmt.Printf("%v %d %s\n", []any{1, "a", nil, 2.5, []int{1}}, []int{1, 2}, []string{"a", "b"})
	fmt.Printf("%x %X %x\n", []byte{1, 171}, "hello", []string{"a", "b"})
	fmt.Printf("%08b %o %#o %O %#b\n", 37, 64, 64, 64, 5)
	fmt.Printf("%+q %#q %q\n", "日本", "a`b", []string{"x y", "z"})
	fmt.Println(fmt.Sprint("a", 1, 2, "b", "c", 3.0, nil, 'x'), fmt.Sprintln("x", 1))
}
