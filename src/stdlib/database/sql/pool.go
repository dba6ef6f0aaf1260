package sql

// The pool of a DB. A connection is idle (it stands in db.free), used (somebody holds it) or gone.
// Who finds none that is free, and may not make one, stands in the queue db.waiting; whatever
// connection comes back, or is made by the opener, goes to the head of the queue first. All of
// that is guarded by db.mu, and no driver makes or closes a connection while it is held, but for
// those that turn out to be too many.

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// byName is the connector of a driver that has none.
type byName struct {
	driver driver.Driver
	name   string
}

func (c byName) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.name) }

func (c byName) Driver() driver.Driver { return c.driver }

// The times that a connection has, and their limits: since it was made, and since it was returned.
const (
	life = iota
	rest
)

type DB struct {
	connector driver.Connector
	ctx       context.Context // ends when the DB is closed
	stop      context.CancelFunc
	waited    atomic.Int64 // nanoseconds

	mu      sync.Mutex
	closed  bool
	free    []*conn      // the one returned last stands last
	waiting []chan grant // the one that came first stands first
	open    int          // connections, and those that are being made
	ordered int          // what the opener shall make
	wake    chan struct{}
	sweeper *time.Timer // runs sweep, as long as there may be something to close

	maxOpen int // 0: no limit
	maxIdle int
	limits  [2]time.Duration // 0: no limit
	expired [2]int64         // how many connections were closed by each
	stats   DBStats          // its other counters
}

type DBStats struct {
	MaxOpenConnections int

	OpenConnections int
	InUse           int
	Idle            int

	WaitCount         int64
	WaitDuration      time.Duration
	MaxIdleClosed     int64
	MaxIdleTimeClosed int64
	MaxLifetimeClosed int64
}

type state uint8

const (
	idle state = iota
	used
	gone
)

// A conn is a connection of the pool. Its lock is held while the driver is called.
type conn struct {
	db    *DB
	times [2]time.Time // db.mu guards them

	sync.Mutex
	driver driver.Conn
	reset  bool                // the session shall be reset before the next use
	stmts  map[*prepared]*Stmt // those that the connection closes, and whose they are

	// db.mu guards these.
	state    state
	onReturn []*prepared // to be closed then
}

// A grant is what one who waits gets.
type grant struct {
	conn *conn
	err  error
}

func OpenDB(c driver.Connector) *DB {
	db := &DB{connector: c, wake: make(chan struct{}, 1), maxIdle: 2}
	db.ctx, db.stop = context.WithCancel(context.Background())
	go db.opener()
	return db
}

func (db *DB) Driver() driver.Driver { return db.connector.Driver() }

// Close closes what is free now, and the rest when it is given back.
func (db *DB) Close() error {
	db.mu.Lock()
	wasClosed := db.closed
	db.closed = true
	if wasClosed {
		db.mu.Unlock()
		return nil
	}
	if db.sweeper != nil {
		db.sweeper.Stop()
	}
	free, waiting := db.free, db.waiting
	db.free, db.waiting = nil, nil
	db.mu.Unlock()
	for _, turn := range waiting {
		close(turn)
	}
	var last error
	note := func(err error) {
		if err != nil {
			last = err
		}
	}
	for _, c := range free {
		note(c.close())
	}
	db.stop()
	with(db.connector, func(c io.Closer) { note(c.Close()) })
	return last
}

// with calls f with v as an I, if it is one.
func with[I any](v any, f func(I)) (is bool) {
	i, is := v.(I)
	if is {
		f(i)
	}
	return is
}

// Limits

func (db *DB) SetMaxIdleConns(n int) { db.limit(func() { db.maxIdle = max(n, 0) }) }

func (db *DB) SetMaxOpenConns(n int) { db.limit(func() { db.maxOpen = max(n, 0) }) }

// limit sets limits of number, and closes the free connections that are too many then.
func (db *DB) limit(set func()) {
	db.mu.Lock()
	set()
	if db.maxOpen > 0 {
		db.maxIdle = min(db.maxIdle, db.maxOpen)
	}
	n := min(len(db.free), db.maxIdle)
	surplus := slices.Clone(db.free[n:])
	db.free = slices.Delete(db.free, n, len(db.free))
	db.stats.MaxIdleClosed += int64(len(surplus))
	db.mu.Unlock()
	for _, c := range surplus {
		c.close()
	}
}

func (db *DB) SetConnMaxLifetime(d time.Duration) { db.limitTime(life, d) }

func (db *DB) SetConnMaxIdleTime(d time.Duration) { db.limitTime(rest, d) }

// limitTime sets a limit of time. The free connections are swept at once if it is the shortest now.
func (db *DB) limitTime(which int, d time.Duration) {
	db.mu.Lock()
	defer db.mu.Unlock()
	sooner := d > 0 && d < db.period()
	db.limits[which] = max(d, 0)
	if sooner && db.sweeper != nil {
		db.sweeper.Reset(0)
	}
	db.startSweeping()
}

