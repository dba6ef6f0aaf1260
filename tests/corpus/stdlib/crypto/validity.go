// run

// The dates of certificates, as they are written and as they must not be.

package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"fmt"
	"math/big"
	"time"
)

func main() {
	key := ed25519.NewKeyFromSeed(make([]byte, 32))
	t := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC),
		NotAfter:     time.Date(2060, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	der, err := x509.CreateCertificate(nil, t, t, key.Public(), key)
	if err != nil {
		panic(err)
	}
	show := func(old, date string) {
		c, err := x509.ParseCertificate(bytes.Replace(der, []byte(old), []byte(date), 1))
		if err != nil {
			fmt.Println(date, err)
			return
		}
		fmt.Println(date, c.NotBefore, c.NotAfter, c.NotAfter.Location())
	}
	for _, date := range []string{
		"200102030405Z", "500102030405Z", "490102030405Z", "691231235959Z", "000229000000Z",
		"010229000000Z", "200431000000Z", "200430000000Z", "201302000000Z", "200002000000Z",
		"200100000000Z", "200132000000Z", "200101240000Z", "200101006000Z", "200101000060Z",
		"2001010000:0Z", "20010100000 Z", "2001010000+1Z", "200102030405+", "2001020304+01",
	} {
		show("200102030405Z", date)
	}
	for _, date := range []string{
		"20600102030405Z", "19500102030405Z", "00000102030405Z", "20000229030405Z",
		"21000229030405Z", "20010229030405Z", "20600431000000Z", "20600102240000Z",
		"99991231235959Z", "2060010203040xZ", "20600102030460Z", "+0600102030405Z",
	} {
		show("20600102030405Z", date)
	}
}
