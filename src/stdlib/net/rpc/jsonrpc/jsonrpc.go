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

	request  clientRequest
	response clientResponse

	mu      sync.Mutex
	pending map[uint64]string // the methods of requests
}

type clientRequest struct {
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
	return &client{
		Closer:  conn,
		dec:     json.NewDecoder(conn),
		enc:     json.NewEncoder(conn),
		pending: map[uint64]string{},
	}
}

func (c *client) WriteRequest(r *rpc.Request, param any) error {
	c.mu.Lock()
	c.pending[r.Seq] = r.ServiceMethod
	c.mu.Unlock()
	c.request = clientRequest{r.ServiceMethod, [1]any{param}, r.Seq}
	return c.enc.Encode(&c.request)
}

func (c *client) ReadResponseHeader(r *rpc.Response) error {
	c.response = clientResponse{}
	if err := c.dec.Decode(&c.response); err != nil {
		return err
	}
	id := c.response.Id
	c.mu.Lock()
	*r = rpc.Response{ServiceMethod: c.pending[id], Seq: id}
	delete(c.pending, id)
	c.mu.Unlock()
	if c.response.Error == nil && c.response.Result != nil {
		return nil
	}
	text, ok := c.response.Error.(string)
	if !ok {
		return fmt.Errorf("invalid error %v", c.response.Error)
	}
	if text == "" {
		text = "unspecified error"
	}
	r.Error = text
	return nil
}

func (c *client) ReadResponseBody(x any) error {
	if x == nil {
		return nil
	}
	return json.Unmarshal(*c.response.Result, x)
}

func NewClient(conn io.ReadWriteCloser) *rpc.Client {
	return rpc.NewClientWithCodec(NewClientCodec(conn))
}

func Dial(network, address string) (*rpc.Client, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	return NewClient(conn), nil
}

type server struct {
	io.Closer
	dec *json.Decoder
	enc *json.Encoder

	params *json.RawMessage

	mu      sync.Mutex
	seq     uint64
	pending map[uint64]*json.RawMessage // what clients call the requests
}

func NewServerCodec(conn io.ReadWriteCloser) rpc.ServerCodec {
	return &server{
		Closer:  conn,
		dec:     json.NewDecoder(conn),
		enc:     json.NewEncoder(conn),
		pending: map[uint64]*json.RawMessage{},
	}
}

// A serverRequest bears this name for the errors of package json.
type serverRequest struct {
	Method string           `json:"method"`
	Params *json.RawMessage `json:"params"`
	Id     *json.RawMessage `json:"id"`
}

func (s *server) ReadRequestHeader(r *rpc.Request) error {
	var req serverRequest
	if err := s.dec.Decode(&req); err != nil {
		return err
	}
	s.params = req.Params
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	s.pending[s.seq] = req.Id
	r.ServiceMethod, r.Seq = req.Method, s.seq
	return nil
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
	s.mu.Lock()
	id, ok := s.pending[r.Seq]
	delete(s.pending, r.Seq)
	s.mu.Unlock()
	if !ok {
		return errors.New("invalid sequence number in response")
	}
	if id == nil {
		null := json.RawMessage("null")
		id = &null
	}
	answer := struct {
		Id     *json.RawMessage `json:"id"`
		Result any              `json:"result"`
		Error  any              `json:"error"`
	}{Id: id}
	if r.Error == "" {
		answer.Result = x
	} else {
		answer.Error = r.Error
	}
	return s.enc.Encode(answer)
}

func ServeConn(conn io.ReadWriteCloser) { rpc.ServeCodec(NewServerCodec(conn)) }
