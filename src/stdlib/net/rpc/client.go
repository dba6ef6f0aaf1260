package rpc

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
)

// A ServerError is one that the called method returned.
type ServerError string

func (e ServerError) Error() string { return string(e) }

var ErrShutdown = errors.New("connection is shut down")

type Call struct {
	ServiceMethod string
	Args          any
	Reply         any
	Error         error
	Done          chan *Call
}

// finish tells the caller, if the channel has room.
func (c *Call) finish(err error) {
	c.Error = err
	select {
	case c.Done <- c:
	default:
	}
}

type ClientCodec interface {
	WriteRequest(*Request, any) error
	ReadResponseHeader(*Response) error
	ReadResponseBody(any) error // nil to skip it

	Close() error
}

type Client struct {
	codec ClientCodec

	sending sync.Mutex // held while a request is written
	request Request

	mu      sync.Mutex
	seq     uint64
	pending map[uint64]*Call
	closing bool // Close was called
	ended   bool // nothing more can be read
}

func NewClientWithCodec(codec ClientCodec) *Client {
	c := &Client{codec: codec, pending: map[uint64]*Call{}}
	go c.receive()
	return c
}

func (client *Client) send(call *Call) {
	client.sending.Lock()
	defer client.sending.Unlock()
	seq, ok := client.enlist(call)
	if !ok {
		call.finish(ErrShutdown)
		return
	}
	client.request = Request{call.ServiceMethod, seq}
	err := client.codec.WriteRequest(&client.request, call.Args)
	if err == nil {
		return
	}
	if own := client.take(seq); own != nil {
		own.finish(err)
	}
}

// enlist makes a call pending, and gives its number; not ok: nothing more is sent.
func (client *Client) enlist(call *Call) (seq uint64, ok bool) {
	client.mu.Lock()
	defer client.mu.Unlock()
	if client.ended || client.closing {
		return 0, false
	}
	seq = client.seq
	client.pending[seq] = call
	client.seq++
	return seq, true
}

// take gives the call of that number, which is no longer pending.
func (client *Client) take(seq uint64) *Call {
	client.mu.Lock()
	defer client.mu.Unlock()
	call := client.pending[seq]
	delete(client.pending, seq)
	return call
}

// receive reads responses until that fails, and ends the calls that are pending then.
func (client *Client) receive() {
	var err error
	for err == nil {
		err = client.receiveOne()
	}
	client.sending.Lock()
	defer client.sending.Unlock()
	client.mu.Lock()
	defer client.mu.Unlock()
	client.ended = true
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
		if client.closing {
			err = ErrShutdown
		}
	}
	for _, call := range client.pending {
		call.finish(err)
	}
}

func (client *Client) receiveOne() error {
	var r Response
	if err := client.codec.ReadResponseHeader(&r); err != nil {
		return err
	}
	call := client.take(r.Seq)
	answered := call != nil && r.Error == ""
	var into any // nothing keeps the body of an error
	if answered {
		into = call.Reply
	}
	err := client.codec.ReadResponseBody(into)
	switch {
	case answered && err != nil:
		call.finish(errors.New("reading body " + err.Error()))
	case answered:
		call.finish(nil)
	default:
		if err != nil {
			err = errors.New("reading error body: " + err.Error())
		}
		if call != nil {
			call.finish(ServerError(r.Error))
		}
	}
	return err
}

func (client *Client) Close() error {
	client.mu.Lock()
	wasClosing := client.closing
	client.closing = true
	client.mu.Unlock()
	if wasClosing {
		return ErrShutdown
	}
	return client.codec.Close()
}

func (client *Client) Go(serviceMethod string, args any, reply any, done chan *Call) *Call {
	if done == nil {
		done = make(chan *Call, 10)
	} else if cap(done) == 0 {
		log.Panic("rpc: done channel is unbuffered")
	}
	call := &Call{ServiceMethod: serviceMethod, Args: args, Reply: reply, Done: done}
	client.send(call)
	return call
}

func (client *Client) Call(serviceMethod string, args any, reply any) error {
	done := make(chan *Call, 1)
	client.Go(serviceMethod, args, reply, done)
	return (<-done).Error
}

type gobClient struct {
	conn io.ReadWriteCloser
	dec  *gob.Decoder
	enc  *gob.Encoder
	out  *bufio.Writer
}

func (c *gobClient) WriteRequest(r *Request, body any) error {
	if err := c.enc.Encode(r); err != nil {
		return err
	}
	if err := c.enc.Encode(body); err != nil {
		return err
	}
	return c.out.Flush()
}

func (c *gobClient) ReadResponseHeader(r *Response) error { return c.dec.Decode(r) }

func (c *gobClient) ReadResponseBody(body any) error { return c.dec.Decode(body) }

func (c *gobClient) Close() error { return c.conn.Close() }

func NewClient(conn io.ReadWriteCloser) *Client {
	out := bufio.NewWriter(conn)
	return NewClientWithCodec(
		&gobClient{conn, gob.NewDecoder(conn), gob.NewEncoder(out), out})
}

// dial connects a client; on says what to do with the connection before.
func dial(network, address string, on func(net.Conn) error) (*Client, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	if err = on(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return NewClient(conn), nil
}

func Dial(network, address string) (*Client, error) {
	return dial(network, address, func(net.Conn) error { return nil })
}

func DialHTTPPath(network, address, path string) (*Client, error) {
	return dial(network, address, func(conn net.Conn) error {
		err := handshake(conn, path)
		if err != nil {
			err = &net.OpError{Op: "dial-http", Net: network + " " + address, Err: err}
		}
		return err
	})
}

func DialHTTP(network, address string) (*Client, error) {
	return DialHTTPPath(network, address, DefaultRPCPath)
}

// handshake has an HTTP server give the connection to its RPC server.
func handshake(conn io.ReadWriter, path string) error {
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.0\n\n", path)
	asked := &http.Request{Method: http.MethodConnect}
	answer, err := http.ReadResponse(bufio.NewReader(conn), asked)
	if err == nil && answer.Status != connected {
		err = errors.New("unexpected HTTP response: " + answer.Status)
	}
	return err
}
