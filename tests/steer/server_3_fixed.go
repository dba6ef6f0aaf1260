// A shop over loopback, with a line protocol: "BUY thing" is answered by 200 as long as there is one
// left, and by 410 then. A handler looks and takes under the same lock.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
)

type shop struct {
	mu    sync.Mutex
	stock map[string]int
	sold  map[string]int
}

// buy sells one, if there is one.
func (s *shop) buy(thing string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stock[thing] == 0 {
		return false
	}
	s.stock[thing]--
	s.sold[thing]++
	return true
}

// answer is the reply to a request.
func (s *shop) answer(request string) string {
	verb, thing, ok := strings.Cut(request, " ")
	switch {
	case !ok || verb != "BUY":
		return "400 what?"
	case s.buy(thing):
		return "200 " + thing
	}
	return "410 no " + thing
}

func (s *shop) serve(c net.Conn) {
	defer c.Close()
	in := bufio.NewScanner(c)
	for in.Scan() {
		if _, err := fmt.Fprintln(c, s.answer(in.Text())); err != nil {
			return
		}
	}
}

// open serves whoever comes, and says when all have been served.
func (s *shop) open(ln net.Listener) *sync.WaitGroup {
	var busy sync.WaitGroup
	busy.Add(1)
	go func() {
		defer busy.Done()
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			busy.Add(1)
			go func() {
				defer busy.Done()
				s.serve(c)
			}()
		}
	}()
	return &busy
}

// shopping buys as many as it can get; how many that were.
func shopping(address, thing string, wanted int) (got int, err error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for range wanted {
		if _, err := fmt.Fprintln(c, "BUY", thing); err != nil {
			return got, err
		}
		line, err := in.ReadString('\n')
		if err != nil {
			return got, err
		}
		if strings.HasPrefix(line, "200 ") {
			got++
		}
	}
	return got, nil
}

func main() {
	const tickets = 1
	ln, err := net.Listen("tcp", "localhost:8080")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s := &shop{stock: map[string]int{"ticket": tickets}, sold: map[string]int{}}
	busy := s.open(ln)
	results := make(chan int)
	for range 3 {
		go func() {
			got, err := shopping(ln.Addr().String(), "ticket", 1)
			if err != nil {
				fmt.Println(err)
			}
			results <- got
		}()
	}
	total := 0
	for range 3 {
		total += <-results
	}
	ln.Close()
	busy.Wait()
	if total != tickets {
		fmt.Println("sold", total, "of", tickets)
		os.Exit(1)
	}
	fmt.Println("sold out")
}
