// run

// A small cluster over net/rpc: nodes with replicated counters, heartbeats, and map-reduce jobs.
package main

import (
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/rpc"
	"slices"
	"strings"
	"sync"
	"time"
)

type Job interface {
	Run(shard []string) map[string]int
}

type WordCount struct{ MinLength int }

func (w WordCount) Run(shard []string) map[string]int {
	out := map[string]int{}
	for _, line := range shard {
		for _, word := range strings.Fields(strings.ToLower(line)) {
			if word = strings.Trim(word, ".,;!?"); len(word) >= w.MinLength {
				out[word]++
			}
		}
	}
	return out
}

type LetterCount struct{ Letters string }

func (l *LetterCount) Run(shard []string) map[string]int {
	out := map[string]int{}
	for _, line := range shard {
		for _, r := range line {
			if strings.ContainsRune(l.Letters, r) {
				out[string(r)]++
			}
		}
	}
	return out
}

type Task struct {
	Job   Job
	Shard []string
	Sent  time.Time
}

type Result struct {
	Node   string
	Counts map[string]int
	Took   time.Duration
}

type Node struct {
	mu     sync.Mutex
	name   string
	peers  map[string]*rpc.Client
	values map[string]Versioned
	broken bool
	tasks  int
}

type Versioned struct {
	Value   string
	Version int
	Origin  string
}

type SetArgs struct {
	Key   string
	Entry Versioned
	Hops  int
}

var errBroken = errors.New("node is broken")

func (n *Node) Execute(t *Task, r *Result) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.broken {
		return errBroken
	}
	if t.Job == nil {
		return errors.New("no job")
	}
	n.tasks++
	r.Node = n.name
	r.Counts = t.Job.Run(t.Shard)
	return nil
}

func (n *Node) Set(a SetArgs, changed *bool) error {
	n.mu.Lock()
	old := n.values[a.Key]
	if a.Entry.Version < old.Version || a.Entry.Version == old.Version &&
		a.Entry.Origin >= old.Origin && old.Origin != "" {
		n.mu.Unlock()
		return nil
	}
	n.values[a.Key] = a.Entry
	*changed = true
	peers := slices.Collect(maps.Values(n.peers))
	n.mu.Unlock()
	if a.Hops == 0 {
		return nil
	}
	var wg sync.WaitGroup
	for _, p := range peers {
		wg.Go(func() {
			var ok bool
			p.Call("Node.Set", SetArgs{a.Key, a.Entry, a.Hops - 1}, &ok)
		})
	}
	wg.Wait()
	return nil
}

func (n *Node) Get(key string, v *Versioned) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	var ok bool
	if *v, ok = n.values[key]; !ok {
		return fmt.Errorf("%s: no value of %q", n.name, key)
	}
	return nil
}

func (n *Node) Ping(_ struct{}, name *string) error { *name = n.name; return nil }

type Cluster struct {
	nodes   []*Node
	clients []*rpc.Client
	addrs   []string
}

func NewCluster(names ...string) (*Cluster, error) {
	c := &Cluster{}
	for _, name := range names {
		n := &Node{name: name, peers: map[string]*rpc.Client{}, values: map[string]Versioned{}}
		s := rpc.NewServer()
		if err := s.RegisterName("Node", n); err != nil {
			return nil, err
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go s.ServeConn(conn)
			}
		}()
		c.nodes = append(c.nodes, n)
		c.addrs = append(c.addrs, l.Addr().String())
	}
	for i, n := range c.nodes {
		for j, addr := range c.addrs {
			p, err := rpc.Dial("tcp", addr)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				c.clients = append(c.clients, p)
			}
			if i != j {
				n.peers[c.nodes[j].name] = p
			}
		}
	}
	return c, nil
}

func (c *Cluster) MapReduce(job Job, lines []string, shards int) (map[string]int, []string, error) {
	total := map[string]int{}
	used := map[string]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var errs []error
	size := (len(lines) + shards - 1) / shards
	i := 0
	for shard := range slices.Chunk(lines, size) {
		first := i
		i++
		wg.Go(func() {
			for try := range len(c.clients) {
				cl := c.clients[(first+try)%len(c.clients)]
				var r Result
				err := cl.Call("Node.Execute", &Task{job, shard, time.Unix(1, 2).UTC()}, &r)
				if err == nil {
					mu.Lock()
					for k, v := range r.Counts {
						total[k] += v
					}
					used[r.Node] = true
					mu.Unlock()
					return
				}
				if err.Error() != errBroken.Error() || try == len(c.clients)-1 {
					mu.Lock()
					errs = append(errs, fmt.Errorf("shard %d: %w", first, err))
					mu.Unlock()
					return
				}
			}
		})
	}
	wg.Wait()
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return total, slices.Sorted(maps.Keys(used)), errors.Join(errs...)
}

const text = `The quick brown fox jumps over the lazy dog.
The dog sleeps; the fox runs away!
Over hills and over rivers runs the quick fox.
A lazy afternoon, a quick evening, a long night.
Dogs and foxes, rivers and hills.
The end of the story.`

func main() {
	gob.Register(WordCount{})
	gob.Register(&LetterCount{})
	c, err := NewCluster("alpha", "beta", "gamma")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cl := range c.clients {
		var name string
		fmt.Println(cl.Call("Node.Ping", struct{}{}, &name), name)
	}
	lines := strings.Split(text, "\n")
	for round := range 3 {
		counts, used, err := c.MapReduce(WordCount{3}, lines, 3)
		top := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
			return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
		})
		fmt.Print(used, err, " ")
		for _, w := range top[:min(5, len(top))] {
			fmt.Print(w, "=", counts[w], " ")
		}
		fmt.Println()
		c.nodes[round].mu.Lock()
		c.nodes[round].broken = true
		c.nodes[round].mu.Unlock()
	}
	_, _, err = c.MapReduce(WordCount{}, lines, 2)
	fmt.Println(err)
	for _, n := range c.nodes {
		n.mu.Lock()
		n.broken = false
		n.mu.Unlock()
	}
	counts, _, err := c.MapReduce(&LetterCount{"aeiou"}, lines, 4)
	fmt.Println(counts, err)
	type unknown struct{ WordCount }
	_, _, err = c.MapReduce(unknown{}, lines, 1)
	fmt.Println(err)

	var changed bool
	fmt.Println(c.clients[0].Call("Node.Set", SetArgs{"k", Versioned{"one", 1, "alpha"}, 2},
		&changed), changed)
	fmt.Println(c.clients[1].Call("Node.Set", SetArgs{"k", Versioned{"two", 2, "beta"}, 2},
		&changed), changed)
	changed = false
	fmt.Println(c.clients[2].Call("Node.Set", SetArgs{"k", Versioned{"late", 1, "gamma"}, 2},
		&changed), changed)
	for _, cl := range c.clients {
		var v Versioned
		fmt.Println(cl.Call("Node.Get", "k", &v), v)
		fmt.Println(cl.Call("Node.Get", "none", &v))
	}
	c.clients[0].Close()
	fmt.Println(c.clients[0].Call("Node.Ping", struct{}{}, new(string)), errors.Is(rpc.ErrShutdown,
		rpc.ErrShutdown))
}
