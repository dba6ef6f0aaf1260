// run

// The division of an integer that fits a word by zero panics as one of words does.
package main

import (
	"fmt"
	"go/constant"
	"go/token"
	"math"
)

func main() {
	for _, n := range []int64{1, math.MaxInt64} {
		for _, op := range []token.Token{token.QUO_ASSIGN, token.REM} {
			func() {
				defer func() { fmt.Println(recover()) }()
				constant.BinaryOp(constant.MakeInt64(n), op, constant.MakeInt64(0))
			}()
		}
	}
}
