package main

import (
	"fmt"
	"sync"
	"time"
)

// Parcels are handed to a courier as soon as they are packed.
type parcel struct {
	to     string
	weight int
	stamps []string
	packed time.Time
}

func pack(names []string, out chan<- *parcel) {
	defer close(out)
	for i, name := range names {
		p := &parcel{to: name, packed: time.Now()}
		p.weight = 100 * (i + 1)
		p.stamps = append(p.stamps, fmt.Sprint(p.weight/50))
		out <- p
	}
}

func deliver(in <-chan *parcel) (weight, stamps int) {
	for p := range in {
		weight += p.weight
		stamps += len(p.stamps)
	}
	return weight, stamps
}

func main() {
	parcels := make(chan *parcel, 2)
	var wg sync.WaitGroup
	wg.Go(func() { pack([]string{"ada", "bob", "cy"}, parcels) })
	weight, _ := deliver(parcels)
	wg.Wait()
	fmt.Println(weight, "grams")
}
