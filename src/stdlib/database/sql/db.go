package sql

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"math/rand/v2"
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

type DB struct {
	connector driver.Connector
	ctx       context.Context // ends when the DB is closed
	stop      context.CancelFunc
	waited    atomic.Int64 // nanoseconds

	mu       sync.Mutex
	closed   bool
	free     []*conn // the one returned last stands last
	waiting  []chan granted
	open     int           // connections, and those that are being made
	toMake   int           // what the opener shall make
	wake     chan struct{} // wakes the opener
	cleaning chan struct{} // wakes the cleaner, if there is one
	gone     uint64        // connections that were closed

	maxOpen     int // 0: no limit
	maxIdle     int // 0: the default, -1: none
	maxLifetime time.Duration
	maxIdleTime time.Duration
	stats       DBStats // its counters
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

// A conn is a connection of the pool. Its lock is held while the driver is called.
type conn struct {
	db   *DB
	made time.Time

	sync.Mutex
	driver driver.Conn
	reset  bool // the session shall be reset before the next use
	closed bool
	done   bool               // the driver's Close was called
	stmts  map[*prepared]bool // those that the connection closes

	// What db.mu guards.
	inUse    bool
	removed  bool // as closed
	returned time.Time
	onReturn []*prepared // to be closed then
}

// granted is what a waiting call gets.
type granted struct {
	conn *conn
	err  error
}

func OpenDB(c driver.Connector) *DB {
	db := &DB{connector: c, wake: make(chan struct{}, 1)}
	db.ctx, db.stop = context.WithCancel(context.Background())
	go db.opener()
	return db
}

func (db *DB) Driver() driver.Driver { return db.connector.Driver() }

func (c *conn) release(err error) { db := c.db; db.put(c, err, true) }

func (c *conn) expired(lifetime time.Duration) bool {
	return lifetime > 0 && c.made.Add(lifetime).Before(time.Now())
}

// locked calls f with the lock of c, which it gives back if f panics, too.
func (c *conn) locked(f func()) {
	c.Lock()
	defer c.Unlock()
	f()
}

func (c *conn) resetSession(ctx context.Context) error {
	c.Lock()
	defer c.Unlock()
	if r, ok := c.driver.(driver.SessionResetter); ok && c.reset {
		return r.ResetSession(ctx)
	}
	return nil
}

// valid asks the driver whether c can be used again.
func (c *conn) valid(reset bool) bool {
	c.Lock()
	defer c.Unlock()
	if reset {
		c.reset = true
	}
	if v, ok := c.driver.(driver.Validator); ok {
		return v.IsValid()
	}
	return true
}

// close ends c for good; db.mu is not held.
func (c *conn) close() error {
	c.Lock()
	if c.closed {
		c.Unlock()
		return errors.New("sql: duplicate driverConn close")
	}
	c.closed = true
	c.Unlock()
	c.db.mu.Lock()
	c.removed = true
	c.db.mu.Unlock()
	return c.finish()
}

// finish closes the statements of c, and c itself at the driver.
func (c *conn) finish() error {
	c.Lock()
	var stmts []*prepared
	for s := range c.stmts {
		stmts = append(stmts, s)
	}
	c.stmts = nil
	c.Unlock()
	for _, s := range stmts {
		s.close()
	}
	var err error
	c.locked(func() {
		c.done = true
		err = c.driver.Close()
		c.driver = nil
	})
	db := c.db
	db.mu.Lock()
	db.open--
	db.gone++
	db.makeMore()
	db.mu.Unlock()
	return err
}

func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	if db.cleaning != nil {
		close(db.cleaning)
	}
	free := db.free
	db.free = nil
	for _, c := range free {
		c.locked(func() { c.closed = true })
	}
	db.closed = true
	for _, w := range db.waiting {
		close(w)
	}
	db.waiting = nil
	db.mu.Unlock()
	var err error
	for _, c := range free {
		if e := c.finish(); e != nil {
			err = e
		}
	}
	db.stop()
	if c, ok := db.connector.(io.Closer); ok {
		if e := c.Close(); e != nil {
			err = e
		}
	}
	return err
}

