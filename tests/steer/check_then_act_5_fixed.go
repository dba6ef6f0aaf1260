package main

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"sync"
	"sync/atomic"
)

// A bank, whose tellers, cash machines, standing orders and auditors share the accounts.

var (
	errFunds   = errors.New("not enough money")
	errLimit   = errors.New("over the limit of the day")
	errUnknown = errors.New("no such account")
)

type account struct {
	id    int
	owner string
	limit int

	mu      sync.Mutex
	balance int
	spent   int
}

// allows says whether as much may be taken away today.
func (a *account) allows(amount int) error {
	switch {
	case a.balance < amount:
		return errFunds
	case a.spent+amount > a.limit:
		return errLimit
	}
	return nil
}

func (a *account) change(amount int) {
	a.balance += amount
	if amount < 0 {
		a.spent -= amount
	}
}

type kind int

const (
	deposit kind = iota
	withdrawal
	transfer
)

func (k kind) String() string {
	return [...]string{"deposit", "withdrawal", "transfer"}[k]
}

type order struct {
	kind     kind
	from, to int
	amount   int
}

type entry struct {
	order order
	by    string
	err   error
}

type journal struct {
	mu      sync.Mutex
	entries []entry
}

func (j *journal) note(e entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries = append(j.entries, e)
}

func (j *journal) refused() map[error]int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := map[error]int{}
	for _, e := range j.entries {
		if e.err != nil {
			n[e.err]++
		}
	}
	return n
}

type bank struct {
	accounts map[int]*account
	ids      []int
	journal  journal
	cash     atomic.Int64
	audits   atomic.Int32
}

func newBank(cash int64) *bank {
	b := &bank{accounts: map[int]*account{}}
	b.cash.Store(cash)
	return b
}

func (b *bank) open(id int, owner string, balance, limit int) {
	b.accounts[id] = &account{id: id, owner: owner, balance: balance, limit: limit}
	b.ids = append(b.ids, id)
	sort.Ints(b.ids)
}

func (b *bank) find(id int) (*account, error) {
	if a, ok := b.accounts[id]; ok {
		return a, nil
	}
	return nil, errUnknown
}

func (b *bank) do(by string, o order) error {
	var err error
	switch o.kind {
	case deposit:
		err = b.deposit(o.to, o.amount)
	case withdrawal:
		err = b.withdraw(o.from, o.amount)
	case transfer:
		err = b.transfer(o.from, o.to, o.amount)
	}
	b.journal.note(entry{o, by, err})
	return err
}

func (b *bank) deposit(id, amount int) error {
	a, err := b.find(id)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.change(amount)
	b.cash.Add(int64(amount))
	return nil
}

func (b *bank) withdraw(id, amount int) error {
	a, err := b.find(id)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.allows(amount); err != nil {
		return err
	}
	a.change(-amount)
	b.cash.Add(int64(-amount))
	return nil
}

func (b *bank) transfer(from, to, amount int) error {
	giver, err := b.find(from)
	if err != nil {
		return err
	}
	taker, err := b.find(to)
	if err != nil || from == to {
		return errUnknown
	}
	first, second := giver, taker
	if first.id > second.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
	if err := giver.allows(amount); err != nil {
		return err
	}
	giver.change(-amount)
	taker.change(amount)
	return nil
}

// audit compares what the accounts hold with what is in the vault.
func (b *bank) audit() error {
	sum := 0
	for _, id := range b.ids {
		a := b.accounts[id]
		a.mu.Lock()
		defer a.mu.Unlock()
		sum += a.balance
	}
	b.audits.Add(1)
	if cash := b.cash.Load(); int64(sum) != cash {
		return fmt.Errorf("accounts hold %d, the vault %d", sum, cash)
	}
	return nil
}

// overspent names the owners of accounts from which too much was taken.
func (b *bank) overspent() (owners []string) {
	for _, id := range b.ids {
		a := b.accounts[id]
		a.mu.Lock()
		if a.spent > a.limit || a.balance < 0 {
			owners = append(owners, a.owner)
		}
		a.mu.Unlock()
	}
	return owners
}

func teller(b *bank, name string, orders <-chan order) {
	for o := range orders {
		b.do(name, o)
	}
}

func cashMachine(b *bank, name string, card int) {
	for _, amount := range []int{50, 20} {
		if b.do(name, order{kind: withdrawal, from: card, amount: amount}) == nil {
			return
		}
	}
}

func standingOrder(b *bank, from int, to []int, amount int) {
	for _, id := range to {
		if errors.Is(b.do("standing order", order{transfer, from, id, amount}), errFunds) {
			return
		}
	}
}

func main() {
	b := newBank(1000)
	b.open(1, "ada", 300, 100)
	b.open(2, "bob", 300, 100)
	b.open(3, "cy", 300, 100)
	b.open(4, "dee", 100, 60)

	var day sync.WaitGroup
	orders := make(chan order)
	for i := range 9 {
		day.Go(func() { teller(b, fmt.Sprint("teller ", i), orders) })
	}
	day.Go(func() {
		defer close(orders)
		for i := range 12 {
			k := kind(i % 3)
			orders <- order{kind: k, from: 1 + i%4, to: 1 + (i+1)%4, amount: 10 + 5*(i%5)}
		}
	})
	for i := range 4 {
		day.Go(func() { cashMachine(b, fmt.Sprint("machine ", i), 1+i%2) })
	}
	for id := 1; id <= 3; id++ {
		day.Go(func() { standingOrder(b, id, []int{4, 1 + id%3}, 30) })
	}
	problems := make(chan error, 4)
	for range 2 {
		day.Go(func() { problems <- b.audit() })
	}
	day.Wait()
	problems <- b.audit()
	close(problems)

	failed := false
	for err := range problems {
		if err != nil {
			fmt.Println(err)
			failed = true
		}
	}
	for _, owner := range b.overspent() {
		fmt.Println(owner, "has had too much")
		failed = true
	}
	if failed {
		fmt.Println("refused:", b.journal.refused())
		os.Exit(1)
	}
	fmt.Println(b.audits.Load(), "audits, and all is well")
}
