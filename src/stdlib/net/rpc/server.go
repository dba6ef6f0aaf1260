// Package rpc: methods of a value called from afar, over any connection, in any encoding that has a
// codec; gob if none is named.
package rpc

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

const (
	DefaultRPCPath   = "/_goRPC_"
	DefaultDebugPath = "/debug/rpc"
)

// What the answer to CONNECT says.
const connected = "200 Connected to Go RPC"

// A method is one that can be called.
type method struct {
	f          reflect.Value
	arg, reply reflect.Type
	calls      atomic.Uint64
}

type service struct {
	receiver reflect.Value
	methods  map[string]*method
}

type Request struct {
	ServiceMethod string // Service.Method
	Seq           uint64
}

type Response struct {
	ServiceMethod string
	Seq           uint64
	Error         string
}

type ServerCodec interface {
	ReadRequestHeader(*Request) error
	ReadRequestBody(any) error // nil to skip it
	WriteResponse(*Response, any) error

	Close() error
}

type Server struct {
	services sync.Map // from string to *service
}

func NewServer() *Server { return &Server{} }

var DefaultServer = NewServer()

func isExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// isPublic says whether others can name the type: it is exported or has no package.
func isPublic(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		return isPublic(t.Elem())
	}
	return t.PkgPath() == "" || isExported(t.Name())
}

func (server *Server) Register(rcvr any) error {
	t := reflect.Indirect(reflect.ValueOf(rcvr)).Type()
	if name := t.Name(); name != "" && !isExported(name) {
		return refused("rpc.Register: type " + name + " is not exported")
	}
	return server.RegisterName(t.Name(), rcvr)
}

func refused(why string) error {
	log.Print(why)
	return errors.New(why)
}

func (server *Server) RegisterName(name string, rcvr any) error {
	s := &service{receiver: reflect.ValueOf(rcvr)}
	t := reflect.TypeOf(rcvr)
	if name == "" {
		return refused("rpc.Register: no service name for type " + t.String())
	}
	s.methods = methodsOf(t)
	if len(s.methods) == 0 {
		why := "rpc.Register: type " + name + " has no exported methods of suitable type"
		if len(methodsOf(reflect.PointerTo(t))) > 0 {
			why += " (hint: pass a pointer to value of that type)"
		}
		return refused(why)
	}
	if _, dup := server.services.LoadOrStore(name, s); dup {
		return errors.New("rpc: service already defined: " + name)
	}
	return nil
}

// methodsOf finds the methods that can be called: func (T) Name(arg A, reply *R) error.
func methodsOf(t reflect.Type) map[string]*method {
	methods := map[string]*method{}
	for m := range t.Methods() {
		f := m.Type
		if !m.IsExported() || f.NumIn() != 3 || f.NumOut() != 1 {
			continue
		}
		arg, reply := f.In(1), f.In(2)
		if isPublic(arg) && isPublic(reply) && reply.Kind() == reflect.Pointer &&
			f.Out(0) == reflect.TypeFor[error]() {
			methods[m.Name] = &method{f: m.Func, arg: arg, reply: reply}
		}
	}
	return methods
}

// A call is a request that was read.
type call struct {
	Request
	service    *service
	method     *method
	arg, reply reflect.Value
}

// A session serves one codec.
type session struct {
	codec ServerCodec
	mu    sync.Mutex // held while a response is written
}

func (s *session) respond(r *Request, reply any, err error) {
	response := Response{ServiceMethod: r.ServiceMethod, Seq: r.Seq}
	if err != nil {
		response.Error = err.Error()
		reply = struct{}{}
	}
	s.mu.Lock()
	s.codec.WriteResponse(&response, reply)
	s.mu.Unlock()
}

func (s *session) run(c *call) {
	c.method.calls.Add(1)
	out := c.method.f.Call([]reflect.Value{c.service.receiver, c.arg, c.reply})
	err, _ := out[0].Interface().(error)
	s.respond(&c.Request, c.reply.Interface(), err)
}

// read reads a call; without an error it is complete. With one, c is nil if nothing more can be
// read, and otherwise what the error is answered to.
func (server *Server) read(codec ServerCodec) (c *call, err error) {
	c = new(call)
	switch err := codec.ReadRequestHeader(&c.Request); err {
	case nil:
	case io.EOF, io.ErrUnexpectedEOF:
		return nil, err
	default:
		return nil, errors.New("rpc: server cannot decode request: " + err.Error())
	}
	if err := server.find(c); err != nil {
		codec.ReadRequestBody(nil)
		return c, err
	}
	if c.arg, err = readArg(codec, c.method.arg); err == nil {
		c.reply = newReply(c.method.reply.Elem())
	}
	return c, err
}

// readArg reads an argument of type t, which may be a pointer.
func readArg(codec ServerCodec, t reflect.Type) (arg reflect.Value, err error) {
	isPointer := t.Kind() == reflect.Pointer
	if isPointer {
		t = t.Elem()
	}
	arg = reflect.New(t)
	err = codec.ReadRequestBody(arg.Interface())
	if !isPointer && err == nil {
		arg = arg.Elem()
	}
	return arg, err
}

// newReply is a pointer to a value of type t that can be filled: no map or slice is nil.
func newReply(t reflect.Type) reflect.Value {
	reply := reflect.New(t)
	if t.Kind() == reflect.Map {
		reply.Elem().Set(reflect.MakeMap(t))
	} else if t.Kind() == reflect.Slice {
		reply.Elem().Set(reflect.MakeSlice(t, 0, 0))
	}
	return reply
}