// idleLimit is how many connections may be free.
func (db *DB) idleLimit() int {
	switch {
	case db.maxIdle == 0:
		return 2
	case db.maxIdle < 0:
		return 0
	}
	return db.maxIdle
}

func (db *DB) SetMaxIdleConns(n int) {
	db.mu.Lock()
	db.maxIdle = n
	if n <= 0 {
		db.maxIdle = -1
	}
	if db.maxOpen > 0 && db.idleLimit() > db.maxOpen {
		db.maxIdle = db.maxOpen
	}
	var surplus []*conn
	if limit := db.idleLimit(); len(db.free) > limit {
		surplus = slices.Clone(db.free[limit:])
		db.free = db.free[:limit]
	}
	db.stats.MaxIdleClosed += int64(len(surplus))
	db.mu.Unlock()
	for _, c := range surplus {
		c.close()
	}
}

func (db *DB) SetMaxOpenConns(n int) {
	db.mu.Lock()
	db.maxOpen = max(n, 0)
	tooMany := db.maxOpen > 0 && db.idleLimit() > db.maxOpen
	db.mu.Unlock()
	if tooMany {
		db.SetMaxIdleConns(n)
	}
}

func (db *DB) SetConnMaxLifetime(d time.Duration) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.hurry(d)
	db.maxLifetime = max(d, 0)
	db.startCleaner()
}

func (db *DB) SetConnMaxIdleTime(d time.Duration) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.hurry(d)
	db.maxIdleTime = max(d, 0)
	db.startCleaner()
}

// period is the shorter of the two limits of time that there are.
func (db *DB) period() time.Duration {
	if db.maxIdleTime <= 0 {
		return db.maxLifetime
	}
	if db.maxLifetime <= 0 {
		return db.maxIdleTime
	}
	return min(db.maxIdleTime, db.maxLifetime)
}

// hurry wakes the cleaner for a limit of time that is shorter than the old ones.
func (db *DB) hurry(d time.Duration) {
	if d > 0 && d < db.period() && db.cleaning != nil {
		select {
		case db.cleaning <- struct{}{}:
		default:
		}
	}
}

func (db *DB) startCleaner() {
	if db.period() > 0 && db.open > 0 && db.cleaning == nil {
		db.cleaning = make(chan struct{}, 1)
		go db.cleaner(db.cleaning, db.period())
	}
}

// cleaner closes free connections that are too old, until there are none at all.
func (db *DB) cleaner(wake chan struct{}, d time.Duration) {
	t := time.NewTimer(max(d, time.Second))
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-wake:
		}
		db.mu.Lock()
		d = db.period()
		if db.closed || db.open == 0 || d <= 0 {
			db.cleaning = nil
			db.mu.Unlock()
			return
		}
		old, next := db.takeOld(d)
		db.mu.Unlock()
		for _, c := range old {
			c.close()
		}
		t.Reset(max(next, time.Second))
	}
}

// takeOld takes the connections that are too old from the free ones, and tells when to look next.
func (db *DB) takeOld(d time.Duration) (old []*conn, next time.Duration) {
	now := time.Now()
	next = d
	keep := db.free[:0]
	for _, c := range db.free {
		idle, age := now.Sub(c.returned), now.Sub(c.made)
		switch {
		case db.maxIdleTime > 0 && idle > db.maxIdleTime:
			db.stats.MaxIdleTimeClosed++
			old = append(old, c)
			continue
		case db.maxLifetime > 0 && age > db.maxLifetime:
			db.stats.MaxLifetimeClosed++
			old = append(old, c)
			continue
		}
		if db.maxIdleTime > 0 {
			next = min(next, db.maxIdleTime-idle)
		}
		if db.maxLifetime > 0 {
			next = min(next, db.maxLifetime-age)
		}
		keep = append(keep, c)
	}
	clear(db.free[len(keep):])
	db.free = keep
	return old, next
}

