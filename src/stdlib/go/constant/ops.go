package constant

import (
	"cmp"
	"fmt"
	"go/token"
	"math/big"
)

// UnaryOp returns op y. With prec, which is for ^ of unsigned values, it has that many bits.
func UnaryOp(op token.Token, y Value, prec uint) Value {
	if y.Kind() == Unknown {
		switch op {
		case token.ADD, token.SUB, token.XOR, token.NOT:
			return y
		}
	}
	switch op {
	case token.ADD:
		switch y.Kind() {
		case Int, Float, Complex:
			return y
		}
	case token.SUB:
		switch y := y.(type) {
		case int64Val, intVal:
			return ofInt(new(big.Int).Neg(toInt(y).val))
		case ratVal:
			return ofRat(new(big.Rat).Neg(y.val))
		case floatVal:
			return ofFloat(newFloat().Neg(y.val))
		case complexVal:
			return ofParts(UnaryOp(op, y.re, 0), UnaryOp(op, y.im, 0))
		}
	case token.XOR:
		if y.Kind() == Int {
			z := new(big.Int).Not(toInt(y).val)
			if prec > 0 {
				z.AndNot(z, new(big.Int).Lsh(big.NewInt(-1), prec))
			}
			return ofInt(z)
		}
	case token.NOT:
		if y, ok := y.(boolVal); ok {
			return !y
		}
	}
	panic(fmt.Sprintf("invalid unary operation %s%v", op, y))
}

// rank orders the forms of values: two of a different rank are brought to the higher one.
func rank(x Value) int {
	switch x.(type) {
	case unknownVal:
		return 0
	case boolVal, *stringVal:
		return 1
	case int64Val:
		return 2
	case intVal:
		return 3
	case ratVal:
		return 4
	case floatVal:
		return 5
	case complexVal:
		return 6
	}
	return -1
}

// match returns x and y in the same form; where there is none, twice the one of lower rank.
func match(x, y Value) (Value, Value) {
	rx, ry := rank(x), rank(y)
	if rx == ry {
		return x, y
	}
	if low := min(rx, ry); low < 2 {
		if rx == low {
			return x, x
		}
		return y, y
	}
	switch max(rx, ry) {
	case 3:
		return toInt(x), toInt(y)
	case 4:
		return toRat(x), toRat(y)
	case 5:
		return toFloat(x), toFloat(y)
	}
	return toComplex(x), toComplex(y)
}

// BinaryOp returns x op y; of Ints, QUO divides exactly, QUO_ASSIGN cuts the fraction off.
func BinaryOp(x_ Value, op token.Token, y_ Value) Value {
	x, y := match(x_, y_)
	switch x := x.(type) {
	case unknownVal:
		return x
	case boolVal:
		y := y.(boolVal)
		switch op {
		case token.LAND:
			return x && y
		case token.LOR:
			return x || y
		}
	case *stringVal:
		if op == token.ADD {
			return &stringVal{left: x, right: y.(*stringVal)}
		}
	case int64Val:
		y := y.(int64Val)
		if z, ok := wordOp(int64(x), op, int64(y)); ok {
			return int64Val(z)
		}
		if z := intOp(toInt(x).val, op, toInt(y).val); z != nil {
			return z
		}
	case intVal:
		if z := intOp(x.val, op, y.(intVal).val); z != nil {
			return z
		}
	case ratVal:
		a, b, z := x.val, y.(ratVal).val, new(big.Rat)
		switch op {
		case token.ADD:
			return ofRat(z.Add(a, b))
		case token.SUB:
			return ofRat(z.Sub(a, b))
		case token.MUL:
			return ofRat(z.Mul(a, b))
		case token.QUO:
			return ofRat(z.Quo(a, b))
		}
	case floatVal:
		a, b, z := x.val, y.(floatVal).val, newFloat()
		switch op {
		case token.ADD:
			return ofFloat(z.Add(a, b))
		case token.SUB:
			return ofFloat(z.Sub(a, b))
		case token.MUL:
			return ofFloat(z.Mul(a, b))
		case token.QUO:
			return ofFloat(z.Quo(a, b))
		}
	case complexVal:
		if z := complexOp(x, op, y.(complexVal)); z != nil {
			return z
		}
	}
	panic(fmt.Sprintf("invalid binary operation %v %s %v", x_, op, y_))
}

