// run

// Names of hosts that are not ASCII: what is dialed, what the header says, and what a trace is told.

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
)

func main() {
	dialed := ""
	t := &http.Transport{DialContext: func(_ context.Context, _, addr string) (net.Conn, error) {
		dialed = addr
		return nil, errors.New("nobody")
	}}
	for _, host := range []string{
		"bücher.example", "BÜCHER.Example", "日本語.jp", "例え。テスト", "пример.рф", "ПРИМЕР.РФ",
		"παράδειγμα.ελ", "straße.de", "한국어.kr", "bücher.example:8080", "ä-.de", "ab--ä.de",
		"xn--bcher-kva.example", "münchen.münchen.de", "aüaöaä", "ñandú", "ü", "żółw.pl",
		strings.Repeat("ä", 70),
	} {
		told := ""
		ctx := httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{
			GetConn: func(to string) { told = to },
		})
		r, err := http.NewRequestWithContext(ctx, "GET", "http://"+host+"/", nil)
		if err != nil {
			fmt.Println(err)
			continue
		}
		dialed = ""
		_, err = t.RoundTrip(r)
		var b strings.Builder
		werr := r.Write(&b)
		back, rerr := http.ReadRequest(bufio.NewReader(strings.NewReader(b.String())))
		fmt.Println(host, dialed, told == dialed, err, werr, rerr)
		if rerr == nil {
			fmt.Println("  ", back.Host)
		}
	}
}
