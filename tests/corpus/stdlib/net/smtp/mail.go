// run

// Mail to a server in the same program: what is said, and what goes wrong.

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/smtp"
	"strings"
)

// serve answers each line with the next of answers, and prints what was said.
func serve(answers ...string) (addr string, done chan bool) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	done = make(chan bool)
	go func() {
		defer close(done)
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		defer l.Close()
		fmt.Fprint(c, "220 hello\r\n")
		in := bufio.NewScanner(c)
		inData := false
		for in.Scan() {
			fmt.Println("C:", in.Text())
			if inData && in.Text() != "." {
				continue
			}
			if len(answers) == 0 {
				return
			}
			answer := answers[0]
			answers = answers[1:]
			inData = strings.HasPrefix(answer, "354")
			fmt.Println("S:", answer)
			fmt.Fprint(c, strings.ReplaceAll(answer, "\n", "\r\n"), "\r\n")
		}
	}()
	return l.Addr().String(), done
}

func main() {
	const ehlo = "250-at your service\n250-SIZE 100\n250-8BITMIME\n250 AUTH PLAIN CRAM-MD5"
	addr, done := serve(ehlo, "235 ok", "250 ok", "250 ok", "251 elsewhere", "354 go on",
		"250 taken", "221 bye")
	auth := smtp.PlainAuth("", "user", "password", "127.0.0.1")
	err := smtp.SendMail(addr, auth, "a@x", []string{"b@x", "c@x"},
		[]byte("Subject: s\r\n\r\nline\n.dot\n"))
	<-done
	fmt.Println(err)

	addr, done = serve("500 what", "250 old")
	err = smtp.SendMail(addr, nil, "a@x", nil, nil)
	<-done
	fmt.Println(err)
	addr, done = serve("250 only me", "550 no", "221 bye")
	err = smtp.SendMail(addr, auth, "a@x", []string{"b@x"}, nil)
	<-done
	fmt.Println(err)
	fmt.Println(smtp.SendMail("x:1", nil, "a\r\nb", nil, nil))
	fmt.Println(smtp.SendMail("x:1", nil, "a", []string{"a\n"}, nil))

	addr, done = serve(ehlo, "250 ok", "252 perhaps", "250 ok", "334 "+
		"PDEyMzRAeD4=", "235 ok", "535 no", "501 end", "221 bye")
	c, err := smtp.Dial(addr)
	fmt.Println(err)
	fmt.Println(c.Hello("a\nb"), c.Hello("here"), c.Hello("again"))
	ok, param := c.Extension("size")
	fmt.Println(ok, param)
	fmt.Println(c.Extension("starttls"))
	fmt.Println(c.Noop())
	fmt.Println(c.Verify("a@x"))
	fmt.Println(c.Reset())
	fmt.Println(c.Auth(smtp.CRAMMD5Auth("user", "secret")))
	_, isTLS := c.TLSConnectionState()
	fmt.Println(isTLS)
	err = c.Auth(auth)
	<-done
	fmt.Println(err)

	for _, s := range []*smtp.ServerInfo{
		{Name: "mail.x", TLS: true}, {Name: "mail.x"}, {Name: "localhost"}, {Name: "other", TLS: true},
	} {
		how, text, err := smtp.PlainAuth("i", "u", "p", "mail.x").Start(s)
		fmt.Printf("%s %q %v\n", how, text, err)
	}
	_, err = auth.Next(nil, true)
	fmt.Println(err)
}
