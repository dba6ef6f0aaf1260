// run

// Package rpc over pipes and loopback, with gob and JSON, and over HTTP.
package main

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/rpc"
	"net/rpc/jsonrpc"
	"os"
	"slices"
	"strings"
	"sync"
)

type Args struct{ A, B int }

type Quotient struct{ Quo, Rem int }

type Arith struct {
	mu    sync.Mutex
	calls int
}

func (t *Arith) Multiply(args *Args, reply *int) error {
	t.mu.Lock()
	t.calls++
	t.mu.Unlock()
	*reply = args.A * args.B
	return nil
}

func (t *Arith) Divide(args Args, reply *Quotient) error {
	if args.B == 0 {
		return errors.New("divide by zero")
	}
	*reply = Quotient{args.A / args.B, args.A % args.B}
	return nil
}

func (t *Arith) Sum(args []int, reply *map[string]int) error {
	for i, n := range args {
		(*reply)[fmt.Sprint(i)] = n
	}
	return nil
}

func (t *Arith) Words(text string, reply *[]string) error {
	*reply = append(*reply, strings.Fields(text)...)
	return nil
}

func (t *Arith) Broken(text string, reply *func()) error { return nil }

func (t *Arith) Unsuitable(a, b, c int) error             { return nil }
func (t *Arith) NoPointer(a int, b int) error             { return nil }
func (t *Arith) NoError(a int, b *int)                    {}
func (t *Arith) Hidden(a hidden, b *int) error            { return nil }
func (t *Arith) HiddenReply(a int, b *hidden) error       { return nil }
func (t *Arith) Embedded(a struct{ X int }, r *int) error { *r = a.X; return nil }

type hidden struct{}

func (hidden) M(a int, b *int) error { return nil }

type Nothing struct{}

type Value int

func (v Value) Add(n int, reply *int) error { *reply = int(v) + n; return nil }

type Pointer struct{}

func (*Pointer) Get(n int, reply *int) error { return nil }

func call[R any](c *rpc.Client, method string, args any) {
	var reply R
	err := c.Call(method, args, &reply)
	var server rpc.ServerError
	fmt.Printf("%s: %+v, %v, from the server: %v\n", method, reply, err, errors.As(err, &server))
}

func calls(name string, c *rpc.Client) {
	fmt.Println("---", name)
	call[int](c, "Arith.Multiply", &Args{7, 8})
	call[int](c, "Arith.Multiply", Args{-7, 8})
	call[Quotient](c, "Arith.Divide", Args{17, 5})
	call[Quotient](c, "Arith.Divide", Args{17, 0})
	call[map[string]int](c, "Arith.Sum", []int{4, 5})
	call[[]string](c, "Arith.Words", "a few words")
	call[int](c, "Arith.Embedded", struct{ X int }{3})
	call[int](c, "Arith.Unknown", 1)
	call[int](c, "Unknown.Multiply", 1)
	call[int](c, "Nodot", 1)
	call[int](c, "Number.Add", 5)
	call[int](c, "Arith.Hidden", 5)

	done := make(chan *rpc.Call, 10)
	for i := range 10 {
		c.Go("Arith.Multiply", &Args{i, i}, new(int), done)
	}
	var squares []int
	for range 10 {
		squares = append(squares, *(<-done).Reply.(*int))
	}
	slices.Sort(squares)
	fmt.Println(squares)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			var reply int
			if err := c.Call("Arith.Multiply", Args{i, 2}, &reply); err != nil || reply != 2*i {
				fmt.Println(i, reply, err)
			}
		})
	}
	wg.Wait()
	fmt.Println(c.Close(), c.Close())
	call[int](c, "Arith.Multiply", Args{1, 1})
}

// traced shows the lines that pass.
type traced struct {
	io.ReadWriteCloser
	name string
}

func (t traced) Write(b []byte) (int, error) {
	fmt.Printf("%s %q\n", t.name, b)
	return t.ReadWriteCloser.Write(b)
}

