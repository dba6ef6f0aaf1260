// run
package main

import (
	"fmt"
	"go/constant"
	"go/token"
	"hash/fnv"
	"io"
	"math"
	"math/big"
	"os"
	"runtime"
	"strings"
)

// out is where try prints: standard output, or a hash of what would be too much.
var out io.Writer = os.Stdout

func try(f func() any) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error:
			fmt.Fprint(out, " crash")
		default:
			fmt.Fprintf(out, " <%v>", r)
		}
	}()
	fmt.Fprintf(out, " %v", f())
}

func two[A, B any](a A, b B) any { return fmt.Sprint(a, ",", b) }

func main() {
	lit := constant.MakeFromLiteral
	values := []constant.Value{
		constant.MakeUnknown(), constant.MakeBool(true), constant.MakeBool(false), constant.MakeString(""),
		constant.MakeString("é\n"), constant.MakeString(strings.Repeat("long", 30)), constant.MakeInt64(0),
		constant.MakeInt64(-7), constant.MakeInt64(math.MinInt64), constant.MakeUint64(math.MaxUint64),
		constant.MakeFloat64(math.Copysign(0, -1)), constant.MakeFloat64(0.1), constant.MakeFloat64(math.Inf(1)),
		constant.MakeFloat64(5e-324), lit("1e5000", token.FLOAT, 0), lit("-1e-5000", token.FLOAT, 0),
		lit("0x1p-4", token.FLOAT, 0), lit("0e999999999", token.FLOAT, 0), lit("123456789012345678901234567890", token.INT, 0),
		lit("0b101", token.INT, 0), lit("09", token.INT, 0), lit("1_000", token.INT, 0), lit("'\\x41'", token.CHAR, 0),
		lit("`raw`", token.STRING, 0), lit("\"bad", token.STRING, 0), lit("2.5i", token.IMAG, 0), lit("3", token.IMAG, 0),
		constant.MakeImag(constant.MakeInt64(2)), constant.Make(big.NewRat(6, 4)), constant.Make(big.NewInt(5)),
		constant.Make(big.NewFloat(2.5)), constant.Make("s"), constant.Make(5), constant.Make(int64(5)), constant.Make(true),
		constant.MakeFromBytes([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}), constant.MakeFromBytes(nil),
		constant.ToFloat(constant.Shift(constant.MakeInt64(1), token.SHL, 5000)),
	}
	for _, x := range values {
		fmt.Printf("%v %T %v", x.Kind(), x, x)
		if s := x.ExactString(); len(s) < 200 {
			fmt.Printf(" %s", s)
		}
		try(func() any { return constant.BoolVal(x) })
		try(func() any { return len(constant.StringVal(x)) })
		try(func() any { return constant.StringLen(x) })
		try(func() any { return two(constant.Int64Val(x)) })
		try(func() any { return two(constant.Uint64Val(x)) })
		try(func() any { return two(constant.Float32Val(x)) })
		try(func() any { return two(constant.Float64Val(x)) })
		try(func() any { return fmt.Sprintf("%T", constant.Val(x)) })
		try(func() any { return constant.BitLen(x) })
		try(func() any { return constant.Sign(x) })
		try(func() any { return len(constant.Bytes(x)) })
		for _, f := range []func(constant.Value) constant.Value{
			constant.Num, constant.Denom, constant.MakeImag, constant.Real, constant.Imag, constant.ToInt,
			constant.ToFloat, constant.ToComplex,
		} {
			try(func() any { return f(x) })
		}
		for _, op := range []token.Token{token.ADD, token.SUB, token.XOR, token.NOT, token.MUL} {
			try(func() any { return constant.UnaryOp(op, x, 0) })
			try(func() any { return constant.UnaryOp(op, x, 8) })
		}
		for _, op := range []token.Token{token.SHL, token.SHR, token.ADD} {
			try(func() any { return constant.Shift(x, op, 3) })
			try(func() any { return constant.Shift(x, op, 0) })
		}
		fmt.Println()
		hash := fnv.New64a()
		out = hash
		for _, y := range values {
			for _, op := range []token.Token{
				token.ADD, token.SUB, token.MUL, token.QUO, token.QUO_ASSIGN, token.REM, token.AND, token.OR,
				token.XOR, token.AND_NOT, token.LAND, token.LOR, token.SHL,
			} {
				if op == token.QUO || op == token.QUO_ASSIGN || op == token.REM {
					if k := y.Kind(); k >= constant.Int && constant.Sign(y) == 0 {
						continue
					}
				}
				try(func() any {
					z := constant.BinaryOp(x, op, y)
					return fmt.Sprintf("%T%v", z, z)
				})
			}
			for _, op := range []token.Token{token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ, token.ADD} {
				try(func() any { return constant.Compare(x, op, y) })
			}
		}
		out = os.Stdout
		fmt.Printf("%x\n", hash.Sum64())
	}
	s := constant.MakeString("a")
	for range 12 {
		s = constant.BinaryOp(s, token.ADD, s)
	}
	for range 1000 {
		s = constant.BinaryOp(s, token.ADD, constant.MakeString("b"))
	}
	fmt.Println(constant.StringLen(s), strings.Count(constant.StringVal(s), "b"), s, constant.StringLen(s))
	try(func() any { return lit("1", token.INT, 1) })
	try(func() any { return lit("x", token.IDENT, 0) })
	third := constant.BinaryOp(constant.MakeInt64(1), token.QUO, constant.MakeInt64(3))
	fmt.Println(third.ExactString(), constant.BinaryOp(third, token.MUL, constant.MakeInt64(3)), constant.Kind(9), constant.Kind(-1))
	near := constant.BinaryOp(constant.Make(big.NewFloat(0).SetPrec(512).Quo(big.NewFloat(1), big.NewFloat(3))), token.MUL, constant.MakeInt64(3))
	fmt.Println(constant.ToInt(near))
}
