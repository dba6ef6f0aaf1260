// run exit=1

// Errors that wrap errors, and a log that ends the program.
package main

import (
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"
)

type Account struct {
	mu      sync.Mutex
	ID      string
	Balance int64
	History []Entry
}

type Entry struct {
	Kind   Kind
	Amount int64
}

type Kind int

const (
	Deposit Kind = iota
	Withdraw
	Transfer
)

func (k Kind) String() string { return [...]string{"deposit", "withdraw", "transfer"}[k] }

type InsufficientFunds struct {
	Need, Have int64
}

func (e *InsufficientFunds) Error() string {
	return fmt.Sprintf("insufficient funds: need %d, have %d", e.Need, e.Have)
}

var ErrUnknown = errors.New("unknown account")

type Bank struct {
	accounts map[string]*Account
	log      *log.Logger
}

func (b *Bank) get(id string) (*Account, error) {
	a, ok := b.accounts[id]
	if !ok {
		return nil, fmt.Errorf("account %q: %w", id, ErrUnknown)
	}
	return a, nil
}

func (a *Account) apply(k Kind, n int64) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n < 0 && a.Balance+n < 0 {
		return &InsufficientFunds{-n, a.Balance}
	}
	a.Balance += n
	a.History = append(a.History, Entry{k, n})
	return nil
}

func (b *Bank) Transfer(from, to string, n int64) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("transfer %d from %s to %s: %w", n, from, to, err)
			b.log.Println(err)
		}
	}()
	src, err := b.get(from)
	if err != nil {
		return err
	}
	dst, err := b.get(to)
	if err != nil {
		return err
	}
	if err := src.apply(Transfer, -n); err != nil {
		return err
	}
	return dst.apply(Transfer, n)
}

func main() {
	var sb strings.Builder
	b := &Bank{accounts: map[string]*Account{}, log: log.New(&sb, "bank: ", log.Lmsgprefix)}
	for _, id := range []string{"alice", "bob"} {
		b.accounts[id] = &Account{ID: id}
		b.accounts[id].apply(Deposit, 100)
	}
	fmt.Println(b.Transfer("alice", "bob", 30))
	err := b.Transfer("alice", "bob", 100)
	var inf *InsufficientFunds
	fmt.Println(err, errors.As(err, &inf), inf.Have)
	err = b.Transfer("alice", "carol", 1)
	fmt.Println(err, errors.Is(err, ErrUnknown))
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if i%2 == 0 {
				b.Transfer("alice", "bob", 1)
			} else {
				b.Transfer("bob", "alice", 1)
			}
		}()
	}
	wg.Wait()
	a, _ := b.get("alice")
	bo, _ := b.get("bob")
	fmt.Println(a.Balance+bo.Balance, a.History[0], a.History[1].Kind, len(a.History) > 2)
	fmt.Printf("%v %+v %d %s\n", Transfer, Entry{Withdraw, 5}, Deposit, Withdraw)
	fmt.Print(sb.String())
	log.SetFlags(0)
	log.SetPrefix("fatal: ")
	defer fmt.Println("not printed")
	if len(os.Args) > 5 {
		return
	}
	log.Fatalf("%v", Kind(1))
}
