// run

// crypto/mldsa: keys of a seed, signatures, and what is refused.

package main

import (
	"crypto"
	"crypto/mldsa"
	"crypto/sha256"
	"crypto/sha3"
	"fmt"
	"slices"
	"strings"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sum(p []byte) string { return fmt.Sprintf("%d %x", len(p), sha256.Sum256(p))[:24] }

func caught(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	all := []mldsa.Parameters{mldsa.MLDSA44(), mldsa.MLDSA65(), mldsa.MLDSA87()}
	for i, p := range all {
		fmt.Println(p, p.PublicKeySize(), p.SignatureSize(), p == all[i], p == all[0])
		seed := slices.Repeat([]byte{byte(i + 1)}, mldsa.PrivateKeySize)
		key := must(mldsa.NewPrivateKey(p, seed))
		public := key.PublicKey()
		fmt.Println(sum(key.Bytes()), sum(public.Bytes()), public.Parameters())
		for j, message := range []string{"", "one", strings.Repeat("long ", 99)} {
			var opts crypto.SignerOpts
			check := &mldsa.Options{}
			if j > 0 {
				check.Context = strings.Repeat("c", 127*j)
				opts = check
			}
			sig := must(key.SignDeterministic([]byte(message), opts))
			fmt.Println(sum(sig), mldsa.Verify(public, []byte(message), sig, check))
			if j > 0 {
				fmt.Println(mldsa.Verify(public, []byte(message), sig, nil))
			}
			fmt.Println(mldsa.Verify(public, []byte(message+"!"), sig, check))
		}
		sig := must(key.Sign(nil, []byte("random"), nil))
		fmt.Println(len(sig), mldsa.Verify(public, []byte("random"), sig, nil))

		// A message that was hashed before.
		tr := sha3.SumSHAKE256(public.Bytes(), 64)
		mu := sha3.SumSHAKE256(append(tr, "\x00\x00hashed"...), 64)
		sig = must(key.Sign(nil, mu, crypto.MLDSAMu))
		fmt.Println(len(sig), mldsa.Verify(public, []byte("hashed"), sig, nil))
		same := must(key.SignDeterministic(mu, crypto.MLDSAMu))
		fmt.Println(slices.Equal(same, must(key.SignDeterministic([]byte("hashed"), nil))))
		sig = same
		_, err := key.Sign(nil, mu[1:], crypto.MLDSAMu)
		fmt.Println(err)
		_, err = key.Sign(nil, mu, crypto.SHA256)
		fmt.Println(err)
		_, err = key.Sign(nil, mu, &mldsa.Options{Context: strings.Repeat("c", 256)})
		fmt.Println(err)
		fmt.Println(mldsa.Verify(public, nil, sig, &mldsa.Options{Context: strings.Repeat("c", 256)}))

		// Signatures that are spoilt.
		for _, at := range []int{0, 40, 1000, len(sig) - 90, len(sig) - 80, len(sig) - 8, len(sig) - 1} {
			for _, with := range []byte{1, 0x80, 0xff} {
				bad := slices.Clone(sig)
				bad[at] ^= with
				fmt.Print(" ", mldsa.Verify(public, []byte("hashed"), bad, nil))
			}
			fmt.Println()
		}
		fmt.Println(mldsa.Verify(public, nil, sig[1:], nil), mldsa.Verify(public, nil, nil, nil))
		for _, fill := range []byte{0, 0xff} {
			bad := slices.Repeat([]byte{fill}, p.SignatureSize())
			fmt.Println(mldsa.Verify(public, nil, bad, nil))
		}

		parsed := must(mldsa.NewPublicKey(p, public.Bytes()))
		fmt.Println(parsed.Equal(public), key.Public().(*mldsa.PublicKey).Equal(parsed),
			parsed.Equal(*public), parsed.Equal((*mldsa.PublicKey)(nil)), key.Equal(nil),
			key.Equal(must(mldsa.NewPrivateKey(p, seed))),
			key.Equal(must(mldsa.NewPrivateKey(all[(i+1)%3], seed))),
			key.Equal(must(mldsa.GenerateKey(p))))
		_, err = mldsa.NewPublicKey(all[(i+1)%3], public.Bytes())
		fmt.Println(err)
		_, err = mldsa.NewPrivateKey(p, seed[1:])
		fmt.Println(err)
		ones := must(mldsa.NewPublicKey(p, slices.Repeat([]byte{0xff}, p.PublicKeySize())))
		fmt.Println(mldsa.Verify(ones, []byte("hashed"), sig, nil), sum(ones.Bytes()))
	}
	_, err := mldsa.GenerateKey(mldsa.Parameters{})
	fmt.Println(err)
	_, err = mldsa.NewPublicKey(mldsa.Parameters{}, nil)
	fmt.Println(err)
	_, err = mldsa.NewPrivateKey(mldsa.Parameters{}, nil)
	fmt.Println(err)
	fmt.Println(mldsa.Verify(nil, nil, nil, nil), mldsa.Verify(&mldsa.PublicKey{}, nil, nil, nil))
	var zero mldsa.PrivateKey
	_, err = zero.Sign(nil, nil, nil)
	fmt.Println(err, zero.Bytes(), zero.PublicKey().Bytes(), (&mldsa.Options{}).HashFunc())
	_, err = zero.SignDeterministic(nil, nil)
	fmt.Println(err)
	caught(func() { zero.PublicKey().Parameters() })
	var signer crypto.Signer = &zero
	fmt.Printf("%T %T\n", signer, signer.Public())
}
