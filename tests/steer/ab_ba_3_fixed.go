package main

import (
	"fmt"
	"sync"
)

// A tree of accounts of expenses, each of which knows its parent.
type node struct {
	mu       sync.Mutex
	name     string
	amount   int
	parent   *node
	children []*node
}

func (n *node) child(name string, amount int) *node {
	c := &node{name: name, amount: amount, parent: n}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.children = append(n.children, c)
	return c
}

func (n *node) total() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	sum := n.amount
	for _, c := range n.children {
		sum += c.total()
	}
	return sum
}

// Pull moves money from the parent to the node.
func (n *node) pull(amount int) {
	n.parent.mu.Lock()
	defer n.parent.mu.Unlock()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.amount += amount
	n.parent.amount -= amount
}

func main() {
	home := &node{name: "home", amount: 500}
	food := home.child("food", 120)
	sweets := food.child("sweets", 5)
	home.child("rent", 800)
	totals := make(chan int)
	go func() { totals <- home.total() }()
	var wg sync.WaitGroup
	wg.Go(func() { sweets.pull(3) })
	n := <-totals
	wg.Wait()
	fmt.Println(n, sweets.total())
}
