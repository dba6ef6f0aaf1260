// run

// ML-KEM: keys of seeds are the same each time, both sides have the same shared key, and a changed
// ciphertext gives another.
package main

import (
	"bytes"
	"crypto"
	"crypto/mlkem"
	"crypto/sha256"
	"fmt"
)

func try(name string, key crypto.Decapsulator, err error) {
	if err != nil {
		fmt.Println(name, err)
		return
	}
	public := key.Encapsulator()
	fmt.Printf("%s %d %x\n", name, len(public.Bytes()), sha256.Sum256(public.Bytes()))
	shared, c := public.Encapsulate()
	got, err := key.Decapsulate(c)
	fmt.Println(len(c), len(shared), bytes.Equal(shared, got), err)
	other, _ := public.Encapsulate()
	fmt.Println(bytes.Equal(shared, other))
	c[7]++
	got, err = key.Decapsulate(c)
	fmt.Println(bytes.Equal(shared, got), err)
	got, err = key.Decapsulate(bytes.Repeat([]byte{3}, len(c)))
	fmt.Printf("%x %v\n", got, err)
	_, err = key.Decapsulate(c[1:])
	fmt.Println(err)
}

func main() {
	for i := range 10 {
		seed := bytes.Repeat([]byte{byte(7 * i)}, 64)
		seed[i] = 1
		k, err := mlkem.NewDecapsulationKey768(seed)
		try("768", k, err)
		l, err := mlkem.NewDecapsulationKey1024(seed)
		try("1024", l, err)
		fmt.Println(bytes.Equal(k.Bytes(), seed), bytes.Equal(l.Bytes(), seed))
	}
	k, err := mlkem.GenerateKey768()
	fmt.Println(len(k.Bytes()), err)
	l, err := mlkem.GenerateKey1024()
	fmt.Println(len(l.Bytes()), err)
	_, err = mlkem.NewDecapsulationKey768(nil)
	fmt.Println(err)
	_, err = mlkem.NewDecapsulationKey1024(make([]byte, 63))
	fmt.Println(err)
	public := k.EncapsulationKey().Bytes()
	for _, b := range [][]byte{nil, public, public[1:], bytes.Repeat([]byte{255}, len(public)), make([]byte, len(public))} {
		p, err := mlkem.NewEncapsulationKey768(b)
		fmt.Println(err)
		if err == nil {
			s, c := p.Encapsulate()
			fmt.Println(len(s), len(c))
		}
		_, err = mlkem.NewEncapsulationKey1024(b)
		fmt.Println(err)
	}
	fmt.Println(mlkem.SharedKeySize, mlkem.SeedSize, mlkem.CiphertextSize768, mlkem.CiphertextSize1024,
		mlkem.EncapsulationKeySize768, mlkem.EncapsulationKeySize1024)
}
