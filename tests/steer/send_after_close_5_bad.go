package main

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// A pipeline over the logs of a shop: read, parse, price, count. Each stage has some workers, and
// orders that are too big are parted, with a helper for the second half. Some watch the board on
// which sales are shown, until they have seen enough.

var logs = []string{
	`ann bought 2 pears
bob bought 1 apple
cid looked around
ann bought 9 plums`,
	`dan bought 3 plums
eve asked for figs`,
	`fay bought 7 apples
bob bought 1 plum
bob bought x pears
ann bought 1 pear`,
}

type order struct {
	who, good string
	count     int
}

type bill struct {
	order
	cents int
}

var errNoOrder = errors.New("no order")

func parse(line string) (order, error) {
	words := strings.Fields(line)
	if len(words) != 4 || words[1] != "bought" {
		return order{}, errNoOrder
	}
	count, err := strconv.Atoi(words[2])
	if err != nil {
		return order{}, err
	}
	return order{words[0], strings.TrimSuffix(words[3], "s"), count}, nil
}

// A stage is ended by the last one who leaves.
type stage struct {
	busy atomic.Int32
	end  func()
}

func (s *stage) enter() { s.busy.Add(1) }

func (s *stage) leave() {
	if s.busy.Add(-1) == 0 {
		s.end()
	}
}

// Run starts workers, all of which have entered before the first begins.
func (s *stage) run(workers int, work func()) {
	for range workers {
		s.enter()
	}
	for range workers {
		go func() {
			defer s.leave()
			work()
		}()
	}
}

// A board shows sales; a watcher has room for all of them, so that nobody waits for who is slow.
type board struct {
	mu       sync.Mutex
	watchers map[string]chan bill
}

func (b *board) watch(name string) <-chan bill {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := make(chan bill, 20)
	b.watchers[name] = c
	return c
}

func (b *board) leave(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.watchers[name])
	delete(b.watchers, name)
}

func (b *board) show(sale bill) {
	b.mu.Lock()
	watchers := slices.Collect(maps.Values(b.watchers))
	b.mu.Unlock()
	for _, c := range watchers {
		c <- sale
	}
}

// A shop has the prices, and what was counted.
type shop struct {
	prices map[string]int
	wrong  atomic.Int32
	parted atomic.Int32
	most   int
	board  board
	mu     sync.Mutex
	spent  map[string]int
	sold   map[string]int
}

func (s *shop) read(texts []string) <-chan string {
	lines := make(chan string, 2)
	stage := &stage{end: func() { close(lines) }}
	next := make(chan string, len(texts))
	for _, text := range texts {
		next <- text
	}
	close(next)
	stage.run(3, func() {
		for text := range next {
			in := bufio.NewScanner(strings.NewReader(text))
			for in.Scan() {
				lines <- in.Text()
			}
		}
	})
	return lines
}

func (s *shop) parse(lines <-chan string) <-chan order {
	orders := make(chan order, 2)
	stage := &stage{end: func() { close(orders) }}
	stage.run(4, func() {
		for line := range lines {
			o, err := parse(line)
			switch {
			case errors.Is(err, errNoOrder):
				// People talk.
			case err != nil:
				s.wrong.Add(1)
			default:
				orders <- o
			}
		}
	})
	return orders
}

func (s *shop) price(orders <-chan order) <-chan bill {
	bills := make(chan bill, 2)
	stage := &stage{end: func() { close(bills) }}
	write := func(o order) {
		bills <- bill{o, o.count * s.prices[o.good]}
	}
	stage.run(4, func() {
		for o := range orders {
			if o.count > s.most {
				rest := o
				rest.count -= s.most
				o.count = s.most
				s.parted.Add(1)
				stage.enter()
				go func() {
					defer stage.leave()
					write(rest)
				}()
			}
			write(o)
		}
	})
	return bills
}

func (s *shop) count(bills <-chan bill) <-chan string {
	customers := make(chan string, 2)
	stage := &stage{end: func() { close(customers) }}
	stage.run(3, func() {
		for b := range bills {
			s.mu.Lock()
			before := s.spent[b.who]
			s.spent[b.who] += b.cents
			s.sold[b.good] += b.count
			s.mu.Unlock()
			s.board.show(b)
			if before == 0 {
				customers <- b.who
			}
		}
	})
	return customers
}

// Report says who spent how much, in the order of the alphabet.
func (s *shop) report(names []string) string {
	slices.Sort(names)
	var out strings.Builder
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		cents := s.spent[name]
		fmt.Fprintf(&out, "%-5s %3d.%02d\n", name, cents/100, cents%100)
	}
	goods := make([]string, 0, len(s.sold))
	for good := range s.sold {
		goods = append(goods, good)
	}
	slices.Sort(goods)
	for _, good := range goods {
		fmt.Fprintf(&out, "%-5s %6d\n", good, s.sold[good])
	}
	return out.String()
}

func main() {
	s := &shop{
		prices: map[string]int{"apple": 35, "pear": 45, "plum": 15},
		most:   2,
		spent:  map[string]int{},
		sold:   map[string]int{},
		board:  board{watchers: map[string]chan bill{}},
	}
	var watchers sync.WaitGroup
	for i, name := range []string{"boss", "clerk", "guest"} {
		sales := s.board.watch(name)
		watchers.Go(func() {
			for range i + 1 {
				<-sales
			}
			s.board.leave(name)
		})
	}
	lines := s.read(logs)
	orders := s.parse(lines)
	bills := s.price(orders)
	customers := s.count(bills)

	var names []string
	for name := range customers {
		names = append(names, name)
	}
	watchers.Wait()
	fmt.Print(s.report(names))
	fmt.Println(s.parted.Load(), "parted,", s.wrong.Load(), "wrong")
}
