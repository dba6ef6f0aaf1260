package main

import (
	"fmt"
	"strings"
	"sync"
)

// Machines of an office; who uses one has put a token into its slot.
type machine chan struct{}

func (m machine) claim()   { m <- struct{}{} }
func (m machine) release() { <-m }

type office struct {
	scanner, printer machine
	paper            strings.Builder
}

func (o *office) photocopy(page string) {
	o.scanner.claim()
	defer o.scanner.release()
	scanned := strings.ToUpper(page)
	o.printer.claim()
	defer o.printer.release()
	o.paper.WriteString(scanned)
}

func (o *office) calibrate() {
	o.printer.claim()
	defer o.printer.release()
	o.paper.WriteString("####")
	o.scanner.claim()
	defer o.scanner.release()
	if o.paper.Len() < 4 {
		panic("nothing to scan")
	}
}

func main() {
	o := &office{scanner: make(machine, 1), printer: make(machine, 1)}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { o.photocopy(fmt.Sprintf("page%d", i)) })
	}
	wg.Go(o.calibrate)
	wg.Wait()
	fmt.Println(o.paper.Len())
}
