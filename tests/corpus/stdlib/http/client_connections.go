// run

// A ClientConn is one connection, of HTTP/1 or HTTP/2, whose places the program itself gives away.

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)

func clean(v any) string { return address.ReplaceAllString(fmt.Sprint(v), "SERVER") }

// until waits for something that comes soon.
func until(what string, is func() bool) {
	for i := 0; !is(); i++ {
		if i == 5000 {
			fmt.Println("never:", what)
			os.Exit(1)
		}
		time.Sleep(time.Millisecond)
	}
}

func main() {
	begun, goOn := make(chan bool), make(chan bool)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/wait" {
			begun <- true
			<-goOn
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprint(w, r.Proto, " ", r.Method, " ", r.Host != "", " ", string(body))
	})
	for _, version := range []string{"HTTP/1", "HTTP/2"} {
		fmt.Println(version)
		s := httptest.NewUnstartedServer(handler)
		s.EnableHTTP2 = version == "HTTP/2"
		s.Config.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 3}
		s.StartTLS()
		t := s.Client().Transport.(*http.Transport)
		addr := s.Listener.Addr().String()
		ctx := context.Background()

		for _, to := range [][2]string{{"ftp", addr}, {"http", "nowhere"}, {"https", "127.0.0.1:1"}} {
			_, err := t.NewClientConn(ctx, to[0], to[1])
			fmt.Println("  ", err)
		}
		c, err := t.NewClientConn(ctx, "https", addr)
		if err != nil {
			fmt.Println(err)
			return
		}
		places := 1
		if version == "HTTP/2" {
			places = 3
		}
		until("settings", func() bool { return c.Available() == places })
		state := func() string {
			return fmt.Sprint(c.Available(), " ", c.InFlight(), " ", c.Err())
		}
		fmt.Println("  ", state())
		do := func(method, path string, body io.Reader) string {
			r, err := http.NewRequest(method, "https://example.com"+path, body)
			if err != nil {
				return err.Error()
			}
			resp, err := c.RoundTrip(r)
			if err != nil {
				return clean(err)
			}
			defer resp.Body.Close()
			b, err := io.ReadAll(resp.Body)
			return fmt.Sprintf("%s %q %v %v", resp.Status, b, err, resp.Request == r)
		}
		fmt.Println("  ", do("GET", "/", nil))
		fmt.Println("  ", do("POST", "/", strings.NewReader("body")))
		until("places", func() bool { return c.Available() == places })
		fmt.Println("  ", state())

		fmt.Println("  reserved")
		for range places + 1 {
			fmt.Println("  ", c.Reserve(), state())
		}
		c.Release()
		fmt.Println("  ", state())
		fmt.Println("  ", c.Reserve(), do("GET", "/", nil))
		for range 5 {
			c.Release()
		}
		until("places", func() bool { return c.Available() == places })
		fmt.Println("  ", state())
		fmt.Println("  ", do("", "/", nil), do("GE T", "/", nil))
		for _, r := range []*http.Request{
			{Method: "GET"},
		} {
			_, err := c.RoundTrip(r)
			fmt.Println("  ", err)
		}

		fmt.Println("  hook")
		var calls atomic.Int32
		var closed atomic.Bool
		c.SetStateHook(func(c *http.ClientConn) {
			calls.Add(1)
			closed.Store(c.Err() != nil)
		})
		fmt.Println("  ", c.Reserve(), do("GET", "/", nil))
		until("call", func() bool { return calls.Load() > 0 })

		fmt.Println("  waiting")
		var wait sync.WaitGroup
		answers := make(chan string, places)
		for range places {
			wait.Go(func() { answers <- do("GET", "/wait", nil) })
			<-begun
		}
		fmt.Println("  ", state(), c.Reserve())
		short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		r, _ := http.NewRequestWithContext(short, "GET", "https://example.com/", nil)
		_, err = c.RoundTrip(r)
		fmt.Println("  ", errors.Is(err, context.DeadlineExceeded))
		cancel()
		for range places {
			goOn <- true
		}
		wait.Wait()
		for range places {
			fmt.Println("  ", <-answers)
		}
		until("places", func() bool { return c.Available() == places })

		fmt.Println("  closed")
		fmt.Println("  ", c.Close())
		until("call", closed.Load)
		fmt.Println("  ", state(), c.Reserve() != nil)
		fmt.Println("  ", do("GET", "/", nil) != "")
		s.Close()
	}
}