// period is the shorter of the limits of time that there are, or else 0.
func (db *DB) period() (d time.Duration) {
	for _, limit := range db.limits {
		if limit > 0 && (d == 0 || limit < d) {
			d = limit
		}
	}
	return d
}

// left is the time that c may still be used by one of the limits, which must be there.
func (db *DB) left(c *conn, which int, now time.Time) time.Duration {
	return db.limits[which] - now.Sub(c.times[which])
}

// tooOld says, and counts, that c has outlived the limit of its life.
func (db *DB) tooOld(c *conn) bool {
	if db.limits[life] == 0 || db.left(c, life, time.Now()) >= 0 {
		return false
	}
	db.expired[life]++
	return true
}

func (db *DB) startSweeping() {
	if d := db.period(); d > 0 && db.open > 0 && db.sweeper == nil {
		db.sweeper = time.AfterFunc(max(d, time.Second), db.sweep)
	}
}

// sweep closes free connections that are too old. It comes again until there are none at all.
func (db *DB) sweep() {
	db.mu.Lock()
	next := db.period()
	if db.sweeper == nil || db.closed || db.open == 0 || next == 0 {
		db.sweeper = nil
		db.mu.Unlock()
		return
	}
	var old []*conn
	now := time.Now()
	db.free = slices.DeleteFunc(db.free, func(c *conn) bool {
		for _, which := range [...]int{rest, life} {
			if db.limits[which] == 0 {
				continue
			}
			left := db.left(c, which, now)
			if left < 0 {
				db.expired[which]++
				old = append(old, c)
				return true
			}
			next = min(next, left)
		}
		return false
	})
	db.mu.Unlock()
	for _, c := range old {
		c.close()
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.sweeper != nil && !db.closed {
		db.sweeper.Reset(max(next, time.Second))
	}
}

func (db *DB) Stats() DBStats {
	waited := time.Duration(db.waited.Load())
	db.mu.Lock()
	defer db.mu.Unlock()
	s := db.stats
	s.MaxIdleTimeClosed, s.MaxLifetimeClosed = db.expired[rest], db.expired[life]
	s.WaitDuration = waited
	s.Idle = len(db.free)
	s.InUse = db.open - s.Idle
	s.OpenConnections = db.open
	s.MaxOpenConnections = db.maxOpen
	return s
}

// Making connections

// dial makes a connection, which is counted already.
func (db *DB) dial(ctx context.Context) (*conn, error) {
	made, err := db.connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return &conn{db: db, times: [2]time.Time{now, now}, driver: made, state: used}, nil
}

// order has the opener make connections for those who wait, as far as the limit allows.
func (db *DB) order() {
	n := len(db.waiting)
	if db.maxOpen > 0 {
		n = min(n, db.maxOpen-db.open)
	}
	if n <= 0 || db.closed {
		return
	}
	db.open += n
	db.ordered += n
	select {
	case db.wake <- struct{}{}:
	default: // It was woken already.
	}
}

// opener makes what is ordered, until the DB is closed.
func (db *DB) opener() {
	for {
		select {
		case <-db.wake:
			for db.takeOrder() {
				db.fill(db.dial(db.ctx))
			}
		case <-db.ctx.Done():
			return
		}
	}
}

func (db *DB) takeOrder() bool {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.ordered == 0 {
		return false
	}
	db.ordered--
	return true
}

// fill hands a new connection to one who waits or to the free ones, or why there is none.
func (db *DB) fill(c *conn, err error) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if err != nil {
		db.open--
	}
	kept := db.offer(c, err)
	switch {
	case err != nil:
		db.order()
	case !kept:
		db.open--
		c.driver.Close()
	}
}

// offer gives c, or the error, to one who waits, or c to the free ones. It says whether c is kept.
func (db *DB) offer(c *conn, err error) bool {
	switch {
	case db.closed, db.maxOpen > 0 && db.open > db.maxOpen:
	case len(db.waiting) > 0:
		turn := db.waiting[0]
		db.waiting = db.waiting[1:]
		if c != nil {
			c.state = used
		}
		turn <- grant{c, err}
		return c != nil
	case c == nil:
	case len(db.free) >= db.maxIdle:
		db.stats.MaxIdleClosed++
	default:
		c.state = idle
		db.free = append(db.free, c)
		db.startSweeping()
		return true
	}
	return false
}

// Using connections

// take takes a connection from the pool: a free one, unless fresh, or a new one, if the limit
// allows that; else it waits for one.
func (db *DB) take(ctx context.Context, fresh bool) (lease, error) {
	c, err := db.pick(ctx, fresh)
	return lease{c: c, from: db}, err
}