// wordOp computes in a word, if the operands are small enough for every result to fit.
func wordOp(a int64, op token.Token, b int64) (int64, bool) {
	const half = 1 << 31
	if a < -half || a >= half || b < -half || b >= half {
		return 0, false
	}
	switch op {
	case token.ADD:
		return a + b, true
	case token.SUB:
		return a - b, true
	case token.MUL:
		return a * b, true
	case token.QUO_ASSIGN:
		return a / b, true
	case token.REM:
		return a % b, true
	case token.AND:
		return a & b, true
	case token.OR:
		return a | b, true
	case token.XOR:
		return a ^ b, true
	case token.AND_NOT:
		return a &^ b, true
	}
	return 0, false
}

func intOp(a *big.Int, op token.Token, b *big.Int) Value {
	z := new(big.Int)
	switch op {
	case token.ADD:
		z.Add(a, b)
	case token.SUB:
		z.Sub(a, b)
	case token.MUL:
		z.Mul(a, b)
	case token.QUO:
		return ofRat(new(big.Rat).SetFrac(a, b))
	case token.QUO_ASSIGN:
		z.Quo(a, b)
	case token.REM:
		z.Rem(a, b)
	case token.AND:
		z.And(a, b)
	case token.OR:
		z.Or(a, b)
	case token.XOR:
		z.Xor(a, b)
	case token.AND_NOT:
		z.AndNot(a, b)
	default:
		return nil
	}
	return ofInt(z)
}

func complexOp(x complexVal, op token.Token, y complexVal) Value {
	add := func(x, y Value) Value { return BinaryOp(x, token.ADD, y) }
	sub := func(x, y Value) Value { return BinaryOp(x, token.SUB, y) }
	mul := func(x, y Value) Value { return BinaryOp(x, token.MUL, y) }
	switch op {
	case token.ADD:
		return ofParts(add(x.re, y.re), add(x.im, y.im))
	case token.SUB:
		return ofParts(sub(x.re, y.re), sub(x.im, y.im))
	case token.MUL:
		re := sub(mul(x.re, y.re), mul(x.im, y.im))
		return ofParts(re, add(mul(x.im, y.re), mul(x.re, y.im)))
	case token.QUO:
		square := add(mul(y.re, y.re), mul(y.im, y.im))
		re := add(mul(x.re, y.re), mul(x.im, y.im))
		im := sub(mul(x.im, y.re), mul(x.re, y.im))
		return ofParts(BinaryOp(re, op, square), BinaryOp(im, op, square))
	}
	return nil
}

// Shift returns x op s, of an Int; op is SHL or SHR.
func Shift(x Value, op token.Token, s uint) Value {
	switch x.Kind() {
	case Unknown:
		return x
	case Int:
		z := new(big.Int)
		switch {
		case s == 0:
			return x
		case op == token.SHL:
			return ofInt(z.Lsh(toInt(x).val, s))
		case op == token.SHR:
			return ofInt(z.Rsh(toInt(x).val, s))
		}
	}
	panic(fmt.Sprintf("invalid shift %v %s %d", x, op, s))
}

// decide returns what a comparison says of two values in that order.
func decide(order int, op token.Token) (result, valid bool) {
	switch op {
	case token.EQL:
		return order == 0, true
	case token.NEQ:
		return order != 0, true
	case token.LSS:
		return order < 0, true
	case token.LEQ:
		return order <= 0, true
	case token.GTR:
		return order > 0, true
	case token.GEQ:
		return order >= 0, true
	}
	return false, false
}

// Compare returns x op y; false if one of them is unknown.
func Compare(x_ Value, op token.Token, y_ Value) bool {
	x, y := match(x_, y_)
	order, ordered, large := 0, true, false
	switch x := x.(type) {
	case unknownVal:
		return false
	case boolVal, complexVal:
		ordered = false
		if !equal(x, y) {
			order = 1
		}
	case *stringVal:
		order = cmp.Compare(x.text(), y.(*stringVal).text())
	case int64Val:
		order = cmp.Compare(x, y.(int64Val))
	case intVal:
		order, large = x.val.Cmp(y.(intVal).val), true
	case ratVal:
		order, large = x.val.Cmp(y.(ratVal).val), true
	case floatVal:
		order, large = x.val.Cmp(y.(floatVal).val), true
	}
	if result, valid := decide(order, op); valid {
		if ordered || op == token.EQL || op == token.NEQ {
			return result
		}
	}
	if large {
		panic(fmt.Sprintf("invalid comparison %v %s 0", order, op))
	}
	panic(fmt.Sprintf("invalid comparison %v %s %v", x_, op, y_))
}

// equal compares values of a form that has no order.
func equal(x, y Value) bool {
	if x, ok := x.(boolVal); ok {
		return x == y.(boolVal)
	}
	a, b := x.(complexVal), y.(complexVal)
	re, im := Compare(a.re, token.EQL, b.re), Compare(a.im, token.EQL, b.im)
	return re && im
}
