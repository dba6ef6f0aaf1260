// run
//
// Package uuid: texts both ways, what is no text of one, and the kinds that are made.
package main

import (
	"fmt"
	"slices"
	"strings"
	"structs"
	"uuid"
)

type laidOut struct {
	_ structs.HostLayout
	n int
}

func main() {
	const s = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
	for _, text := range []string{
		s, strings.ToUpper(s), "urn:uuid:" + s, "{" + s + "}", strings.ReplaceAll(s, "-", ""), "", s[:35], s + "0",
		"URN:uuid:" + s, "{" + s + ")", strings.Replace(s, "-", "_", 1), strings.Replace(s, "f", "g", 1), "xx" + s,
		strings.Repeat("g", 32), "f81d4fae7-dec-11d0-a765-00a0c91e6bf6", "urn:uuid-" + s,
	} {
		u, err := uuid.Parse(text)
		fmt.Println(u, err)
	}
	u := uuid.MustParse(s)
	b, err := u.MarshalText()
	c, err2 := u.AppendText([]byte("id="))
	fmt.Println(string(b), err, string(c), err2)
	v := u
	fmt.Println(v.UnmarshalText([]byte("bad")), v == u, v.UnmarshalText([]byte(strings.ToUpper(s))), v == u)
	func() {
		defer func() { fmt.Println(recover()) }()
		uuid.MustParse("x")
	}()
	fmt.Println(uuid.Nil(), uuid.Max(), uuid.Nil().Compare(uuid.Max()), u.Compare(u), uuid.Max().Compare(u))
	fmt.Printf("%v %s %x\n", u, u, u[:])
	seen := map[uuid.UUID]bool{}
	var last []uuid.UUID
	for range 1000 {
		a, b := uuid.NewV4(), uuid.NewV7()
		if a[6]>>4 != 4 || b[6]>>4 != 7 || a[8]>>6 != 2 || b[8]>>6 != 2 {
			fmt.Println("bad", a, b)
		}
		seen[a], seen[b] = true, true
		last = append(last, b)
	}
	fmt.Println(len(seen), slices.IsSortedFunc(last, uuid.UUID.Compare), uuid.New()[6]>>4)
	fmt.Println(laidOut{n: 3}.n)
}
