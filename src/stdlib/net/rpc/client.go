package rpc

import (
	"bufio"
	"encoding/gob"
	"errors"
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
	client.mu.Lock()
	if client.ended || client.closing {
		client.mu.Unlock()
		call.finish(ErrShutdown)
		return
	}
	seq := client.seq
	client.seq++
	client.pending[seq] = call
	client.mu.Unlock()
	client.request = Request{call.ServiceMethod, seq}
	if err := client.codec.WriteRequest(&client.request, call.Args); err != nil {
		if call := client.take(seq); call != nil {
			call.finish(err)
		}
	}
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
	if call != nil && r.Error == "" {
		err := client.codec.ReadResponseBody(call.Reply)
		if err == nil {
			call.finish(nil)
		} else {
			call.finish(errors.New("reading body " + err.Error()))
		}
		return err
	}
	err := client.codec.ReadResponseBody(nil)
	if err != nil {
		err = errors.New("reading error body: " + err.Error())
	}
	if call != nil {
		call.finish(ServerError(r.Error))
	}
	return err
}

func (client *Client) Close() error {
	client.mu.Lock()
	if client.closing {
		client.mu.Unlock()
		return ErrShutdown
	}
	client.closing = true
	client.mu.Unlock()
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

func Dial(network, address string) (*Client, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	return NewClient(conn), nil
}

func DialHTTP(network, address string) (*Client, error) {
	return DialHTTPPath(network, address, DefaultRPCPath)
}

func DialHTTPPath(network, address, path string) (*Client, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	io.WriteString(conn, "CONNECT "+path+" HTTP/1.0\n\n")
	answer, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: "CONNECT"})
	if err == nil {
		if answer.Status == connected {
			return NewClient(conn), nil
		}
		err = errors.New("unexpected HTTP response: " + answer.Status)
	}
	conn.Close()
	return nil, &net.OpError{Op: "dial-http", Net: network + " " + address, Err: err}
}