func (db *DB) Stats() DBStats {
	waited := db.waited.Load()
	db.mu.Lock()
	defer db.mu.Unlock()
	s := db.stats
	s.MaxOpenConnections = db.maxOpen
	s.OpenConnections = db.open
	s.Idle = len(db.free)
	s.InUse = db.open - len(db.free)
	s.WaitDuration = time.Duration(waited)
	return s
}

// makeMore has the opener make connections for those who wait, as far as the limit allows.
func (db *DB) makeMore() {
	n := len(db.waiting)
	if db.maxOpen > 0 {
		n = min(n, db.maxOpen-db.open)
	}
	if n <= 0 || db.closed {
		return
	}
	db.open += n
	db.toMake += n
	select {
	case db.wake <- struct{}{}:
	default:
	}
}

func (db *DB) opener() {
	for {
		select {
		case <-db.ctx.Done():
			return
		case <-db.wake:
		}
		db.mu.Lock()
		for db.toMake > 0 {
			db.toMake--
			db.mu.Unlock()
			db.makeOne()
			db.mu.Lock()
		}
		db.mu.Unlock()
	}
}

// makeOne makes a connection and hands it to one who waits, or the error.
func (db *DB) makeOne() {
	c, err := db.connector.Connect(db.ctx)
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		if err == nil {
			c.Close()
		}
		db.open--
		return
	}
	if err != nil {
		db.open--
		db.offer(nil, err)
		db.makeMore()
		return
	}
	now := time.Now()
	if !db.offer(&conn{db: db, made: now, returned: now, driver: c}, nil) {
		db.open--
		c.Close()
	}
}

// conn takes a connection from the pool: a free one, unless fresh, or a new one, if the limit
// allows that; else it waits for one.
func (db *DB) conn(ctx context.Context, fresh bool) (*conn, error) {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		db.mu.Unlock()
		return nil, err
	}
	lifetime := db.maxLifetime
	if n := len(db.free) - 1; n >= 0 && !fresh {
		c := db.free[n]
		db.free = db.free[:n]
		c.inUse = true
		if c.expired(lifetime) {
			db.stats.MaxLifetimeClosed++
			db.mu.Unlock()
			c.close()
			return nil, driver.ErrBadConn
		}
		db.mu.Unlock()
		if err := c.resetSession(ctx); bad(err) {
			c.close()
			return nil, err
		}
		return c, nil
	}
	if db.maxOpen > 0 && db.open >= db.maxOpen {
		return db.wait(ctx, fresh, lifetime)
	}
	db.open++
	db.mu.Unlock()
	made, err := db.connector.Connect(ctx)
	db.mu.Lock()
	defer db.mu.Unlock()
	if err != nil {
		db.open--
		db.makeMore()
		return nil, err
	}
	now := time.Now()
	return &conn{db: db, made: now, returned: now, driver: made, inUse: true}, nil
}

// wait waits for a connection; db.mu is held, and released.
func (db *DB) wait(ctx context.Context, fresh bool, lifetime time.Duration) (*conn, error) {
	grant := make(chan granted, 1)
	db.waiting = append(db.waiting, grant)
	db.stats.WaitCount++
	db.mu.Unlock()
	began := time.Now()
	var got granted
	var ok bool
	select {
	case <-ctx.Done():
		db.mu.Lock()
		db.waiting = slices.DeleteFunc(db.waiting, func(w chan granted) bool { return w == grant })
		db.mu.Unlock()
		db.waited.Add(int64(time.Since(began)))
		// It may have come meanwhile.
		select {
		case got, ok = <-grant:
			if ok && got.conn != nil {
				db.put(got.conn, got.err, false)
			}
		default:
		}
		return nil, ctx.Err()
	case got, ok = <-grant:
	}
	db.waited.Add(int64(time.Since(began)))
	if !ok {
		return nil, errClosed
	}
	if !fresh && got.err == nil && got.conn.expired(lifetime) {
		db.mu.Lock()
		db.stats.MaxLifetimeClosed++
		db.mu.Unlock()
		got.conn.close()
		return nil, driver.ErrBadConn
	}
	if got.conn == nil {
		return nil, got.err
	}
	if err := got.conn.resetSession(ctx); bad(err) {
		got.conn.close()
		return nil, err
	}
	return got.conn, got.err
}

