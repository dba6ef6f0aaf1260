package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// A bank with its accounts, its ledger, and about twenty people who come at once.

type account struct {
	number  int
	owner   string
	mu      sync.RWMutex
	balance int
	frozen  bool
}

type entry struct {
	account int
	amount  int
	why     string
}

// A ledger has the entries of all accounts, in the order in which they were made.
type ledger struct {
	mu      sync.Mutex
	entries []entry
}

func (l *ledger) write(entries ...entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entries...)
}

type bank struct {
	ledger   ledger
	mu       sync.RWMutex
	accounts map[int]*account
	refused  atomic.Int32
}

var (
	errUnknown = errors.New("no such account")
	errFrozen  = errors.New("the account is frozen")
	errPoor    = errors.New("not enough money")
)

func (b *bank) open(owner string, amount int) *account {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := &account{number: len(b.accounts) + 1, owner: owner, balance: amount}
	b.accounts[a.number] = a
	b.ledger.write(entry{a.number, amount, "opened"})
	return a
}

func (b *bank) find(number int) (*account, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	a, ok := b.accounts[number]
	if !ok {
		return nil, fmt.Errorf("%d: %w", number, errUnknown)
	}
	return a, nil
}

// All gives the accounts, the one with the lowest number first.
func (b *bank) all() []*account {
	b.mu.RLock()
	defer b.mu.RUnlock()
	all := make([]*account, 0, len(b.accounts))
	for _, a := range b.accounts {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *account) int { return a.number - b.number })
	return all
}

// Transfer locks the account with the lower number first, whichever gives.
func (b *bank) transfer(from, to, amount int) error {
	giver, err := b.find(from)
	if err != nil {
		return err
	}
	taker, err := b.find(to)
	if err != nil {
		return err
	}
	first, second := giver, taker
	if second.number < first.number {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	switch {
	case giver.frozen || taker.frozen:
		return errFrozen
	case giver.balance < amount:
		return errPoor
	}
	giver.balance -= amount
	taker.balance += amount
	b.ledger.write(entry{from, -amount, "sent"}, entry{to, amount, "received"})
	return nil
}

func (b *bank) deposit(number, amount int) error {
	a, err := b.find(number)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.frozen {
		return errFrozen
	}
	a.balance += amount
	b.ledger.write(entry{number, amount, "deposited"})
	return nil
}

// Interest is added to one account after the other.
func (b *bank) interest(percent int) {
	for _, a := range b.all() {
		a.mu.RLock()
		amount := a.balance * percent / 100
		a.mu.RUnlock()
		if amount > 0 {
			b.try(b.deposit(a.number, amount))
		}
	}
}

func (b *bank) freeze(number int, frozen bool) error {
	a, err := b.find(number)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.frozen = frozen
	return nil
}

// A statement is what an account's owner gets in the post.
type statement struct {
	owner   string
	balance int
	entries int
	sum     int
}

func (b *bank) statement(number int) (s statement, err error) {
	a, err := b.find(number)
	if err != nil {
		return s, err
	}
	b.ledger.mu.Lock()
	defer b.ledger.mu.Unlock()
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, e := range b.ledger.entries {
		if e.account == number {
			s.entries++
			s.sum += e.amount
		}
	}
	s.owner, s.balance = a.owner, a.balance
	return s, nil
}

// Audit compares what is in the accounts with what is in the ledger.
func (b *bank) audit() error {
	all := b.all()
	money := 0
	for _, a := range all {
		a.mu.RLock()
		defer a.mu.RUnlock()
		money += a.balance
	}
	b.ledger.mu.Lock()
	defer b.ledger.mu.Unlock()
	for _, e := range b.ledger.entries {
		money -= e.amount
	}
	if money != 0 {
		return fmt.Errorf("%d is missing", -money)
	}
	return nil
}

// Try counts what the bank refuses; what is wrong with the bank itself ends it.
func (b *bank) try(err error) {
	switch {
	case errors.Is(err, errFrozen), errors.Is(err, errPoor):
		b.refused.Add(1)
	case err != nil:
		panic(err)
	}
}

func main() {
	b := &bank{accounts: map[int]*account{}}
	for _, owner := range []string{"ada", "bea", "cleo", "dora", "eva", "fay"} {
		b.open(owner, 100)
	}
	opened := len(b.all())

	var people sync.WaitGroup
	for i := range 8 {
		people.Go(func() {
			from := i%opened + 1
			to := (i+2)%opened + 1
			b.try(b.transfer(from, to, 10+i))
		})
	}
	for i := range 4 {
		people.Go(func() { b.try(b.deposit(i+1, 5)) })
	}
	for i := range 3 {
		people.Go(func() {
			b.try(b.freeze(i+1, true))
			b.try(b.freeze(i+1, false))
		})
	}
	people.Go(func() { b.interest(2) })
	people.Go(func() { b.try(b.audit()) })
	statements := make(chan statement, opened)
	for number := 1; number <= opened; number += 2 {
		people.Go(func() {
			s, err := b.statement(number)
			b.try(err)
			statements <- s
		})
	}
	people.Wait()
	close(statements)

	n := 0
	for s := range statements {
		if s.sum != s.balance {
			panic(fmt.Sprintf("%s has %d, not %d", s.owner, s.balance, s.sum))
		}
		n++
	}
	if err := b.audit(); err != nil {
		panic(err)
	}
	fmt.Println(n, "statements, all is well")
}
