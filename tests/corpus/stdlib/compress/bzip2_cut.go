// run

package main

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"strings"
)

const cut = "BZh91AY&SY\x87\xce.\xe9\x00\x00\x1f\x99\x80@\x00\x00\b\x02\x02\x7f\xff \x00\x8a\t\t" +
	"F!w\x0f\xa1a\xa8n\x1e\xe0\xec,;\v\x8f~.\xe4\x8ap\xa1!\x0f\x9c]\xd2"

func main() {
	// The input ends in a block, which zeros behind it complete.
	for n := range len(cut) + 1 {
		b, err := io.ReadAll(bzip2.NewReader(strings.NewReader(cut[:n])))
		fmt.Printf("%d: %d %q %v\n", n, len(b), bytes.TrimRight(b, ";"), err)
	}
}