// put returns c to the pool, or closes it if err says that it is bad.
func (db *DB) put(c *conn, err error, reset bool) {
	if !bad(err) && !c.valid(reset) {
		err = driver.ErrBadConn
	}
	db.mu.Lock()
	if !c.inUse {
		db.mu.Unlock()
		panic("sql: connection returned that was never out")
	}
	if !bad(err) && c.expired(db.maxLifetime) {
		db.stats.MaxLifetimeClosed++
		err = driver.ErrBadConn
	}
	c.inUse = false
	c.returned = time.Now()
	for _, s := range c.onReturn {
		s.close()
	}
	c.onReturn = nil
	kept := false
	if bad(err) {
		db.makeMore()
	} else {
		kept = db.offer(c, nil)
	}
	db.mu.Unlock()
	if !kept {
		c.close()
	}
}

// offer gives c, or the error, to one who waits, or c to the free ones. It says whether c is kept.
func (db *DB) offer(c *conn, err error) bool {
	if db.closed || db.maxOpen > 0 && db.open > db.maxOpen {
		return false
	}
	if n := len(db.waiting); n > 0 {
		i := rand.IntN(n)
		w := db.waiting[i]
		db.waiting[i] = db.waiting[n-1]
		db.waiting = db.waiting[:n-1]
		if err == nil {
			c.inUse = true
		}
		w <- granted{c, err}
		return true
	}
	if err != nil {
		return false
	}
	if len(db.free) >= db.idleLimit() {
		db.stats.MaxIdleClosed++
		return false
	}
	db.free = append(db.free, c)
	db.startCleaner()
	return true
}

// closeUnused closes a statement that nobody uses any more, once its connection is free.
func (db *DB) closeUnused(c *conn, s *prepared) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if c.inUse {
		c.onReturn = append(c.onReturn, s)
		return
	}
	c.Lock()
	done := c.done
	c.Unlock()
	if !done {
		s.close()
	}
}

// retry calls f as long as connections turn out to be bad, at last for a fresh one.
func retry[T any](f func(fresh bool) (T, error)) (T, error) {
	for range 2 {
		v, err := f(false)
		if err == nil || !bad(err) {
			return v, err
		}
	}
	return f(true)
}

func (db *DB) get(ctx context.Context) (*conn, error) {
	return retry(func(fresh bool) (*conn, error) { return db.conn(ctx, fresh) })
}

func ping(ctx context.Context, c *conn, release func(error)) error {
	var err error
	if p, ok := c.driver.(driver.Pinger); ok {
		c.locked(func() { err = p.Ping(ctx) })
	}
	release(err)
	return err
}

func (db *DB) PingContext(ctx context.Context) error {
	c, err := db.get(ctx)
	if err != nil {
		return err
	}
	return ping(ctx, c, c.release)
}

func (db *DB) Ping() error { return db.PingContext(context.Background()) }

func (db *DB) PrepareContext(ctx context.Context, query string) (*Stmt, error) {
	return retry(func(fresh bool) (*Stmt, error) {
		c, err := db.conn(ctx, fresh)
		if err != nil {
			return nil, err
		}
		return db.prepare(ctx, c, c.release, nil, query)
	})
}

func (db *DB) Prepare(query string) (*Stmt, error) {
	return db.PrepareContext(context.Background(), query)
}

func (db *DB) ExecContext(ctx context.Context, query string, args ...any) (Result, error) {
	return retry(func(fresh bool) (Result, error) {
		c, err := db.conn(ctx, fresh)
		if err != nil {
			return nil, err
		}
		return exec(ctx, c, c.release, query, args)
	})
}

func (db *DB) Exec(query string, args ...any) (Result, error) {
	return db.ExecContext(context.Background(), query, args...)
}

