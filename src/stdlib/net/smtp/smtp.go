// Package smtp sends mail: RFC 5321, with the extensions 8BITMIME, AUTH and STARTTLS.
package smtp

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strings"
)

// A Client is a connection to a server of mail.
type Client struct {
	Text *textproto.Conn

	conn   net.Conn
	secure bool
	server string            // its name
	ext    map[string]string // what it can do, nil if it knows no extensions
	auth   []string
	local  string // our name

	greeted  bool
	greetErr error
}

func Dial(addr string) (*Client, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	host, _, _ := net.SplitHostPort(addr)
	return NewClient(conn, host)
}

// NewClient waits for the server's greeting.
func NewClient(conn net.Conn, host string) (*Client, error) {
	text := textproto.NewConn(conn)
	if _, _, err := text.ReadResponse(220); err != nil {
		text.Close()
		return nil, err
	}
	_, secure := conn.(*tls.Conn)
	return &Client{Text: text, conn: conn, secure: secure, server: host, local: "localhost"}, nil
}

func (c *Client) Close() error { return c.Text.Close() }

// checkLine refuses what would be several lines, and so several commands.
func checkLine(lines ...string) error {
	for _, line := range lines {
		if strings.ContainsAny(line, "\r\n") {
			return errors.New("smtp: A line must not contain CR or LF")
		}
	}
	return nil
}

// command sends one, and reads the answer, whose code must begin with that one, if it is not 0.
func (c *Client) command(code int, format string, args ...any) (int, string, error) {
	id, err := c.Text.Cmd(format, args...)
	if err != nil {
		return 0, "", err
	}
	c.Text.StartResponse(id)
	defer c.Text.EndResponse(id)
	return c.Text.ReadResponse(code)
}

// simple is a command before which the two have greeted one another.
func (c *Client) simple(code int, format string, args ...any) error {
	if err := c.greet(); err != nil {
		return err
	}
	_, _, err := c.command(code, format, args...)
	return err
}

func (c *Client) greet() error {
	if c.greeted {
		return c.greetErr
	}
	c.greeted = true
	if c.ehlo() == nil {
		return nil
	}
	// The server is an old one.
	c.ext = nil
	_, _, c.greetErr = c.command(250, "HELO %s", c.local)
	return c.greetErr
}

func (c *Client) ehlo() error {
	_, text, err := c.command(250, "EHLO %s", c.local)
	if err != nil {
		return err
	}
	c.ext = map[string]string{}
	for _, line := range strings.Split(text, "\n")[1:] {
		name, param, _ := strings.Cut(line, " ")
		c.ext[name] = param
	}
	if list, ok := c.ext["AUTH"]; ok {
		c.auth = strings.Split(list, " ")
	}
	return nil
}

// Hello greets the server by another name than localhost.
func (c *Client) Hello(localName string) error {
	if err := checkLine(localName); err != nil {
		return err
	}
	if c.greeted {
		return errors.New("smtp: Hello called after other methods")
	}
	c.local = localName
	return c.greet()
}

// StartTLS has all encrypted from now on.
func (c *Client) StartTLS(config *tls.Config) error {
	if err := c.simple(220, "STARTTLS"); err != nil {
		return err
	}
	c.conn = tls.Client(c.conn, config)
	c.Text = textproto.NewConn(c.conn)
	c.secure = true
	return c.ehlo()
}

func (c *Client) TLSConnectionState() (state tls.ConnectionState, ok bool) {
	if t, ok := c.conn.(*tls.Conn); ok {
		return t.ConnectionState(), true
	}
	return state, false
}

// Verify asks whether there is such an address; many servers do not tell.
func (c *Client) Verify(addr string) error {
	if err := checkLine(addr); err != nil {
		return err
	}
	return c.simple(250, "VRFY %s", addr)
}

// Auth says who we are. If that fails, the connection is over.
func (c *Client) Auth(a Auth) error {
	if err := c.greet(); err != nil {
		return err
	}
	how, answer, err := a.Start(&ServerInfo{c.server, c.secure, c.auth})
	if err != nil {
		c.Quit()
		return err
	}
	line := strings.TrimSpace("AUTH " + how + " " + base64.StdEncoding.EncodeToString(answer))
	for {
		code, text, err := c.command(0, "%s", line)
		if err != nil {
			return err
		}
		var asked []byte
		switch code {
		case 334:
			asked, err = base64.StdEncoding.DecodeString(text)
		case 235:
			// The last answer is no challenge, and not coded.
			asked = []byte(text)
		default:
			err = &textproto.Error{Code: code, Msg: text}
		}
		if err == nil {
			answer, err = a.Next(asked, code == 334)
		}
		if err != nil {
			c.command(501, "*")
			c.Quit()
			return err
		}
		if answer == nil {
			return nil
		}
		line = base64.StdEncoding.EncodeToString(answer)
	}
}