func (server *Server) find(c *call) error {
	dot := strings.LastIndexByte(c.ServiceMethod, '.')
	if dot < 0 {
		return errors.New("rpc: service/method request ill-formed: " + c.ServiceMethod)
	}
	s, ok := server.services.Load(c.ServiceMethod[:dot])
	if !ok {
		return errors.New("rpc: can't find service " + c.ServiceMethod)
	}
	c.service = s.(*service)
	c.method = c.service.methods[c.ServiceMethod[dot+1:]]
	if c.method == nil {
		return errors.New("rpc: can't find method " + c.ServiceMethod)
	}
	return nil
}

func (server *Server) ServeCodec(codec ServerCodec) {
	s := &session{codec: codec}
	var running sync.WaitGroup
	for {
		c, err := server.read(codec)
		if c == nil {
			break
		}
		if err != nil {
			s.respond(&c.Request, nil, err)
			continue
		}
		running.Go(func() { s.run(c) })
	}
	running.Wait()
	codec.Close()
}

func (server *Server) ServeRequest(codec ServerCodec) error {
	s := &session{codec: codec}
	c, err := server.read(codec)
	if err == nil {
		s.run(c)
	} else if c != nil {
		s.respond(&c.Request, nil, err)
	}
	return err
}

type gobServer struct {
	conn   io.ReadWriteCloser
	dec    *gob.Decoder
	enc    *gob.Encoder
	out    *bufio.Writer
	closed bool
}

func (c *gobServer) ReadRequestHeader(r *Request) error { return c.dec.Decode(r) }

func (c *gobServer) ReadRequestBody(body any) error { return c.dec.Decode(body) }

func (c *gobServer) WriteResponse(r *Response, body any) error {
	for i, v := range [...]any{r, body} {
		err := c.enc.Encode(v)
		if err == nil {
			continue
		}
		// The client cannot be told, unless by the connection's end.
		if c.out.Flush() == nil {
			log.Println("rpc: gob error encoding "+[...]string{"response", "body"}[i]+":", err)
			c.Close()
		}
		return err
	}
	return c.out.Flush()
}

func (c *gobServer) Close() error {
	wasClosed := c.closed
	c.closed = true
	if wasClosed {
		return nil
	}
	return c.conn.Close()
}

func (server *Server) ServeConn(conn io.ReadWriteCloser) {
	out := bufio.NewWriter(conn)
	server.ServeCodec(&gobServer{
		conn: conn, dec: gob.NewDecoder(conn), enc: gob.NewEncoder(out), out: out,
	})
}

func (server *Server) Accept(lis net.Listener) {
	conn, err := lis.Accept()
	for ; err == nil; conn, err = lis.Accept() {
		go server.ServeConn(conn)
	}
	log.Print("rpc.Serve: accept:", err.Error())
}

func (server *Server) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodConnect {
		server.takeOver(w, req.RemoteAddr)
		return
	}
	head := w.Header()
	head.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusMethodNotAllowed)
	io.WriteString(w, "405 must CONNECT\n")
}

// takeOver serves calls on the connection that w answers on.
func (server *Server) takeOver(w http.ResponseWriter, client string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		fmt.Fprintf(conn, "HTTP/1.0 %s\n\n", connected)
		server.ServeConn(conn)
	} else {
		log.Printf("rpc hijacking %s: %s", client, err)
	}
}

func (server *Server) HandleHTTP(rpcPath, debugPath string) {
	http.Handle(rpcPath, server)
	http.HandleFunc(debugPath, server.debug)
}

// debug shows a table of the services, with how often their methods were called.
func (server *Server) debug(w http.ResponseWriter, req *http.Request) {
	services := map[string]*service{}
	server.services.Range(func(name, s any) bool {
		services[name.(string)] = s.(*service)
		return true
	})
	var page strings.Builder
	page.WriteString("<html>\n\t<body>\n\t<title>Services</title>\n\t")
	for _, name := range slices.Sorted(maps.Keys(services)) {
		fmt.Fprintf(&page, "\n\t<hr>\n\tService %s\n\t<hr>\n\t\t<table>\n\t\t"+
			"<th align=center>Method</th><th align=center>Calls</th>\n\t\t",
			html.EscapeString(name))
		methods := services[name].methods
		for _, name := range slices.Sorted(maps.Keys(methods)) {
			m := methods[name]
			fmt.Fprintf(&page, "\n\t\t\t<tr>\n\t\t\t"+
				"<td align=left font=fixed>%s(%s, %s) error</td>\n\t\t\t"+
				"<td align=center>%d</td>\n\t\t\t</tr>\n\t\t",
				name, html.EscapeString(m.arg.String()), html.EscapeString(m.reply.String()),
				m.calls.Load())
		}
		page.WriteString("\n\t\t</table>\n\t")
	}
	page.WriteString("\n\t</body>\n\t</html>")
	io.WriteString(w, page.String())
}

// What the default server does.

func RegisterName(name string, rcvr any) error { return DefaultServer.RegisterName(name, rcvr) }

func Register(rcvr any) error { return DefaultServer.Register(rcvr) }

func ServeConn(conn io.ReadWriteCloser) { DefaultServer.ServeConn(conn) }

func ServeCodec(codec ServerCodec) { DefaultServer.ServeCodec(codec) }

func ServeRequest(codec ServerCodec) error { return DefaultServer.ServeRequest(codec) }

func Accept(lis net.Listener) { DefaultServer.Accept(lis) }

func HandleHTTP() { DefaultServer.HandleHTTP(DefaultRPCPath, DefaultDebugPath) }