func main() {
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	arith := new(Arith)
	fmt.Println(rpc.Register(arith))
	fmt.Println(rpc.Register(arith))
	fmt.Println(rpc.RegisterName("Number", Value(40)))
	fmt.Println(rpc.Register(Nothing{}))
	fmt.Println(rpc.Register(hidden{}))
	fmt.Println(rpc.Register(Pointer{}))
	fmt.Println(rpc.Register(struct{ Arith2 }{}))
	fmt.Println(rpc.RegisterName("", arith))

	client, server := net.Pipe()
	go rpc.ServeConn(server)
	calls("pipe", rpc.NewClient(client))

	client, server = net.Pipe()
	go jsonrpc.ServeConn(server)
	calls("json", jsonrpc.NewClient(client))

	log.SetOutput(io.Discard) // what follows tells of ports, and at any time
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go rpc.Accept(l)
	c, err := rpc.Dial("tcp", l.Addr().String())
	fmt.Println(err)
	calls("tcp", c)
	l.Close()
	_, err = rpc.Dial("tcp", l.Addr().String())
	fmt.Println(err != nil)

	rpc.HandleHTTP()
	web := httptest.NewServer(nil)
	addr := web.Listener.Addr().String()
	c, err = rpc.DialHTTP("tcp", addr)
	fmt.Println(err)
	call[int](c, "Arith.Multiply", Args{6, 7})
	c.Close()
	_, err = rpc.DialHTTPPath("tcp", addr, "/nowhere")
	fmt.Println(strings.ReplaceAll(err.Error(), addr, "ADDR"))
	for _, path := range []string{rpc.DefaultRPCPath, rpc.DefaultDebugPath} {
		r, err := http.Get(web.URL + path)
		if err != nil {
			log.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Printf("%s %s\n%q\n", r.Status, r.Header.Get("Content-Type"), body)
	}

	// What JSON says.
	client, server = net.Pipe()
	go jsonrpc.ServeConn(traced{server, "server"})
	jc := jsonrpc.NewClient(traced{client, "client"})
	call[int](jc, "Arith.Multiply", Args{1, 2})
	call[Quotient](jc, "Arith.Divide", Args{1, 0})
	call[Quotient](jc, "Arith.Divide", "text")
	jc.Close()
	client, server = net.Pipe()
	go jsonrpc.ServeConn(server)
	lines := bufio.NewScanner(client)
	for _, line := range []string{
		`{"method":"Arith.Multiply","params":[{"A":2,"B":3}],"id":"text"}`,
		`{"method":"Arith.Multiply","params":[{"A":2,"B":3}]}`,
		`{"method":"Arith.Multiply","id":null}`,
		`{"method":"Arith.Multiply","params":[],"id":[1]}`,
		`{"method":"","params":[1],"id":1}`,
		`{"method":"Arith.Words","params":["x y"],"id":{"a":1}}`,
	} {
		fmt.Fprintln(client, line)
		lines.Scan()
		fmt.Println(lines.Text())
	}
	client.Close()

	// Servers that answer wrongly.
	for _, answer := range []string{
		`{"id":0,"result":null,"error":null}`, `{"id":0,"result":1,"error":""}`,
		`{"id":0,"result":"x","error":null}`, `{"id":7,"result":1,"error":null}`, `nonsense`, ``,
	} {
		client, server := net.Pipe()
		go func() {
			var v any
			json.NewDecoder(server).Decode(&v)
			io.WriteString(server, answer)
			server.Close()
		}()
		c := jsonrpc.NewClient(client)
		call[int](c, "X.Y", 1)
	}
	// A request that is no gob, and one of the wrong type.
	client, server = net.Pipe()
	go io.WriteString(client, "\x03\xff\x90\x00")
	finished := make(chan bool)
	go func() { rpc.ServeConn(server); close(finished) }()
	<-finished
	client, server = net.Pipe()
	go rpc.ServeConn(server)
	gc := rpc.NewClient(client)
	call[int](gc, "Arith.Multiply", "text")
	call[int](gc, "Arith.Multiply", Args{3, 3})
	call[string](gc, "Arith.Multiply", Args{3, 3})
	client, server = net.Pipe()
	go rpc.ServeConn(server)
	call[int](rpc.NewClient(client), "Arith.Broken", "x")
	client, server = net.Pipe()
	s := rpc.NewServer()
	s.Register(arith)
	served := make(chan error)
	go func() { served <- s.ServeRequest(&once{gob.NewDecoder(server), server}) }()
	gob.NewEncoder(client).Encode(rpc.Request{ServiceMethod: "Arith.X", Seq: 4})
	fmt.Println(<-served)
	client.Close()
	defer func() { fmt.Println(recover()) }()
	gc.Go("X.Y", 1, nil, make(chan *rpc.Call))
}

type Arith2 struct{}

func (Arith2) Get(n int, reply *int) error { return nil }

// once is a codec that skips bodies and shows responses.
type once struct {
	dec *gob.Decoder
	io.Closer
}

func (o *once) ReadRequestHeader(r *rpc.Request) error { return o.dec.Decode(r) }
func (o *once) ReadRequestBody(v any) error            { return nil }
func (o *once) WriteResponse(r *rpc.Response, v any) error {
	fmt.Println(r.ServiceMethod, r.Seq, r.Error, v)
	return nil
}
