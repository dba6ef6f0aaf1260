package main

import (
	"fmt"
	"sync"
)

// Names of hosts, some of which stand for another name.
type names struct {
	mu    sync.RWMutex
	hosts map[string]string
	alias map[string]string
}

func (n *names) resolve(name string) (string, bool) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	for other, ok := n.alias[name]; ok; other, ok = n.alias[name] {
		name = other
	}
	host, ok := n.hosts[name]
	return host, ok
}

func (n *names) register(name, host string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts[name] = host
}

func main() {
	n := &names{
		hosts: map[string]string{"db1": "10.0.0.1", "www1": "10.0.0.2"},
		alias: map[string]string{"db": "db1", "store": "db"},
	}
	var wg sync.WaitGroup
	found := make([]string, 3)
	for i, name := range []string{"store", "www1", "db"} {
		wg.Go(func() { found[i], _ = n.resolve(name) })
	}
	wg.Go(func() { n.register("www2", "10.0.0.3") })
	wg.Wait()
	fmt.Println(found)
}
