// Package syslog writes to the system's log.
package syslog

import (
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"strings"
	"sync"
	"time"
)

// A Priority is a severity and a facility.
type Priority int

// Severities.
const (
	LOG_EMERG Priority = iota
	LOG_ALERT
	LOG_CRIT
	LOG_ERR
	LOG_WARNING
	LOG_NOTICE
	LOG_INFO
	LOG_DEBUG
)

// Facilities.
const (
	LOG_KERN Priority = iota << 3
	LOG_USER
	LOG_MAIL
	LOG_DAEMON
	LOG_AUTH
	LOG_SYSLOG
	LOG_LPR
	LOG_NEWS
	LOG_UUCP
	LOG_CRON
	LOG_AUTHPRIV
	LOG_FTP
)

const (
	LOG_LOCAL0 Priority = (16 + iota) << 3
	LOG_LOCAL1
	LOG_LOCAL2
	LOG_LOCAL3
	LOG_LOCAL4
	LOG_LOCAL5
	LOG_LOCAL6
	LOG_LOCAL7
)

const severities Priority = 7

// A Writer is a connection to the log, which is made again when it breaks.
type Writer struct {
	priority       Priority
	tag, host      string
	network, raddr string

	lock    sync.Mutex
	conn    net.Conn
	isLocal bool
}

// NewLogger gives a Logger over New.
func NewLogger(p Priority, logFlag int) (l *log.Logger, err error) {
	w, err := New(p, "")
	if err == nil {
		l = log.New(w, "", logFlag)
	}
	return l, err
}

// New connects to the log of this machine.
func New(priority Priority, tag string) (*Writer, error) { return Dial("", "", priority, tag) }

// Dial connects to a log, which is that of this machine if network is empty. The tag is that of the
// program if it is empty.
func Dial(network, raddr string, priority Priority, tag string) (*Writer, error) {
	const most = LOG_LOCAL7 | LOG_DEBUG
	w := &Writer{priority: priority, tag: tag, network: network, raddr: raddr}
	if w.priority < 0 || most < w.priority {
		return nil, errors.New("log/syslog: invalid priority")
	}
	if w.tag == "" {
		w.tag = os.Args[0]
	}
	w.host, _ = os.Hostname()
	w.lock.Lock()
	err := w.connect()
	w.lock.Unlock()
	if err != nil {
		w = nil
	}
	return w, err
}

func (w *Writer) connect() (err error) {
	if w.conn != nil {
		w.conn.Close()
		w.conn = nil
	}
	if w.network == "" {
		if w.host == "" {
			w.host = "localhost"
		}
		w.isLocal = true
		w.conn, err = dialLocal()
		return err
	}
	conn, err := net.Dial(w.network, w.raddr)
	if err != nil {
		return err
	}
	w.conn = conn
	w.isLocal = w.network == "unixgram" || w.network == "unix"
	if w.host == "" {
		w.host = conn.LocalAddr().String()
	}
	return nil
}

func dialLocal() (net.Conn, error) {
	for _, network := range []string{"unixgram", "unix"} {
		for _, path := range []string{"/dev/log", "/var/run/syslog", "/var/run/log"} {
			if conn, err := net.Dial(network, path); err == nil {
				return conn, nil
			}
		}
	}
	return nil, errors.New("Unix syslog delivery error")
}

// Write logs a message with the severity that New was given.
func (w *Writer) Write(b []byte) (int, error) { return w.log(w.priority, string(b)) }

// Close closes the connection; the next message makes another.
func (w *Writer) Close() error {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.conn == nil {
		return nil
	}
	err := w.conn.Close()
	w.conn = nil
	return err
}

func (w *Writer) logged(severity Priority, m string) error {
	_, err := w.log(severity, m)
	return err
}

func (w *Writer) Emerg(m string) error   { return w.logged(LOG_EMERG, m) }
func (w *Writer) Alert(m string) error   { return w.logged(LOG_ALERT, m) }
func (w *Writer) Crit(m string) error    { return w.logged(LOG_CRIT, m) }
func (w *Writer) Err(m string) error     { return w.logged(LOG_ERR, m) }
func (w *Writer) Warning(m string) error { return w.logged(LOG_WARNING, m) }
func (w *Writer) Notice(m string) error  { return w.logged(LOG_NOTICE, m) }
func (w *Writer) Info(m string) error    { return w.logged(LOG_INFO, m) }
func (w *Writer) Debug(m string) error   { return w.logged(LOG_DEBUG, m) }

// log sends a message; if that fails, once more over another connection.
func (w *Writer) log(severity Priority, m string) (int, error) {
	p := w.priority&^severities | severity&severities
	w.lock.Lock()
	defer w.lock.Unlock()
	isSent := w.conn != nil && w.send(p, m) == nil
	if !isSent {
		err := w.connect()
		if err == nil {
			err = w.send(p, m)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(m), nil
}

func (w *Writer) send(p Priority, m string) error {
	if !strings.HasSuffix(m, "\n") {
		m += "\n"
	}
	from := time.Now().Format(time.Stamp)
	if !w.isLocal {
		from = time.Now().Format(time.RFC3339) + " " + w.host
	}
	_, err := fmt.Fprintf(w.conn, "<%d>%s %s[%d]: %s", p, from, w.tag, os.Getpid(), m)
	return err
}