func (db *DB) pick(ctx context.Context, fresh bool) (*conn, error) {
	db.mu.Lock()
	err := ctx.Err()
	if db.closed {
		err = errClosed
	}
	last := len(db.free) - 1
	switch {
	case err != nil:
		db.mu.Unlock()
		return nil, err
	case last >= 0 && !fresh:
		c := db.free[last]
		db.free = db.free[:last]
		c.state = used
		old := db.tooOld(c)
		db.mu.Unlock()
		return c.again(ctx, old)
	case db.maxOpen > 0 && db.open >= db.maxOpen:
		turn := make(chan grant, 1)
		db.waiting = append(db.waiting, turn)
		db.stats.WaitCount++
		db.mu.Unlock()
		c, err := db.await(ctx, turn)
		if err != nil {
			return nil, err
		}
		db.mu.Lock()
		old := !fresh && db.tooOld(c)
		db.mu.Unlock()
		return c.again(ctx, old)
	}
	db.open++
	db.mu.Unlock()
	c, err := db.dial(ctx)
	if err != nil {
		db.mu.Lock()
		db.open--
		db.order()
		db.mu.Unlock()
	}
	return c, err
}

// await waits for its turn, or the end of ctx. What came at the same time as that goes back.
func (db *DB) await(ctx context.Context, turn chan grant) (*conn, error) {
	began := time.Now()
	select {
	case got, ok := <-turn:
		db.waited.Add(int64(time.Since(began)))
		if !ok {
			return nil, errClosed
		}
		return got.conn, got.err
	case <-ctx.Done():
	}
	db.mu.Lock()
	if i := slices.Index(db.waiting, turn); i >= 0 {
		db.waiting = slices.Delete(db.waiting, i, i+1)
	}
	db.mu.Unlock()
	db.waited.Add(int64(time.Since(began)))
	select {
	case got := <-turn:
		if got.conn != nil {
			db.put(got.conn, got.err)
		}
	default:
	}
	return nil, ctx.Err()
}

// again makes c fit to be used once more. It is closed if it is too old, or turns out to be bad.
func (c *conn) again(ctx context.Context, old bool) (*conn, error) {
	err := driver.ErrBadConn
	if !old {
		err = nil
		c.locked(func() {
			if r, ok := c.driver.(driver.SessionResetter); ok && c.reset {
				err = r.ResetSession(ctx)
			}
		})
	}
	if bad(err) {
		c.close()
		return nil, err
	}
	return c, nil
}

// giveBack returns c, whose session somebody may have changed.
func (db *DB) giveBack(c *conn, err error) {
	if !bad(err) {
		c.locked(func() { c.reset = true })
	}
	db.put(c, err)
}

// put returns c to the pool, or closes it if it is bad, too old, or one too many.
func (db *DB) put(c *conn, err error) {
	fit := !bad(err)
	if fit {
		c.locked(func() {
			if v, ok := c.driver.(driver.Validator); ok {
				fit = v.IsValid()
			}
		})
	}
	db.mu.Lock()
	if c.state != used {
		db.mu.Unlock()
		panic("sql: connection returned that was never out")
	}
	fit = fit && !db.tooOld(c)
	c.state = idle
	c.times[rest] = time.Now()
	for _, s := range c.onReturn {
		s.close()
	}
	c.onReturn = nil
	if fit {
		fit = db.offer(c, nil)
	} else {
		db.order()
	}
	db.mu.Unlock()
	if !fit {
		c.close()
	}
}

// locked calls f with the lock of c, which it gives back if f panics, too.
func (c *conn) locked(f func()) {
	c.Lock()
	defer c.Unlock()
	f()
}

// close ends c for good, with the statements that it closes. It is called once at most.
func (c *conn) close() (err error) {
	db := c.db
	db.mu.Lock()
	before := c.state
	c.state = gone
	db.mu.Unlock()
	if before == gone {
		return errors.New("sql: duplicate driverConn close")
	}
	c.Lock()
	stmts := c.stmts
	c.stmts = nil
	c.Unlock()
	for p, of := range stmts {
		p.close()
		of.forget(c)
	}
	c.locked(func() {
		closing := c.driver
		defer func() { c.driver = nil }()
		err = closing.Close()
	})
	db.mu.Lock()
	db.open--
	db.order()
	db.mu.Unlock()
	return err
}

// giveUp closes a statement that nobody uses any more, once c is free.
func (c *conn) giveUp(p *prepared) {
	c.db.mu.Lock()
	switch c.state {
	case idle:
		p.close()
	case used:
		c.onReturn = append(c.onReturn, p)
	}
	left := c.state != gone // else it closes the statement itself
	c.db.mu.Unlock()
	if left {
		c.locked(func() { delete(c.stmts, p) })
	}
}
