// run

// crypto/hpke: keys, contexts, what is exported, and what Go has sealed.

package main

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/hpke"
	"crypto/mlkem"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
)

var sealed = []struct {
	kem, kdf, aead uint16
	text           string
}{
	{0x20, 1, 1, "" +
		"qQXsEnpPOwF/of0+K++0bV7BCxCLv46UW2yN3ndcIVQbgDSLUg73P9upn1c/UpiyIMtcMxllZTOY"},
	{0x10, 3, 3, "" +
		"BJ67tPAJRJId7FGIzHimQIgF/2Gv9KFnN8hTysw88kKRYvM2OOWr52r4VkvIMAOn/e8KJDriWjrE9zfd07Y2" +
		"gc/xZa7GwZHgQqlQMGAHGZwvJRtdj7pR95L2"},
	{0x11, 2, 2, "" +
		"BC5nSjYD+/RmDZcU+LE87tZu59nSLsupH3B/8xmSH3BthDx5QxkPnx1XZYMrlTB3Bs5pCtzleE7aiHUS3Z2V" +
		"KrP5jQ98l72t0ZkGd/M7aYaSbKRP6Noj842ck/hpWv2Hjwsv00pYLVCjivZlHR4yBshRvppHNby6Lxk="},
	{0x12, 16, 3, "" +
		"BAEVNpNuaMaiarGrbjh0mwzs4uTtRQ6xedant2wLlpRQUpvHuO6+kvNdfFfP5wqiyQdd92Un9jWe4JVdG4vY" +
		"5xxZSQFIQVzOoBY9vAiRyav7sX0yu0OkKFvAjZGkVA9K2vaQ/i4OJqt683Ao7VKuaZANVhk+hYTxz/POW4Pa" +
		"Ao3MDVfKPEeGOAEoJ9bbs5+v9C9T0G6uUXiNEMehdX4="},
	{0x41, 17, 1, "" +
		"2qgkeZVx2rPeKsqYvx6X1DU0ixd8yeqFBK/M3E5up6ecAIJh+9qc4lUCyn52uy11/jc7OC7IP/ep1UkvTUhT" +
		"UXV1/j2t6FOqDyg5Vo2DBGxhPwrfUBj/RcP+A/h1p3jFkYZOOYohSA9/WqODwR1QwajJfc5PwUVlvXGkeJyr" +
		"R/UIHdEKxy2M+AhgUYzH50lw3Rr/s/7Lcb5tDynqBFDUSUpYSPxn2OaGlCIt3cl2oDkPB0kP2m3Eu+h+HH+A" +
		"3ltWgp1yZhVNjN7ShhFvB0NjavqiRKy9L+D3cs4JbpvsJxPlFg221NeAhvOLrpQpFBfa+o/XnxZ5ZXQcmNhL" +
		"zeNIGZDYsgqZiGrvfBnW7rQtNPAF+5rwZUCszRFLsRG6px7d1dh7/7Sq9YCdV1Z9VUI236inSqhYfZFABm3R" +
		"yFGL5lZ0H1dQV92doa/3mUBk1DNQUBMjlsJzWeJmU5J3h/3U/0NUc3xNhxqqLsCGh/b2OhzGdixAd+Cuoaam" +
		"WAPTFo+dwGA+NE/evn6dvgJid4fwAkYi61JN3USysh+HSosYYFDivJgnA8cOTKYgxDY9awMEFBly/5/tNQVo" +
		"Glg/GFUsRYr/HjdAPoDxQr51kj7jptPwxRJ9WbMl4vdtymgoMxeLjxTT9y9SMB/CKFfXP/p2uNEmfBOhUCmy" +
		"b2KddNohWURJj75okCZaTjS9lrhsuhd7fQPrrfWr8N8ILN+4G4160Sg9Sp8uZeKmBEwVWOsGcoh3oNZRxnAt" +
		"SUFFZhu2hnuXCDd8F1HwGdB1AHP/+eIOD9pCnDoe1MTWVKplMR42PQxKxUJZcDp9hqZDdlnxxFm1lxVR5kVJ" +
		"MIwKMXh9EueRVFfcuD2HGS/DCnDxPlhoZ8QuCcHcmxZ+DWPh2pes8/ysQF1FUfKsCGAZTa3fVwT5QoY0mdac" +
		"O2o9TF1vdEw2QMRllSfHKk37S06QYNnR3vGB3tEwqMjgEZevEIPc3e9sLpwbQnI4m4Os97f/6NK4Y0E1RSfk" +
		"EmerFpcBKfIyZWdiN974ny/neVLqHqM84ZdKdEjjvw+u4GaU0wmOC4iTOARZwel2j34gJjBgnifQ/NFz4ic7" +
		"pvWDWFYcQpCgnP6cNppBuKHuiM1fw89G+k1T6C7UaWUtn3zsDXiAGqQeWH8O3k2YgqHq+5mjrQ7jJQKPa+x1" +
		"YVS3grqz5t8zHtqgLgERJpdbr5kRV+GPWL1zvGa40vi/hUaUNJtgnRU/4TRFOCtF60helUKByXzdayE6Hk59" +
		"sz+SHfx12WNQa2cC5xqY3L6PQcJacO+E5S/SMLFDRVqCFzshg5BBsDBNzKamFWLqFiCL0Gotr3ugbVCH1qzE" +
		"atzHbHPvIbIRRMBiUJyXQNz78OHslB5BQCnasFkLbaydvozWm5Oq4+rlmlehtnWxxrDCQi7VYRNQH51fbBzH" +
		"SplqdCNAdsvu0BtMLp+y7D6Ct4pxlV43u+gnd4FsK8QxQDOw58GP8fnB"},
	{0x647a, 1, 2, "" +
		"TaRSuAuavp92FQiwqFBoNVlLAeidUXqYN2SfdmwgOgcr3AvHZq6Mk0TnlaQOTkZr+akbp6Vp8BbErICUUNkH" +
		"nGnr1ufzkdEudPauH3yvtI+OekvZNbo1FdO7tbfDTJBck6KEEF8G4KPZI8JTwOlj16iyBVP4wN2fZEDEX9Y0" +
		"vvD32skBBeIA951tELIPM7qwRK5eDfFSqk9+zb0SQcf9SqJ6sHBcynAcFW9qgNSA53RhQDSOjt6MaTjRpFnH" +
		"Mq8hPUTUUjgR/62a18yJ0hMMftzRFucNzWzydbGL92eF/X8gNzqlsWNh6vmtxuoLDum43KM/Gh2ezct1kLBx" +
		"Yclb5UC0Khf4xSPYGob8ObiShxCK8Wof/ozAXX+/KmrAOsvO5MiXMltd4tSWdS+Ef/I2nPtb3Q1s8MRgnCyA" +
		"4dz9PYANUOgEVwSN+7NcWDLS9ymcFoq7yOQoGo4zOQghQWtyP9/idpBTkFjgDLU1Lf931AJHD37WTF3LFUTc" +
		"VZ4Cd/92YQiaU2WvnU9f4GV1BA7dbfDzgi6KjgGauxKE40dcZE5pEto8bsVmuedeR4nG/4KOq/Icc9wMCzTZ" +
		"GrKgqb1dHGYKFhBks9zb4ADHSIsW5e8QtaEI3fcWJgsfEi07BfNMIk8nSqNA1zubmNkdfPQhnPgWHvdif5eR" +
		"sQeEpFR07EPXkaupKBFYi+KnX0unqHJ02HKyTPM3Y/FADsPXuBuwd0nxpn3aIA6NSnsbD6g3Jof0706P1MiX" +
		"UxkhduCY7MXJDpn/5L2q3P6fpfD1diDILixVTIJonmT2WPyLivPjzuuFA3DaG8/RSEyQf1aKez/GzfvbLnw4" +
		"qLxerSFmrzFujEmkJBCXr0kPTAksX0AuNrDNvuk+f96qlwCd8dKXmdY95+88klsFGniG38PEn7nd/X4Hp+DI" +
		"JdenWXDeUOeqMuWcJnF/5nVU3mr4ebwUtKwsiXVyyWtimOOLeAimx6uezPbYHwxn3nkHnfDG69VBJU0ygCIO" +
		"mIWB2XD1kp2PTjKgcX33/AJbVzBST0kx/vdHo4JahIp9zv52jTs+zYA0OGVxibkveb7WFzhkTIbyYthnMWEN" +
		"IknYo4ApkCHDD9G70jmTu+NyZIK+7QNkMAc9yqYHBAVaE3qTnZ4RT46LysFZwdnRPKwiULiie1N2s+MH6CiT" +
		"c9+k6shRVn4BcDnxNQR8uovdYg4h1L2ZMCYyek/jkkC0h/cjOdRntAyICe+3tXfDUrhfDaZcZdDf8s1WgJSL" +
		"K91L63UCh+Amj40y+tcMJvOey50WB44VXXYNce8m1f3Oze9wXaH2d3nw2ke1OxqTIF1Us/v+aV7gHglDxXLC" +
		"3T5JZVnYGhmTUhRns1qj7chGXHA1lSklYEHptW5Fo9PWwLJPaAVgMhNiK8BWCc8+I0dxBi91EWiG8YqVw/OF" +
		"5HzZeGDQegDJrsox1zCF5iPnEMw7Y3EWzVDW79w+Y1RVIpkPUUI3kOkqEhffsulhOERXWK54E/xuhNLDJ6c4" +
		"rMHhKHQAHuyXQGY="},
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func sum(p []byte) string { return fmt.Sprintf("%d %x", len(p), sha256.Sum256(p))[:20] }

// An opaque key does not tell its bytes.
type opaque struct{ crypto.Decapsulator }

type exchanger struct{ ecdh.KeyExchanger }

func main() {
	for i, s := range sealed {
		kem := must(hpke.NewKEM(s.kem))
		kdf, aead := must(hpke.NewKDF(s.kdf)), must(hpke.NewAEAD(s.aead))
		key := must(kem.DeriveKeyPair(fmt.Appendf(nil,
			"some bytes, of which there should be more, for key %d", i)))
		text := must(base64.StdEncoding.DecodeString(s.text))
		plain, err := hpke.Open(key, kdf, aead, []byte("info"), text)
		fmt.Printf("%#x %q %v\n", s.kem, plain, err)
		_, err = hpke.Open(key, kdf, aead, []byte("Info"), text)
		fmt.Println(err)
		for _, n := range []int{0, 10, len(text) - 26, len(text) - 25, len(text) - 9, len(text) - 1} {
			_, err = hpke.Open(key, kdf, aead, []byte("info"), text[:n])
			fmt.Println(n, err)
		}
	}

	var kems []hpke.KEM
	for _, id := range []uint16{0x10, 0x11, 0x12, 0x20, 0x41, 0x42, 0x50, 0x51, 0x647a} {
		kems = append(kems, must(hpke.NewKEM(id)))
	}
	same := []hpke.KEM{
		hpke.DHKEM(ecdh.P256()), hpke.DHKEM(ecdh.P384()), hpke.DHKEM(ecdh.P521()),
		hpke.DHKEM(ecdh.X25519()), hpke.MLKEM768(), hpke.MLKEM1024(), hpke.MLKEM768P256(),
		hpke.MLKEM1024P384(), hpke.MLKEM768X25519(),
	}
	kdfs := []hpke.KDF{
		hpke.HKDFSHA256(), hpke.HKDFSHA384(), hpke.HKDFSHA512(), hpke.SHAKE128(), hpke.SHAKE256(),
	}
	aeads := []hpke.AEAD{
		hpke.AES128GCM(), hpke.AES256GCM(), hpke.ChaCha20Poly1305(), hpke.ExportOnly(),
	}
	for i, kem := range kems {
		fmt.Printf("%#x %v\n", kem.ID(), kem == same[i])
		key := must(kem.DeriveKeyPair(bytes.Repeat([]byte{byte(i)}, 70)))
		data := must(key.Bytes())
		fmt.Println(sum(data), sum(key.PublicKey().Bytes()), key.KEM() == kem,
			key.PublicKey().KEM() == kem)
		again := must(kem.NewPrivateKey(data))
		public := must(kem.NewPublicKey(key.PublicKey().Bytes()))
		fmt.Println(bytes.Equal(must(again.Bytes()), data),
			bytes.Equal(public.Bytes(), again.PublicKey().Bytes()))
		_, err := kem.NewPrivateKey(data[1:])
		fmt.Println(err)
		_, err = kem.NewPublicKey(public.Bytes()[1:])
		fmt.Println(err)
		_, err = kem.NewPublicKey(bytes.Repeat([]byte{0xff}, len(public.Bytes())))
		fmt.Println(err)

		kdf, aead := kdfs[i%len(kdfs)], aeads[i%len(aeads)]
		enc, sender, err := hpke.NewSender(public, kdf, aead, []byte("context"))
		if err != nil {
			panic(err)
		}
		recipient := must(hpke.NewRecipient(enc, again, kdf, aead, []byte("context")))
		for range 3 {
			text, err := sender.Seal([]byte("aad"), []byte("text"))
			if err != nil {
				fmt.Println(err)
				_, err = recipient.Open(nil, nil)
				fmt.Println(err)
				continue
			}
			_, err = recipient.Open([]byte("other"), text)
			fmt.Print(err, " ")
			_, err = recipient.Open([]byte("aad"), text[:7])
			fmt.Print(err, " ")
			plain, err := recipient.Open([]byte("aad"), text)
			fmt.Println(len(text), string(plain), err)
		}
		for _, n := range []int{0, 1, 100, 20000, 65535, -1, 65536} {
			a, aerr := sender.Export("for", n)
			b, berr := recipient.Export("for", n)
			fmt.Print(len(a), bytes.Equal(a, b), aerr, berr, " ")
		}
		fmt.Println()
		_, err = hpke.NewRecipient(enc[1:], key, kdf, aead, nil)
		fmt.Println(err)
		made := must(kem.GenerateKey())
		text := must(hpke.Seal(made.PublicKey(), kdf, aeads[i%3], nil, nil))
		plain, err := hpke.Open(made, kdf, aeads[i%3], nil, text)
		fmt.Println(len(text), plain == nil, err)
	}
	_, err := hpke.NewKEM(7)
	fmt.Println(err)
	_, err = hpke.NewKDF(7)
	fmt.Println(err)
	_, err = hpke.NewAEAD(7)
	fmt.Println(err)
	for _, k := range kdfs {
		fmt.Print(k.ID(), " ")
	}
	for _, a := range aeads {
		fmt.Print(a.ID(), " ")
	}
	fmt.Println()

	// Keys of other packages.
	small, large := must(mlkem.GenerateKey768()), must(mlkem.GenerateKey1024())
	for _, curve := range []ecdh.Curve{ecdh.X25519(), ecdh.P256(), ecdh.P384(), ecdh.P521()} {
		key := must(curve.GenerateKey(nil))
		public, err := hpke.NewDHKEMPublicKey(key.PublicKey())
		fmt.Printf("%v %#x %v\n", curve, public.KEM().ID(), err)
		_, err = hpke.NewDHKEMPrivateKey(key)
		fmt.Println(err)
		hidden := must(hpke.NewDHKEMPrivateKey(exchanger{key}))
		_, err = hidden.Bytes()
		fmt.Println(err, len(hidden.PublicKey().Bytes()))
		for _, d := range []crypto.Decapsulator{small, large, opaque{small}} {
			_, err = hpke.NewHybridPublicKey(d.Encapsulator(), key.PublicKey())
			fmt.Println(err)
			hybrid, err := hpke.NewHybridPrivateKey(d, key)
			fmt.Println(err)
			if err == nil {
				_, err = hybrid.Bytes()
				fmt.Println(err, len(hybrid.PublicKey().Bytes()))
			}
		}
	}
	for _, d := range []crypto.Decapsulator{small, large, opaque{small}} {
		public := must(hpke.NewMLKEMPublicKey(d.Encapsulator()))
		private := must(hpke.NewMLKEMPrivateKey(d))
		data, err := private.Bytes()
		fmt.Println(len(public.Bytes()), len(data), err)
	}
	_, err = hpke.NewMLKEMPublicKey(nil)
	fmt.Println(err)
}
