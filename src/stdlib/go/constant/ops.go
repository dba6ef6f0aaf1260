package constant

import (
	"cmp"
	"fmt"
	"go/token"
	"math/big"
)

// Numbers are on a ladder of forms: words, integers, quotients, floats, complex numbers. Two of
// them are lifted to the higher of their rungs before anything is computed; the result then
// takes the simplest form again. What a rung can do with two numbers is in one routine each.

// The rungs, below which are forms that are not lifted.
const (
	none = iota
	apart
	words
	integers
	quotients
	floats
	complexes
)

// rung returns where the form of a value is.
func rung(x Value) int {
	switch x.(type) {
	case int64Val:
		return words
	case intVal:
		return integers
	case ratVal:
		return quotients
	case floatVal:
		return floats
	case complexVal:
		return complexes
	case boolVal, *stringVal:
		return apart
	}
	return none
}

// lift returns a number in the form of a rung that is not below its own.
func lift(x Value, to int) Value {
	switch to {
	case integers:
		return toInt(x)
	case quotients:
		return toRat(x)
	case floats:
		return toFloat(x)
	case complexes:
		return toComplex(x)
	}
	return x
}

// match returns x and y in the same form; where there is none, twice the one that is no number,
// or rather an unknown one.
func match(x, y Value) (Value, Value) {
	a, b := rung(x), rung(y)
	switch {
	case a == b:
		return x, y
	case a < words && a < b:
		return x, x
	case b < words:
		return y, y
	case a < b:
		return lift(x, b), y
	}
	return x, lift(y, a)
}

// UnaryOp returns op y. With prec, which is for ^ of unsigned values, it has that many bits.
func UnaryOp(op token.Token, y Value, prec uint) Value {
	kind := y.Kind()
	number := kind == Int || kind == Float || kind == Complex
	switch {
	case op == token.ADD && number:
		return y
	case op == token.SUB && number:
		return BinaryOp(int64Val(0), op, y)
	case op == token.XOR && kind == Int:
		z := new(big.Int).Not(toInt(y).val)
		if prec > 0 {
			low := new(big.Int).Lsh(big.NewInt(1), prec)
			z.And(z, low.Sub(low, big.NewInt(1)))
		}
		return ofInt(z)
	case op == token.NOT && kind == Bool:
		return !y.(boolVal)
	case kind == Unknown:
		if op == token.ADD || op == token.SUB || op == token.XOR || op == token.NOT {
			return y
		}
	}
	panic(fmt.Sprintf("invalid unary operation %s%v", op, y))
}

// BinaryOp returns x op y; of Ints, QUO divides exactly, QUO_ASSIGN cuts the fraction off.
func BinaryOp(x Value, op token.Token, y Value) Value {
	a, b := match(x, y)
	if z := binary(a, op, b); z != nil {
		return z
	}
	panic(fmt.Sprintf("invalid binary operation %v %s %v", x, op, y))
}

// binary computes with values of the same form; nil if that has no such operator.
func binary(a Value, op token.Token, b Value) Value {
	switch a := a.(type) {
	case int64Val:
		if z, ok := wordOp(int64(a), op, int64(b.(int64Val))); ok {
			return int64Val(z)
		}
		return intOp(toInt(a).val, op, toInt(b).val)
	case intVal:
		return intOp(a.val, op, b.(intVal).val)
	case ratVal:
		if z := arith(&ratOps, new(big.Rat), a.val, op, b.(ratVal).val); z != nil {
			return ofRat(z)
		}
	case floatVal:
		if z := arith(&floatOps, float(), a.val, op, b.(floatVal).val); z != nil {
			return ofFloat(z)
		}
	case complexVal:
		return complexOp(a, op, b.(complexVal))
	case *stringVal:
		if op == token.ADD {
			return &stringVal{left: a, right: b.(*stringVal)}
		}
	case boolVal:
		b := b.(boolVal)
		if op == token.LAND {
			return a && b
		}
		if op == token.LOR {
			return a || b
		}
	case unknownVal:
		return a
	}
	return nil
}

// operators are the operations that all numbers have, which set z to their result, in the order of
// their tokens: ADD, SUB, MUL, QUO.
type operators[T any] [4]func(z, a, b *T) *T

var (
	intOps   = operators[big.Int]{(*big.Int).Add, (*big.Int).Sub, (*big.Int).Mul, (*big.Int).Quo}
	ratOps   = operators[big.Rat]{(*big.Rat).Add, (*big.Rat).Sub, (*big.Rat).Mul, (*big.Rat).Quo}
	floatOps = operators[big.Float]{
		(*big.Float).Add, (*big.Float).Sub, (*big.Float).Mul, (*big.Float).Quo,
	}
)

