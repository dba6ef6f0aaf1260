package http

import (
	"cmp"
	"errors"
	"fmt"
	"net/http/internal/http2"
	"slices"
	"strconv"
	"strings"
)

// The header of a client's request.

// fields are the fields of a request's header.
func (x *h2exchange) fields() (fields []http2.Field, err error) {
	r := x.r
	defer func() {
		if err != nil {
			err = fmt.Errorf("http2: %w", err)
		}
	}()
	if err := checkForConnection(r.Header); err != nil {
		return nil, err
	}
	host, err := asciiHostPort(orDefault(r.Host, r.URL.Host))
	if err != nil {
		return nil, err
	}
	if !isHost(host) {
		return nil, errors.New("invalid Host header")
	}
	protocol := ""
	if v := r.Header[":protocol"]; len(v) > 0 {
		protocol = v[0]
	}
	isConnect := r.Method == MethodConnect && protocol == ""
	if protocol != "" && r.Method != MethodConnect {
		return nil, errors.New("invalid :protocol header in non-CONNECT request")
	}
	path := ""
	if !isConnect {
		if path, err = pathOf(r, host); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(refuseBad("header", r.Header), refuseBad("trailer", r.Trailer)); err != nil {
		return nil, err
	}
	trailers := make(Header, len(r.Trailer))
	for name := range r.Trailer {
		if name = CanonicalHeaderKey(name); isFraming(name) {
			return nil, fmt.Errorf("invalid Trailer key %q", name)
		}
		trailers[name] = nil
	}
	add := func(name, value string) {
		if name, ok := lowerName(name); ok {
			fields = append(fields, http2.Field{Name: name, Value: value})
		}
	}
	add(":authority", host)
	add(":method", orDefault(r.Method, MethodGet))
	if !isConnect {
		add(":path", path)
		add(":scheme", r.URL.Scheme)
	}
	if protocol != "" {
		add(":protocol", protocol)
	}
	if len(trailers) > 0 {
		add("trailer", strings.Join(sortedNames(trailers), ","))
	}
	agent := "Go-http-client/2.0"
	for name, values := range r.Header {
		switch strings.ToLower(name) {
		case "host", "content-length", "connection", "proxy-connection", "transfer-encoding",
			"upgrade", "keep-alive", ":protocol":
		case "user-agent":
			// None, if it is empty.
			agent = ""
			if len(values) > 0 {
				agent = values[0]
			}
		case "cookie":
			// In pieces they can be known by numbers.
			for _, v := range values {
				for piece := range strings.SplitSeq(v, ";") {
					if piece = strings.TrimLeft(piece, " "); piece != "" {
						add(name, piece)
					}
				}
			}
		default:
			for _, v := range values {
				add(name, v)
			}
		}
	}
	if n := x.reqLen; n > 0 || n == 0 &&
		(r.Method == MethodPost || r.Method == MethodPut || r.Method == MethodPatch) {
		add("content-length", strconv.FormatInt(n, 10))
	}
	if x.wantsZip {
		add("accept-encoding", "gzip")
	}
	if agent != "" {
		add("user-agent", agent)
	}
	return fields, nil
}

// ofConnection are fields that are of a connection, with what they may say nevertheless.
var ofConnection = [...]struct {
	name      string
	known     []string
	mayRepeat bool
	isFolded  bool
}{
	{name: "Upgrade", known: []string{"", "chunked"}, mayRepeat: true},
	{name: "Transfer-Encoding", known: []string{"", "chunked"}},
	{name: "Connection", known: []string{"", "close", "keep-alive"}, isFolded: true},
}

// checkForConnection refuses what a request says of its connection, other than that it may close.
func checkForConnection(h Header) error {
	for _, f := range ofConnection {
		values := h[f.name]
		if len(values) == 0 {
			continue
		}
		isSaid := func(known string) bool {
			return values[0] == known || f.isFolded && equalFold(values[0], known)
		}
		if len(values) > 1 && !f.mayRepeat || !slices.ContainsFunc(f.known, isSaid) {
			return fmt.Errorf("invalid %s request header: %q", f.name, values)
		}
	}
	return nil
}

// refuseBad says what in a header, or what comes behind the body, cannot be sent.
func refuseBad(where string, h Header) error {
	switch name, part := h.findBad(true); part {
	case badName:
		return fmt.Errorf("invalid HTTP %s name %q", where, name)
	case badValue:
		return fmt.Errorf("invalid HTTP %s value for header %q", where, name)
	}
	return nil
}

// pathOf is what a request asks for.
func pathOf(r *Request, host string) (string, error) {
	isPath := func(s string) bool { return s == "*" || strings.HasPrefix(s, "/") }
	path := r.URL.RequestURI()
	if isPath(path) {
		return path, nil
	}
	short := strings.TrimPrefix(path, r.URL.Scheme+"://"+host)
	switch {
	case isPath(short):
		return short, nil
	case r.URL.Opaque != "":
		return "", fmt.Errorf("invalid request :path %q from URL.Opaque = %q", path, r.URL.Opaque)
	}
	return "", fmt.Errorf("invalid request :path %q", path)
}