// Mail begins a mail from that address.
func (c *Client) Mail(from string) error {
	if err := checkLine(from); err != nil {
		return err
	}
	if err := c.greet(); err != nil {
		return err
	}
	line := "MAIL FROM:<%s>"
	if _, ok := c.ext["8BITMIME"]; ok {
		line += " BODY=8BITMIME"
	}
	if _, ok := c.ext["SMTPUTF8"]; ok {
		line += " SMTPUTF8"
	}
	_, _, err := c.command(250, line, from)
	return err
}

// Rcpt adds whom the mail is to.
func (c *Client) Rcpt(to string) error {
	if err := checkLine(to); err != nil {
		return err
	}
	_, _, err := c.command(25, "RCPT TO:<%s>", to)
	return err
}

// A body is what Data gives.
type body struct {
	c *Client
	io.WriteCloser
}

func (b *body) Close() error {
	b.WriteCloser.Close()
	_, _, err := b.c.Text.ReadResponse(250)
	return err
}

// Data is for the mail itself, header and text. It is sent when it is closed.
func (c *Client) Data() (io.WriteCloser, error) {
	if _, _, err := c.command(354, "DATA"); err != nil {
		return nil, err
	}
	return &body{c, c.Text.DotWriter()}, nil
}

// Extension says whether the server has that extension, and with what parameter.
func (c *Client) Extension(ext string) (bool, string) {
	if c.greet() != nil {
		return false, ""
	}
	param, ok := c.ext[strings.ToUpper(ext)]
	return ok, param
}

// Reset forgets the mail that has been begun.
func (c *Client) Reset() error { return c.simple(250, "RSET") }

func (c *Client) Noop() error { return c.simple(250, "NOOP") }

// Quit ends the conversation, and the connection.
func (c *Client) Quit() error {
	c.greet()
	if _, _, err := c.command(221, "QUIT"); err != nil {
		return err
	}
	return c.Text.Close()
}

// SendMail sends one mail, over TLS if the server can, and says who we are if there is a.
func SendMail(addr string, a Auth, from string, to []string, msg []byte) error {
	if err := checkLine(append([]string{from}, to...)...); err != nil {
		return err
	}
	c, err := Dial(addr)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.greet(); err != nil {
		return err
	}
	if ok, _ := c.Extension("STARTTLS"); ok {
		if err := c.StartTLS(&tls.Config{ServerName: c.server}); err != nil {
			return err
		}
	}
	if a != nil && c.ext != nil {
		if _, ok := c.ext["AUTH"]; !ok {
			return errors.New("smtp: server doesn't support AUTH")
		}
		if err := c.Auth(a); err != nil {
			return err
		}
	}
	if err := c.Mail(from); err != nil {
		return err
	}
	for _, addr := range to {
		if err := c.Rcpt(addr); err != nil {
			return err
		}
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(msg); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return c.Quit()
}

// An Auth is a way to say who we are.
type Auth interface {
	// Start gives the way's name, and what to say first; an error ends it.
	Start(server *ServerInfo) (proto string, toServer []byte, err error)
	// Next answers; more says whether the server waits for it.
	Next(fromServer []byte, more bool) (toServer []byte, err error)
}

type ServerInfo struct {
	Name string
	TLS  bool
	Auth []string // the ways that it knows
}

type plainAuth struct {
	identity, username, password, host string
}

// PlainAuth tells the password, but to that host only, and over TLS or to this machine.
func PlainAuth(identity, username, password, host string) Auth {
	return &plainAuth{identity, username, password, host}
}

func (a *plainAuth) Start(server *ServerInfo) (string, []byte, error) {
	switch server.Name {
	case "localhost", "127.0.0.1", "::1":
	default:
		if !server.TLS {
			return "", nil, errors.New("unencrypted connection")
		}
	}
	if server.Name != a.host {
		return "", nil, errors.New("wrong host name")
	}
	return "PLAIN", []byte(a.identity + "\x00" + a.username + "\x00" + a.password), nil
}

func (a *plainAuth) Next(fromServer []byte, more bool) ([]byte, error) {
	if more {
		return nil, errors.New("unexpected server challenge")
	}
	return nil, nil
}

type cramMD5Auth struct {
	username, secret string
}

// CRAMMD5Auth proves that we know the secret: RFC 2195.
func CRAMMD5Auth(username, secret string) Auth { return &cramMD5Auth{username, secret} }

func (a *cramMD5Auth) Start(server *ServerInfo) (string, []byte, error) {
	return "CRAM-MD5", nil, nil
}

func (a *cramMD5Auth) Next(fromServer []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	m := hmac.New(md5.New, []byte(a.secret))
	m.Write(fromServer)
	return fmt.Appendf(nil, "%s %x", a.username, m.Sum(nil)), nil
}
