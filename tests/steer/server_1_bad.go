// A line server over loopback that counts words for its clients and is shut down when they are done.
// Shutdown waits for the handlers while it holds the lock by which a handler that ends signs off: if
// one has not yet seen that its client is gone, both wait for each other.
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
)

// A server answers each line with the number of its words, until its client has none left.
type server struct {
	ln       net.Listener
	handlers sync.WaitGroup
	accepts  sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool
	lines int
}

func start() (*server, error) {
	ln, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	s := &server{ln: ln, conns: map[net.Conn]bool{}}
	s.accepts.Add(1)
	go s.accept()
	return s, nil
}

func (s *server) accept() {
	defer s.accepts.Done()
	for {
		c, err := s.ln.Accept()
		if err != nil {
			return // closed
		}
		s.mu.Lock()
		s.conns[c] = true
		s.mu.Unlock()
		s.handlers.Add(1)
		go s.handle(c)
	}
}

func (s *server) handle(c net.Conn) {
	defer s.handlers.Done()
	defer s.forget(c)
	in := bufio.NewScanner(c)
	for in.Scan() {
		n := len(strings.Fields(in.Text()))
		if _, err := fmt.Fprintln(c, "200", n); err != nil {
			return
		}
		s.mu.Lock()
		s.lines++
		s.mu.Unlock()
	}
}

// forget signs a handler off.
func (s *server) forget(c net.Conn) {
	c.Close()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

// shutdown takes no more connections and waits for those that there are.
func (s *server) shutdown() {
	s.ln.Close()
	s.accepts.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		c.(*net.TCPConn).CloseRead()
	}
	s.handlers.Wait()
}

// count asks the server about each text.
func count(address string, texts []string) (words int, err error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for _, text := range texts {
		fmt.Fprintln(c, text)
		var status, n int
		if _, err := fmt.Fscanln(in, &status, &n); err != nil || status != 200 {
			return words, fmt.Errorf("status %d, %v", status, err)
		}
		words += n
	}
	return words, nil
}

func main() {
	s, err := start()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	totals := make([]int, 2)
	var clients sync.WaitGroup
	for i := range totals {
		clients.Add(1)
		go func() {
			defer clients.Done()
			n, err := count(s.ln.Addr().String(), []string{"to be or not to be", "that is"})
			if err != nil {
				fmt.Println(err)
			}
			totals[i] = n
		}()
	}
	clients.Wait()
	s.shutdown()
	fmt.Println(totals)
}
