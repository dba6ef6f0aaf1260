package main

import "fmt"

// A small stack machine: instructions with an operand, a stack of ints, frames with
// locals. It counts Collatz steps in a loop and runs a recursive Ackermann function.

const (
	push = iota
	load
	store
	add
	sub
	div
	mod
	jump
	jumpIfZero
	call
	ret
)

type instruction struct {
	op  uint8
	arg int
}

type frame struct {
	returnTo int
	locals   [4]int
}

type machine struct {
	code   []instruction
	stack  []int
	frames []frame
	steps  int
}

func (m *machine) pop() int {
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

func (m *machine) binary(f func(a, b int) int) {
	b := m.pop()
	m.stack[len(m.stack)-1] = f(m.stack[len(m.stack)-1], b)
}

func (m *machine) run(args ...int) int {
	m.stack = append(m.stack[:0], args...)
	m.frames = append(m.frames[:0], frame{})
	for pc := 0; ; {
		in, locals := m.code[pc], &m.frames[len(m.frames)-1].locals
		pc++
		m.steps++
		switch in.op {
		case push:
			m.stack = append(m.stack, in.arg)
		case load:
			m.stack = append(m.stack, locals[in.arg])
		case store:
			locals[in.arg] = m.pop()
		case add:
			m.binary(func(a, b int) int { return a + b })
		case sub:
			m.binary(func(a, b int) int { return a - b })
		case div:
			m.binary(func(a, b int) int { return a / b })
		case mod:
			m.binary(func(a, b int) int { return a % b })
		case jump:
			pc = in.arg
		case jumpIfZero:
			if m.pop() == 0 {
				pc = in.arg
			}
		case call:
			m.frames = append(m.frames, frame{returnTo: pc})
			pc = in.arg
		case ret:
			pc = m.frames[len(m.frames)-1].returnTo
			m.frames = m.frames[:len(m.frames)-1]
			if len(m.frames) == 0 {
				return m.pop()
			}
		}
	}
}

// How many steps it takes all numbers up to the argument to come to 1.
var collatz = []instruction{
	{store, 0}, {push, 0}, {store, 2},
	{load, 0}, {store, 1}, // 3: the next number
	{load, 1}, {push, 1}, {sub, 0}, {jumpIfZero, 28}, {jump, 10}, // 5: is it 1?
	{load, 2}, {push, 1}, {add, 0}, {store, 2}, // 10: one step more
	{load, 1}, {push, 2}, {mod, 0}, {jumpIfZero, 24},
	{load, 1}, {load, 1}, {load, 1}, {add, 0}, {add, 0}, {jump, 32}, // 18: odd
	{load, 1}, {push, 2}, {div, 0}, {jump, 34}, // 24: even
	{load, 0}, {push, 1}, {sub, 0}, {jump, 36}, // 28
	{push, 1}, {add, 0}, {store, 1}, {jump, 5}, // 32
	{store, 0}, {load, 0}, {jumpIfZero, 40}, {jump, 3}, // 36
	{load, 2}, {ret, 0},
}

var ackermann = []instruction{
	{call, 2}, {ret, 0},
	{store, 1}, {store, 0}, // 2: m and n
	{load, 0}, {jumpIfZero, 18}, {load, 1}, {jumpIfZero, 22},
	{load, 0}, {push, 1}, {sub, 0}, {load, 0}, {load, 1}, {push, 1}, {sub, 0}, {call, 2}, {call, 2}, {ret, 0},
	{load, 1}, {push, 1}, {add, 0}, {ret, 0}, // 18
	{load, 0}, {push, 1}, {sub, 0}, {push, 1}, {call, 2}, {ret, 0}, // 22
}

func main() {
	m := &machine{code: collatz}
	fmt.Println("collatz", m.run(6000), m.steps)
	m = &machine{code: ackermann}
	fmt.Println("ackermann", m.run(3, 6), m.steps, cap(m.frames) > 500)
}
