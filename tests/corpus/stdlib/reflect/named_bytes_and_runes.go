// run
// Slices of bytes and runes of types of one's own are converted to strings and back.
package main

import (
	"fmt"
	"reflect"
)

type (
	B  byte
	R  rune
	S  string
	Bs []B
	Rs []R
	U  []uint16
)

func main() {
	values := []any{"aé", S("bü"), []byte("cé"), []rune("dé"), []B("eé"), []R("fé"), Bs("gé"), Rs("hé"), U{1}, []int8{1}}
	for _, v := range values {
		for _, u := range values {
			from, to := reflect.ValueOf(v), reflect.TypeOf(u)
			fmt.Print(from.Type(), " to ", to, ": ", from.Type().ConvertibleTo(to), from.CanConvert(to))
			func() {
				defer func() {
					if e := recover(); e != nil {
						fmt.Print(" panic: ", e)
					}
				}()
				w := from.Convert(to)
				fmt.Printf(" %T %v", w.Interface(), w)
			}()
			fmt.Println()
		}
	}
}
