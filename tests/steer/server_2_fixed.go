// A line server over loopback that keeps a journal of what it was asked, written by one goroutine to
// which the handlers send. At the end the server closes the journal when nobody can connect any more
// and all handlers have ended.
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
)

type entry struct {
	client int
	line   string
}

type server struct {
	ln       net.Listener
	journal  chan entry
	written  chan []string
	accepts  sync.WaitGroup
	handlers sync.WaitGroup

	mu     sync.Mutex
	served int
}

func start() (*server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{ln: ln, journal: make(chan entry, 4), written: make(chan []string, 1)}
	go s.write()
	s.accepts.Add(1)
	go s.accept()
	return s, nil
}

// write keeps the journal until it is closed.
func (s *server) write() {
	var all []string
	for e := range s.journal {
		all = append(all, fmt.Sprintf("client %d: %s", e.client, e.line))
	}
	s.written <- all
}

func (s *server) accept() {
	defer s.accepts.Done()
	for client := 1; ; client++ {
		c, err := s.ln.Accept()
		if err != nil {
			return
		}
		s.handlers.Add(1)
		go s.handle(c, client)
	}
}

// handle answers in upper case until its client is gone.
func (s *server) handle(c net.Conn, client int) {
	defer s.handlers.Done()
	defer c.Close()
	in := bufio.NewScanner(c)
	for in.Scan() {
		s.journal <- entry{client, in.Text()}
		io.WriteString(c, strings.ToUpper(in.Text())+"\n")
	}
	s.mu.Lock()
	s.served++
	s.mu.Unlock()
	s.journal <- entry{client, "gone"}
}

// stop ends the server; what is in the journal.
func (s *server) stop() []string {
	s.ln.Close()
	s.accepts.Wait()
	s.handlers.Wait()
	close(s.journal)
	return <-s.written
}

// talk says some lines and waits for an answer to each.
func talk(address string, lines ...string) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	in := bufio.NewReader(c)
	for _, line := range lines {
		if _, err := io.WriteString(c, line+"\n"); err != nil {
			return err
		}
		if _, err := in.ReadString('\n'); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	s, err := start()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var clients sync.WaitGroup
	for _, name := range []string{"ann", "bob"} {
		clients.Add(1)
		go func() {
			defer clients.Done()
			if err := talk(s.ln.Addr().String(), "hello", name); err != nil {
				fmt.Println(err)
			}
		}()
	}
	clients.Wait()
	lines := s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Println(s.served, "served,", len(lines), "lines")
}
