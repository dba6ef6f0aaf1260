// A context is cancelled between two looks.
package main

import (
	"context"
	"sync"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(cancel)
	if ctx.Err() == nil && ctx.Err() != nil {
		panic("cancelled meanwhile")
	}
	wg.Wait()
}
