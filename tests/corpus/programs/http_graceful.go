// run

// A service on loopback answers 200 connections, and is shut down while requests are running: those
// are answered, later ones are refused.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type counter struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *counter) add(name string, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[name] += n
	return c.counts[name]
}

type server struct {
	counter
	slow     chan struct{}
	inFlight atomic.Int64
	handled  atomic.Int64
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /counters/{name}", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.FormValue("n"))
		if err != nil {
			http.Error(w, "n is no number", http.StatusBadRequest)
			return
		}
		fmt.Fprintln(w, s.add(r.PathValue("name"), n))
	})
	mux.HandleFunc("GET /counters", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(s.counts)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		s.inFlight.Add(1)
		defer s.inFlight.Add(-1)
		<-s.slow
		io.WriteString(w, "slow but sure")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.handled.Add(1)
		w.Header().Set("X-Served-By", "test")
		mux.ServeHTTP(w, r)
	})
}

func main() {
	log.SetFlags(0)
	s := &server{counter: counter{counts: map[string]int{}}, slow: make(chan struct{})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	srv := &http.Server{Handler: s.routes(), ReadTimeout: time.Minute,
		ErrorLog: log.New(os.Stderr, "", 0)}
	told := make(chan bool, 5)
	srv.RegisterOnShutdown(func() { told <- true })
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	base := "http://" + l.Addr().String()

	// 200 clients with a connection each, 5 requests on each.
	var wg sync.WaitGroup
	var failures atomic.Int64
	start := make(chan struct{})
	for i := range 200 {
		wg.Go(func() {
			tr := &http.Transport{}
			defer tr.CloseIdleConnections()
			c := &http.Client{Transport: tr, Timeout: time.Minute}
			<-start
			for range 5 {
				resp, err := c.Post(base+"/counters/c"+strconv.Itoa(i%4), "application/x-www-form-urlencoded",
					strings.NewReader("n=2"))
				if err != nil {
					failures.Add(1)
					continue
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode != 200 || resp.Header.Get("X-Served-By") != "test" {
					failures.Add(1)
				}
			}
		})
	}
	close(start)
	wg.Wait()
	fmt.Println("failures:", failures.Load(), "handled:", s.handled.Load())
	resp, err := http.Get(base + "/counters")
	if err != nil {
		log.Fatal(err)
	}
	var counts map[string]int
	fmt.Println(json.NewDecoder(resp.Body).Decode(&counts), resp.Status,
		resp.Header.Get("Content-Type"))
	resp.Body.Close()
	names := []string{}
	for n := range counts {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		fmt.Println(n, counts[n])
	}
	for _, try := range []struct{ method, path, body string }{
		{"POST", "/counters/x", "n=abc"}, {"DELETE", "/counters/x", ""}, {"GET", "/none", ""},
		{"GET", "/counters/", ""},
	} {
		req, _ := http.NewRequest(try.method, base+try.path, strings.NewReader(try.body))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			log.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		fmt.Printf("%s %s: %s %q allow %q\n", try.method, try.path, resp.Status, body,
			resp.Header.Get("Allow"))
	}

	// Shutdown waits for what runs.
	answers := make(chan string, 10)
	for range 10 {
		go func() {
			resp, err := http.Get(base + "/slow")
			if err != nil {
				answers <- err.Error()
				return
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			answers <- fmt.Sprint(string(b), err, resp.Close)
		}()
	}
	for s.inFlight.Load() < 10 {
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	fmt.Println("shutdown:", srv.Shutdown(ctx))
	cancel()
	fmt.Println("told:", <-told)
	fmt.Println("serve:", <-ended)
	done := make(chan error)
	go func() { done <- srv.Shutdown(context.Background()) }()
	_, err = http.Get(base + "/counters")
	fmt.Println("refused:", err != nil)
	close(s.slow)
	fmt.Println("shutdown:", <-done)
	seen := map[string]int{}
	for range 10 {
		seen[<-answers]++
	}
	fmt.Println(seen, s.inFlight.Load())
	fmt.Println(errors.Is(srv.ListenAndServe(), http.ErrServerClosed))
}
