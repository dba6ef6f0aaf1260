// run

// &T may be left out where elements are literals of T, whatever T is.
package main

import "fmt"

type list []int

type table map[string]int

type pair struct{ a, b int }

type grid [2]pair

func main() {
	slices := []*[]int{{1, 2}, {}, nil, {3: 4}}
	fmt.Println(len(slices), *slices[0], *slices[1], slices[2], *slices[3])
	named := []*list{{1, 2, 3}}
	fmt.Println(*named[0], cap(*named[0]))
	maps := []*map[string]int{{"a": 1, "b": 2}, {}}
	fmt.Println(*maps[0], len(*maps[1]), *maps[1] == nil)
	tables := map[string]*table{"x": {"y": 5}}
	fmt.Println(*tables["x"])
	of := map[string]*[]pair{"p": {{1, 2}, {b: 3}}}
	fmt.Println(*of["p"])
	keys := map[*[1]int]int{{7}: 1}
	for k, v := range keys {
		fmt.Println(*k, v)
	}
	arrays := [...]*[2]int{{1, 2}, 2: {1: 3}}
	fmt.Println(*arrays[0], arrays[1], *arrays[2])
	grids := []*grid{{{1, 2}, {3, 4}}}
	fmt.Println(*grids[0])
	deep := &[]*[]*[]string{{{"a"}, {"b", "c"}}, {}}
	fmt.Println(len(*deep), *(*(*deep)[0])[1], len(*(*deep)[1]))
	mixed := []*map[string]*[]*pair{{"k": {{1, 2}, nil, {a: 3}}}}
	inner := *(*mixed[0])["k"]
	fmt.Println(*inner[0], inner[1], *inner[2])
	structs := []*pair{{1, 2}, {}}
	fmt.Println(*structs[0], *structs[1])
	n := 0
	next := func() int { n++; return n }
	calls := []*[]int{{next(), next()}, {next()}}
	fmt.Println(*calls[0], *calls[1])
	held := struct{ all []*[]int }{[]*[]int{{9}}}
	fmt.Println(*held.all[0])
}
