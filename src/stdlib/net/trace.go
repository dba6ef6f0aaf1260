package net

import "context"

// dialTrace has functions that are told of what is done for a connection: names that are looked up,
// and addresses that are tried. Any may be nil. Package net/http/httptrace sets them.
type dialTrace struct {
	lookUp    func(host string)
	lookedUp  func(addrs []IPAddr, err error)
	connect   func(network, addr string)
	connected func(network, addr string, err error)
}

type dialTraceKey struct{}

// withTrace has these functions told of what is done with the context.
func withTrace(
	ctx context.Context,
	lookUp func(host string), lookedUp func(addrs []IPAddr, err error),
	connect func(network, addr string), connected func(network, addr string, err error),
) context.Context {
	return context.WithValue(ctx, dialTraceKey{}, &dialTrace{lookUp, lookedUp, connect, connected})
}

// traceOf is the trace of a context, one of nothing if it has none.
func traceOf(ctx context.Context) *dialTrace {
	if t, ok := ctx.Value(dialTraceKey{}).(*dialTrace); ok {
		return t
	}
	return &dialTrace{}
}

// forNames leaves out connections, which are those of the look-up itself.
func (t *dialTrace) forNames(ctx context.Context) context.Context {
	if t.connect == nil && t.connected == nil {
		return ctx
	}
	return withTrace(ctx, t.lookUp, t.lookedUp, nil, nil)
}