// arith sets z to a op b and returns it, or nil if op is none of the operators.
func arith[T any](ops *operators[T], z, a *T, op token.Token, b *T) *T {
	if op < token.ADD || op > token.QUO {
		return nil
	}
	return ops[op-token.ADD](z, a, b)
}

func intOp(a *big.Int, op token.Token, b *big.Int) Value {
	z := new(big.Int)
	switch op {
	case token.QUO:
		return ofRat(new(big.Rat).SetFrac(a, b))
	case token.QUO_ASSIGN:
		z.Quo(a, b)
	case token.REM:
		z.Rem(a, b)
	case token.AND:
		z.And(a, b)
	case token.AND_NOT:
		z.AndNot(a, b)
	case token.OR:
		z.Or(a, b)
	case token.XOR:
		z.Xor(a, b)
	default:
		if z = arith(&intOps, z, a, op, b); z == nil {
			return nil
		}
	}
	return ofInt(z)
}

// wordOp computes in a word, if the operands are small enough for every result to fit.
func wordOp(a int64, op token.Token, b int64) (z int64, ok bool) {
	if b != 0 && (int64(int32(a)) != a || int64(int32(b)) != b) {
		return 0, false
	}
	switch op {
	case token.AND:
		z = a & b
	case token.OR:
		z = a | b
	case token.XOR:
		z = a ^ b
	case token.AND_NOT:
		z = a &^ b
	case token.REM:
		z = a % b
	case token.QUO_ASSIGN:
		z = a / b
	case token.MUL:
		z = a * b
	case token.SUB:
		z = a - b
	case token.ADD:
		z = a + b
	default:
		return 0, false
	}
	return z, true
}

// complexOp computes with the parts of complex numbers, which are of any form.
func complexOp(x complexVal, op token.Token, y complexVal) Value {
	products := func(a, b Value, op token.Token, c, d Value) Value {
		return BinaryOp(BinaryOp(a, token.MUL, b), op, BinaryOp(c, token.MUL, d))
	}
	switch op {
	case token.ADD, token.SUB:
		return ofParts(BinaryOp(x.re, op, y.re), BinaryOp(x.im, op, y.im))
	case token.MUL:
		re := products(x.re, y.re, token.SUB, x.im, y.im)
		return ofParts(re, products(x.im, y.re, token.ADD, x.re, y.im))
	case token.QUO:
		by := products(y.re, y.re, token.ADD, y.im, y.im)
		re := products(x.re, y.re, token.ADD, x.im, y.im)
		im := products(x.im, y.re, token.SUB, x.re, y.im)
		return ofParts(BinaryOp(re, op, by), BinaryOp(im, op, by))
	}
	return nil
}

// Shift returns x op s, of an Int; op is SHL or SHR.
func Shift(x Value, op token.Token, s uint) Value {
	kind := x.Kind()
	if kind == Unknown || kind == Int && s == 0 {
		return x
	}
	if kind == Int && (op == token.SHL || op == token.SHR) {
		move := (*big.Int).Lsh
		if op == token.SHR {
			move = (*big.Int).Rsh
		}
		return ofInt(move(new(big.Int), toInt(x).val, s))
	}
	panic(fmt.Sprintf("invalid shift %v %s %d", x, op, s))
}

// holds has, for an operator, which orders of its operands make it true.
var holds = [...]uint8{
	token.LSS: less,
	token.EQL: same,
	token.GTR: more,
	token.LEQ: less | same,
	token.NEQ: less | more,
	token.GEQ: same | more,
}

const (
	less = 1 << iota
	same
	more
)

// Compare returns x op y; false if one of them is unknown.
func Compare(x Value, op token.Token, y Value) bool {
	order, big := 0, false
	ordered := true
	a, b := match(x, y)
	switch a := a.(type) {
	case int64Val:
		order = cmp.Compare(a, b.(int64Val))
	case intVal:
		order, big = a.val.Cmp(b.(intVal).val), true
	case ratVal:
		order, big = a.val.Cmp(b.(ratVal).val), true
	case floatVal:
		order, big = a.val.Cmp(b.(floatVal).val), true
	case complexVal:
		z := b.(complexVal)
		re, im := Compare(a.re, token.NEQ, z.re), Compare(a.im, token.NEQ, z.im)
		ordered = false
		if re || im {
			order = 1
		}
	case *stringVal:
		order = cmp.Compare(a.text(), b.(*stringVal).text())
	case boolVal:
		ordered = false
		if a != b.(boolVal) {
			order = 1
		}
	case unknownVal:
		return false
	}
	if int(op) < len(holds) && holds[op] != 0 {
		if ordered || op == token.EQL || op == token.NEQ {
			return holds[op]>>(order+1)&1 != 0
		}
	}
	if big {
		panic(fmt.Sprintf("invalid comparison %v %s 0", order, op))
	}
	panic(fmt.Sprintf("invalid comparison %v %s %v", x, op, y))
}
