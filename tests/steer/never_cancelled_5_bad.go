package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// Orders go through a shop: they are read, checked, reserved, priced and added up, each by several workers.

type item string

type order struct {
	number int
	item   item
	amount int
	price  int
	gone   bool
}

var errConflict = errors.New("the stock has changed")

// shelf is how much is left of something, and how often that has changed.
type shelf struct {
	left    int
	version int
}

type stock struct {
	mu      sync.Mutex
	shelves map[item]shelf
}

func newStock(items map[item]int) *stock {
	s := &stock{shelves: map[item]shelf{}}
	for name, left := range items {
		s.shelves[name] = shelf{left: left}
	}
	return s
}

func (s *stock) look(name item) shelf {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shelves[name]
}

// update stores what is left, unless somebody has been faster.
func (s *stock) update(name item, seen shelf, left int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shelves[name].version != seen.version {
		return fmt.Errorf("%s: %w", name, errConflict)
	}
	s.shelves[name] = shelf{left, seen.version + 1}
	return nil
}

func parse(number int, line string) (order, error) {
	name, rest, ok := strings.Cut(line, " ")
	if !ok {
		return order{}, fmt.Errorf("order %d: no amount", number)
	}
	o := order{number: number, item: item(name)}
	if _, err := fmt.Sscan(rest, &o.amount); err != nil {
		return order{}, fmt.Errorf("order %d: %w", number, err)
	}
	return o, nil
}

func check(o order) (order, error) {
	if o.amount <= 0 {
		return o, fmt.Errorf("order %d: amount %d", o.number, o.amount)
	}
	return o, nil
}

func (s *stock) reserve(o order) (order, error) {
	seen := s.look(o.item)
	if seen.left < o.amount {
		o.gone = true
		return o, nil
	}
	return o, s.update(o.item, seen, seen.left-o.amount)
}

var prices = map[item]int{"nail": 1, "screw": 2, "saw": 90, "paint": 40}

func price(o order) (order, error) {
	each, ok := prices[o.item]
	if !ok {
		return o, fmt.Errorf("order %d: %s has no price", o.number, o.item)
	}
	if !o.gone {
		o.price = each * o.amount
	}
	return o, nil
}

// pipeline is a row of stages; the first error of any is its result.
type pipeline struct {
	ctx    context.Context
	failed chan error
}

func newPipeline(ctx context.Context) *pipeline {
	return &pipeline{ctx: ctx, failed: make(chan error, 1)}
}

func (p *pipeline) fail(err error) {
	select {
	case p.failed <- err:
	default:
	}
}

// send says whether somebody has taken the order.
func (p *pipeline) send(out chan<- order, o order) bool {
	select {
	case out <- o:
		return true
	case <-p.ctx.Done():
		return false
	}
}

func (p *pipeline) read(lines []string) <-chan order {
	out := make(chan order)
	go func() {
		defer close(out)
		for i, line := range lines {
			o, err := parse(i, line)
			if err != nil {
				p.fail(err)
				return
			}
			if !p.send(out, o) {
				return
			}
		}
	}()
	return out
}

func (p *pipeline) stage(workers int, in <-chan order, do func(order) (order, error)) <-chan order {
	out := make(chan order)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for o := range in {
				o, err := do(o)
				if err != nil {
					p.fail(err)
					return
				}
				if !p.send(out, o) {
					return
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

type bill struct {
	orders int
	gone   int
	total  int
}

func (b *bill) add(o order) {
	b.orders++
	if o.gone {
		b.gone++
	}
	b.total += o.price
}

func (p *pipeline) collect(in <-chan order) (bill, error) {
	var b bill
	for {
		select {
		case o, ok := <-in:
			if !ok {
				select {
				case err := <-p.failed:
					return bill{}, err
				default:
					return b, nil
				}
			}
			b.add(o)
		case err := <-p.failed:
			return bill{}, err
		}
	}
}

type crew struct{ checkers, reservers, pricers int }

func process(ctx context.Context, lines []string, s *stock, c crew) (bill, error) {
	p := newPipeline(ctx)
	orders := p.read(lines)
	checked := p.stage(c.checkers, orders, check)
	reserved := p.stage(c.reservers, checked, s.reserve)
	priced := p.stage(c.pricers, reserved, price)
	return p.collect(priced)
}

func main() {
	lines := []string{
		"nail 100", "saw 1", "screw 50", "paint 2",
		"nail 30", "screw 20", "paint 1", "saw 1",
		"nail 10", "screw 40", "paint 2", "nail 60",
	}
	items := map[item]int{"nail": 300, "screw": 200, "saw": 2, "paint": 9}
	ctx := context.Background()
	var b bill
	var err error
	// Who meets a conflict begins again, with few enough workers for there to be none.
	for _, c := range []crew{{5, 6, 5}, {2, 1, 2}} {
		b, err = process(ctx, lines, newStock(items), c)
		if !errors.Is(err, errConflict) {
			break
		}
	}
	if err != nil {
		panic(err)
	}
	fmt.Println(b.orders, "orders,", b.gone, "refused, to pay:", b.total)
}
