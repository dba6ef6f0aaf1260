// Package jsonrpc: codecs of JSON-RPC 1.0 for package rpc.
package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/rpc"
	"sync"
)

type client struct {
	io.Closer
	dec *json.Decoder
	enc *json.Encoder

	request  outgoing
	response clientResponse
	methods  pending[string]
}

// pending keeps something of each request that has no response yet, by its number.
type pending[T any] struct {
	mu       sync.Mutex
	byNumber map[uint64]T
}

func (p *pending[T]) put(number uint64, what T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byNumber == nil {
		p.byNumber = map[uint64]T{}
	}
	p.byNumber[number] = what
}

func (p *pending[T]) take(number uint64) (what T, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	what, ok = p.byNumber[number]
	delete(p.byNumber, number)
	return what, ok
}

type outgoing struct {
	Method string `json:"method"`
	Params [1]any `json:"params"`
	Id     uint64 `json:"id"`
}

type clientResponse struct {
	Id     uint64           `json:"id"`
	Result *json.RawMessage `json:"result"`
	Error  any              `json:"error"`
}

func NewClientCodec(conn io.ReadWriteCloser) rpc.ClientCodec {
	return &client{Closer: conn, dec: json.NewDecoder(conn), enc: json.NewEncoder(conn)}
}

func (c *client) WriteRequest(r *rpc.Request, param any) error {
	c.methods.put(r.Seq, r.ServiceMethod)
	c.request = outgoing{Method: r.ServiceMethod, Id: r.Seq}
	c.request.Params[0] = param
	return c.enc.Encode(&c.request)
}

func (c *client) ReadResponseHeader(r *rpc.Response) error {
	c.response = clientResponse{}
	if err := c.dec.Decode(&c.response); err != nil {
		return err
	}
	r.Seq, r.Error = c.response.Id, ""
	r.ServiceMethod, _ = c.methods.take(r.Seq)
	if c.response.Error == nil && c.response.Result != nil {
		return nil
	}
	switch text, isText := c.response.Error.(string); {
	case !isText:
		return fmt.Errorf("invalid error %v", c.response.Error)
	case text == "":
		r.Error = "unspecified error"
	default:
		r.Error = text
	}
	return nil
}

func (c *client) ReadResponseBody(x any) error {
	if x != nil {
		return json.Unmarshal(*c.response.Result, x)
	}
	return nil
}

func Dial(network, address string) (*rpc.Client, error) {
	conn, err := net.Dial(network, address)
	if err == nil {
		return NewClient(conn), nil
	}
	return nil, err
}

func NewClient(conn io.ReadWriteCloser) *rpc.Client {
	return rpc.NewClientWithCodec(NewClientCodec(conn))
}

type server struct {
	io.Closer
	dec *json.Decoder
	enc *json.Encoder

	params *json.RawMessage
	seq    uint64
	ids    pending[*json.RawMessage] // what clients call the requests
}

func NewServerCodec(conn io.ReadWriteCloser) rpc.ServerCodec {
	return &server{Closer: conn, dec: json.NewDecoder(conn), enc: json.NewEncoder(conn)}
}

// A serverRequest bears this name for the errors of package json.
type serverRequest struct {
	Method string           `json:"method"`
	Params *json.RawMessage `json:"params"`
	Id     *json.RawMessage `json:"id"`
}

// ReadRequestHeader numbers the requests anew: clients may call theirs anything.
func (s *server) ReadRequestHeader(r *rpc.Request) error {
	var asked serverRequest
	err := s.dec.Decode(&asked)
	if err == nil {
		s.seq++
		s.params = asked.Params
		s.ids.put(s.seq, asked.Id)
		r.ServiceMethod, r.Seq = asked.Method, s.seq
	}
	return err
}

func (s *server) ReadRequestBody(x any) error {
	if x == nil {
		return nil
	}
	if s.params == nil {
		return errors.New("jsonrpc: request body missing params")
	}
	params := [1]any{x}
	return json.Unmarshal(*s.params, &params)
}

func (s *server) WriteResponse(r *rpc.Response, x any) error {
	id, ok := s.ids.take(r.Seq)
	if !ok {
		return errors.New("invalid sequence number in response")
	}
	var answer struct {
		Id     any `json:"id"`
		Result any `json:"result"`
		Error  any `json:"error"`
	}
	if id != nil {
		answer.Id = id
	}
	if answer.Result = x; r.Error != "" {
		answer.Result, answer.Error = nil, r.Error
	}
	return s.enc.Encode(answer)
}

func ServeConn(conn io.ReadWriteCloser) { rpc.ServeCodec(NewServerCodec(conn)) }