func (db *DB) QueryContext(ctx context.Context, query string, args ...any) (*Rows, error) {
	return retry(func(fresh bool) (*Rows, error) {
		c, err := db.conn(ctx, fresh)
		if err != nil {
			return nil, err
		}
		return queryOn(ctx, nil, c, c.release, query, args)
	})
}

func (db *DB) Query(query string, args ...any) (*Rows, error) {
	return db.QueryContext(context.Background(), query, args...)
}

func (db *DB) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	rows, err := db.QueryContext(ctx, query, args...)
	return &Row{err, rows}
}

func (db *DB) QueryRow(query string, args ...any) *Row {
	return db.QueryRowContext(context.Background(), query, args...)
}

func (db *DB) BeginTx(ctx context.Context, opts *TxOptions) (*Tx, error) {
	return retry(func(fresh bool) (*Tx, error) {
		c, err := db.conn(ctx, fresh)
		if err != nil {
			return nil, err
		}
		return db.begin(ctx, c, c.release, opts)
	})
}

func (db *DB) Begin() (*Tx, error) { return db.BeginTx(context.Background(), nil) }

func (db *DB) Conn(ctx context.Context) (*Conn, error) {
	c, err := db.get(ctx)
	if err != nil {
		return nil, err
	}
	return &Conn{db: db, c: c}, nil
}

// result is a driver's result; the driver is asked with its connection locked.
type result struct {
	c *conn
	r driver.Result
}

func (r result) LastInsertId() (int64, error) {
	r.c.Lock()
	defer r.c.Unlock()
	return r.r.LastInsertId()
}

func (r result) RowsAffected() (int64, error) {
	r.c.Lock()
	defer r.c.Unlock()
	return r.r.RowsAffected()
}

// exec executes a statement on c, at once if the driver can, else by preparing it.
func exec(
	ctx context.Context, c *conn, release func(error), query string, args []any,
) (res Result, err error) {
	defer func() { release(err) }()
	withContext, ok := c.driver.(driver.ExecerContext)
	plain, ok2 := c.driver.(driver.Execer)
	if ok || ok2 {
		var r driver.Result
		c.locked(func() {
			var named []driver.NamedValue
			if named, err = arguments(c.driver, nil, args); err != nil {
				return
			}
			if ok {
				r, err = withContext.ExecContext(ctx, query, named)
				return
			}
			var values []driver.Value
			if values, err = positional(ctx, named); err == nil {
				r, err = plain.Exec(query, values)
			}
		})
		if err == nil {
			return result{c, r}, nil
		}
		if err != driver.ErrSkip {
			return nil, err
		}
	}
	var s *prepared
	c.locked(func() { s, err = prepareOn(ctx, c, query) })
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.exec(ctx, args)
}

// queryOn asks a query on c; the rows release it.
func queryOn(
	ctx, txctx context.Context, c *conn, release func(error), query string, args []any,
) (*Rows, error) {
	var err error
	withContext, ok := c.driver.(driver.QueryerContext)
	plain, ok2 := c.driver.(driver.Queryer)
	if ok || ok2 {
		var r driver.Rows
		c.locked(func() {
			var named []driver.NamedValue
			if named, err = arguments(c.driver, nil, args); err != nil {
				return
			}
			if ok {
				r, err = withContext.QueryContext(ctx, query, named)
				return
			}
			var values []driver.Value
			if values, err = positional(ctx, named); err == nil {
				r, err = plain.Query(query, values)
			}
		})
		if err == nil {
			rows := &Rows{c: c, release: release, rows: r}
			rows.until(ctx, txctx)
			return rows, nil
		}
		if err != driver.ErrSkip {
			release(err)
			return nil, err
		}
	}
	var s *prepared
	c.locked(func() { s, err = prepareOn(ctx, c, query) })
	if err != nil {
		release(err)
		return nil, err
	}
	r, err := s.query(ctx, args)
	if err != nil {
		s.close()
		release(err)
		return nil, err
	}
	rows := &Rows{c: c, release: release, rows: r, stmt: s}
	rows.until(ctx, txctx)
	return rows, nil
}
