// Keys as they are encoded: RFC 8017 for RSA, RFC 5915 for curves, RFC 5208 and RFC 5280 for what
// is around them and tells their kind. A table of kinds, keyKinds, knows how to read what is
// within, and a table of forms, keyForms, tells keys apart that are in the wrong one.

package x509

import (
	"bytes"
	"crypto/dsa"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/mldsa"
	"crypto/rsa"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"internal/der"
	"internal/godebug"
	"math/big"
)

type (
	// publicKeyInfo is how public keys of all kinds are encoded.
	publicKeyInfo struct {
		Raw       asn1.RawContent
		Algorithm pkix.AlgorithmIdentifier
		PublicKey asn1.BitString
	}

	pkcs8 struct {
		Version    int
		Algo       pkix.AlgorithmIdentifier
		PrivateKey []byte
	}

	pkcs1PublicKey struct {
		N *big.Int
		E int
	}

	pkcs1PrivateKey struct {
		Version int
		N       *big.Int
		E       int
		D       *big.Int
		P       *big.Int
		Q       *big.Int
		Dp      *big.Int `asn1:"optional"`
		Dq      *big.Int `asn1:"optional"`
		Qinv    *big.Int `asn1:"optional"`

		AdditionalPrimes []pkcs1AdditionalRSAPrime `asn1:"optional,omitempty"`
	}

	pkcs1AdditionalRSAPrime struct {
		Prime *big.Int
		Exp   *big.Int
		Coeff *big.Int
	}

	ecPrivateKey struct {
		Version       int
		PrivateKey    []byte
		NamedCurveOID asn1.ObjectIdentifier `asn1:"optional,explicit,tag:0"`
		PublicKey     asn1.BitString        `asn1:"optional,explicit,tag:1"`
	}
)

// A keyForm is a way to encode keys, for which there is a function to parse them.
type keyForm struct {
	kind, name string
	blank      func() any
	failure    string       // before errors
	trailing   func() error // what follows a key is wrong, unless nil
}

const (
	formEC = iota
	formPKCS8
	formPKCS1
	formPKIX
	formPKCS1Public
)

func noMore() error { return asn1.SyntaxError{Msg: "trailing data"} }

var keyForms = []keyForm{
	formEC: {"private", "ECPrivateKey", func() any { return new(ecPrivateKey) },
		"x509: failed to parse EC private key: ", nil},
	formPKCS8: {"private", "PKCS8PrivateKey", func() any { return new(pkcs8) }, "", nil},
	formPKCS1: {"private", "PKCS1PrivateKey", func() any { return new(pkcs1PrivateKey) },
		"", noMore},
	formPKIX: {"public", "PKIXPublicKey", func() any { return new(publicKeyInfo) }, "",
		func() error { return errors.New("x509: trailing data after ASN.1 of public-key") }},
	formPKCS1Public: {"public", "PKCS1PublicKey", func() any { return new(pkcs1PublicKey) },
		"", noMore},
}

// decode reads a key of that form. If it is in another, the error names the function for that.
func decode(encoded []byte, form int, key any) error {
	f := &keyForms[form]
	rest, err := asn1.Unmarshal(encoded, key)
	if err == nil {
		if len(rest) > 0 && f.trailing != nil {
			return f.trailing()
		}
		return nil
	}
	for i, other := range keyForms {
		if i == form || other.kind != f.kind {
			continue
		}
		if _, failed := asn1.Unmarshal(encoded, other.blank()); failed == nil {
			return errors.New("x509: failed to parse " + f.kind + " key (use Parse" + other.name +
				" instead for this key format)")
		}
	}
	if f.failure != "" {
		return errors.New(f.failure + err.Error())
	}
	return err
}

// A keyKind is what the identifier of a key's algorithm tells of it.
type keyKind struct {
	id   identifier
	name string
	is   PublicKeyAlgorithm
	bare bool // without parameters

	public  func(k *keyKind, key, parameters der.Text) (any, error)
	private func(k *keyKind, key, parameters []byte) (any, error)

	// Of ML-DSA alone, and how such keys sign.
	lattice func() mldsa.Parameters
	signs   SignatureAlgorithm
}

const (
	kindRSA = iota
	kindEC
	kindEd25519
	kindX25519
	kindDSA
	kindLattices
)

var keyKinds = []keyKind{
	kindRSA:     {id(pkcs1, 1), "RSA", RSA, false, publicRSA, privateRSA, nil, 0},
	kindEC:      {id(ansiECDSA, 2, 1), "EC", ECDSA, false, publicEC, privateEC, nil, 0},
	kindEd25519: {idEd25519, "Ed25519", Ed25519, true, publicEdwards, privateEdwards, nil, 0},
	kindX25519:  {identifier{1, 3, 101, 110}, "X25519", 0, true, publicX25519, privateX25519, nil, 0},
	kindDSA:     {id: id(ansiDSA, 1), is: DSA, public: publicDSA},

	kindLattices: {id(nistSigns, 17), "ML-DSA", MLDSA, true, publicLattice, privateLattice,
		mldsa.MLDSA44, MLDSA44},
	{id(nistSigns, 18), "ML-DSA", MLDSA, true, publicLattice, privateLattice, mldsa.MLDSA65, MLDSA65},
	{id(nistSigns, 19), "ML-DSA", MLDSA, true, publicLattice, privateLattice, mldsa.MLDSA87, MLDSA87},
}

// kindOfKey is the kind with that identifier, or one of which nothing is set.
func kindOfKey(id identifier) *keyKind {
	for i := range keyKinds {
		if k := &keyKinds[i]; k.id.Equal(id) {
			return k
		}
	}
	return &keyKind{}
}

func latticeKind(key *mldsa.PublicKey) *keyKind {
	parameters := key.Parameters()
	for i := kindLattices; i < len(keyKinds); i++ {
		if keyKinds[i].lattice() == parameters {
			return &keyKinds[i]
		}
	}
	return &keyKind{}
}

// wholeBits is a bit string of whole bytes.
func wholeBits(b []byte) asn1.BitString { return asn1.BitString{Bytes: b, BitLength: 8 * len(b)} }

func positive(numbers ...*big.Int) bool {
	for _, n := range numbers {
		if n != nil && n.Sign() <= 0 {
			return false
		}
	}
	return true
}

// readKey reads a public key with the parameters of its algorithm.
func readKey(info *publicKeyInfo) (any, error) {
	k, parameters := kindOfKey(info.Algorithm.Algorithm), info.Algorithm.Parameters.FullBytes
	if k.public == nil {
		return nil, errors.New("x509: unknown public key algorithm")
	}
	if k.bare && len(parameters) > 0 {
		return nil, errors.New("x509: " + k.name + " key encoded with illegal parameters")
	}
	return k.public(k, info.PublicKey.RightAlign(), parameters)
}

func publicRSA(_ *keyKind, key, parameters der.Text) (any, error) {
	if !bytes.Equal(parameters, asn1.NullBytes) {
		return nil, errors.New("x509: RSA key missing NULL parameters")
	}
	pair, ok := key.Read(der.Sequence)
	if !ok {
		return nil, invalid("RSA public key")
	}
	pub := new(rsa.PublicKey)
	if pub.N, ok = pair.Big(); !ok {
		return nil, invalid("RSA modulus")
	}
	if pub.E, ok = pair.Int(der.Integer); !ok {
		return nil, invalid("RSA public exponent")
	}
	switch {
	case !positive(pub.N):
		return nil, errors.New("x509: RSA modulus is not a positive number")
	case pub.E <= 0:
		return nil, errors.New("x509: RSA public exponent is not a positive number")
	}
	return pub, nil
}

func publicEC(_ *keyKind, key, parameters der.Text) (any, error) {
	name, ok := parameters.OID()
	if !ok {
		return nil, invalid("ECDSA parameters")
	}
	if curve := curveNamed(name); curve != nil {
		return ecdsa.ParseUncompressedPublicKey(curve, key)
	}
	return nil, errors.New("x509: unsupported elliptic curve")
}

func publicEdwards(_ *keyKind, key, _ der.Text) (any, error) {
	if len(key) != ed25519.PublicKeySize {
		return nil, errors.New("x509: wrong Ed25519 public key size")
	}
	return ed25519.PublicKey(key), nil
}

func publicX25519(_ *keyKind, key, _ der.Text) (any, error) {
	return ecdh.X25519().NewPublicKey(key)
}

func publicLattice(k *keyKind, key, _ der.Text) (any, error) {
	return mldsa.NewPublicKey(k.lattice(), key)
}

func publicDSA(_ *keyKind, key, parameters der.Text) (any, error) {
	pub := new(dsa.PublicKey)
	var ok bool
	if pub.Y, ok = key.Big(); !ok {
		return nil, invalid("DSA public key")
	}
	list, ok := parameters.Read(der.Sequence)
	for _, n := range []**big.Int{&pub.P, &pub.Q, &pub.G} {
		if ok {
			*n, ok = list.Big()
		}
		if !ok {
			return nil, invalid("DSA parameters")
		}
	}
	if !positive(pub.Y, pub.P, pub.Q, pub.G) {
		return nil, errors.New("x509: zero or negative DSA parameter")
	}
	return pub, nil
}

func ParsePKIXPublicKey(derBytes []byte) (pub any, err error) {
	var info publicKeyInfo
	if err := decode(derBytes, formPKIX, &info); err != nil {
		return nil, err
	}
	return readKey(&info)
}

func MarshalPKIXPublicKey(pub any) ([]byte, error) {
	info, err := encodeKey(pub)
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(info)
}

// onCurve are the parameters of keys on a curve.
func onCurve(curve *namedCurve) (ai pkix.AlgorithmIdentifier, err error) {
	if curve.id == nil {
		return ai, errors.New("x509: unsupported elliptic curve")
	}
	ai.Algorithm = keyKinds[kindEC].id
	ai.Parameters.FullBytes, err = asn1.Marshal(curve.id)
	return ai, err
}

// encodeKey has a public key of any kind but DSA.
func encodeKey(pub any) (publicKeyInfo, error) {
	var ai pkix.AlgorithmIdentifier
	var key []byte
	var err error
	switch pub := pub.(type) {
	case ed25519.PublicKey:
		ai.Algorithm, key = idEd25519, pub
	case *mldsa.PublicKey:
		ai.Algorithm, key = latticeKind(pub).id, pub.Bytes()
	case *rsa.PublicKey:
		ai.Algorithm, ai.Parameters = keyKinds[kindRSA].id, asn1.NullRawValue
		key, err = asn1.Marshal(pkcs1PublicKey{pub.N, pub.E})
	case *ecdh.PublicKey:
		if key = pub.Bytes(); pub.Curve() == ecdh.X25519() {
			ai.Algorithm = keyKinds[kindX25519].id
		} else {
			ai, err = onCurve(agreeingCurve(pub.Curve()))
		}
	case *ecdsa.PublicKey:
		if ai, err = onCurve(signingCurve(pub.Curve)); err == nil {
			key, err = pub.Bytes()
		}
	default:
		err = fmt.Errorf("x509: unsupported public key type: %T", pub)
	}
	if err != nil {
		return publicKeyInfo{}, err
	}
	return publicKeyInfo{Algorithm: ai, PublicKey: wholeBits(key)}, nil
}

func ParsePKCS1PublicKey(der []byte) (*rsa.PublicKey, error) {
	var in pkcs1PublicKey
	err := decode(der, formPKCS1Public, &in)
	switch {
	case err != nil:
	case in.E <= 0 || !positive(in.N):
		err = errors.New("x509: public key contains zero or negative value")
	case in.E>>31 != 0:
		err = errors.New("x509: public key contains large public exponent")
	default:
		return &rsa.PublicKey{N: in.N, E: in.E}, nil
	}
	return nil, err
}

func MarshalPKCS1PublicKey(key *rsa.PublicKey) []byte {
	der, _ := asn1.Marshal(pkcs1PublicKey{key.N, key.E})
	return der
}

func ParsePKCS1PrivateKey(der []byte) (*rsa.PrivateKey, error) {
	var in pkcs1PrivateKey
	if err := decode(der, formPKCS1, &in); err != nil {
		return nil, err
	}
	if in.Version > 1 {

		return nil, errors.New("x509: unsupported private key version")
	}
	if !positive(in.N, in.D, in.P, in.Q, in.Dp, in.Dq, in.Qinv) {
		return nil, errors.New("x509: private key contains zero or negative value")
	}
	key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: in.N, E: in.E}, D: in.D}
	key.Primes = append(key.Primes, in.P, in.Q)
	for _, more := range in.AdditionalPrimes {
		key.Primes = append(key.Primes, more.Prime)
	}
	if !positive(key.Primes...) {
		return nil, errors.New("x509: private key contains zero or negative prime")
	}
	complete := func() error {
		key.Precompute()
		return key.Validate()
	}
	key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv = in.Dp, in.Dq, in.Qinv
	err := complete()
	if err != nil && godebug.Value("x509rsacrt") == "0" {
		// What can be computed may have been wrong.
		key.Precomputed = rsa.PrecomputedValues{}
		if complete() == nil {
			godebug.Count("x509rsacrt")
			err = nil
		}
	}
	if err != nil {
		key = nil
	}
	return key, err
}

func MarshalPKCS1PrivateKey(key *rsa.PrivateKey) []byte {
	key.Precompute()
	parts := &key.Precomputed
	more := make([]pkcs1AdditionalRSAPrime, len(parts.CRTValues))
	for i := range more {
		crt := &parts.CRTValues[i]
		more[i] = pkcs1AdditionalRSAPrime{Prime: key.Primes[i+2], Exp: crt.Exp, Coeff: crt.Coeff}
	}
	// Those with more than two primes are of version 1.
	version := min(len(key.Primes), 3) - 2
	encoded, _ := asn1.Marshal(pkcs1PrivateKey{
		version, key.N, key.E, key.D, key.Primes[0], key.Primes[1],
		parts.Dp, parts.Dq, parts.Qinv, more,
	})
	return encoded
}

func ParseECPrivateKey(der []byte) (*ecdsa.PrivateKey, error) { return readEC(der, nil) }

// readEC takes the curve from around the key, if it is told there.
func readEC(encoded []byte, curveName identifier) (*ecdsa.PrivateKey, error) {
	var in ecPrivateKey
	if err := decode(encoded, formEC, &in); err != nil {
		return nil, err
	}
	if in.Version != 1 {
		return nil, fmt.Errorf("x509: unknown EC private key version %d", in.Version)
	}
	if curveName != nil {
		in.NamedCurveOID = curveName
	}
	curve := curveNamed(in.NamedCurveOID)
	if curve == nil {
		return nil, errors.New("x509: unknown elliptic curve")
	}
	// Some write zeros before it, some leave them out.
	digits := bytes.TrimLeft(in.PrivateKey, "\x00")
	size := (curve.Params().N.BitLen() + 7) / 8
	if len(digits) > size {
		return nil, errors.New("x509: invalid private key length")
	}
	return ecdsa.ParseRawPrivateKey(curve, append(make([]byte, size-len(digits)), digits...))
}

func MarshalECPrivateKey(key *ecdsa.PrivateKey) ([]byte, error) {
	if curve := signingCurve(key.Curve); curve.id != nil {
		return encodeEC(key, curve.id)
	}
	return nil, errors.New("x509: unknown elliptic curve")
}

func encodeEC(key *ecdsa.PrivateKey, curve identifier) (encoded []byte, err error) {
	// The length of the public key in bits is left to the encoder.
	out := ecPrivateKey{Version: 1, NamedCurveOID: curve}
	if out.PrivateKey, err = key.Bytes(); err == nil {
		if out.PublicKey.Bytes, err = key.PublicKey.Bytes(); err == nil {
			return asn1.Marshal(out)
		}
	}
	return nil, err
}

func ParsePKCS8PrivateKey(der []byte) (key any, err error) {
	var in pkcs8
	if err := decode(der, formPKCS8, &in); err != nil {
		return nil, err
	}
	k, parameters := kindOfKey(in.Algo.Algorithm), in.Algo.Parameters.FullBytes
	if k.private == nil {
		return nil, fmt.Errorf("x509: PKCS#8 wrapping contained private key with unknown algorithm: %v",
			in.Algo.Algorithm)
	}
	if k.bare && len(parameters) > 0 {
		return nil, errors.New("x509: invalid " + k.name + " private key parameters")
	}
	return k.private(k, in.PrivateKey, parameters)
}

// embedded is an error on a key that has a form of its own.
func (k *keyKind) embedded(err error) error {
	return errors.New("x509: failed to parse " + k.name + " private key embedded in PKCS#8: " +
		err.Error())
}

func privateRSA(k *keyKind, in, _ []byte) (any, error) {
	key, err := ParsePKCS1PrivateKey(in)
	if err != nil {
		return nil, k.embedded(err)
	}
	return key, nil
}

func privateEC(k *keyKind, in, parameters []byte) (any, error) {
	// Without a readable name around it the key has to tell its curve.
	name := der.Text(parameters)
	curve, _ := name.OID()
	if key, err := readEC(in, curve); err != nil {
		return nil, k.embedded(err)
	} else {
		return key, nil
	}
}

// secret is a key that is nothing but bytes.
func (k *keyKind) secret(in []byte) (secret []byte, err error) {
	if _, err := asn1.Unmarshal(in, &secret); err != nil {
		return nil, fmt.Errorf("x509: invalid %s private key: %v", k.name, err)
	}
	return secret, nil
}

func privateEdwards(k *keyKind, in, _ []byte) (any, error) {
	seed, err := k.secret(in)
	if err != nil {
		return nil, err
	}
	if len(seed) == ed25519.SeedSize {
		return ed25519.NewKeyFromSeed(seed), nil
	}
	return nil, fmt.Errorf("x509: invalid Ed25519 private key length: %d", len(seed))
}

func privateX25519(k *keyKind, in, _ []byte) (any, error) {
	secret, err := k.secret(in)
	if err != nil {
		return nil, err
	}
	return ecdh.X25519().NewPrivateKey(secret)
}

// seedTag is that of the form in which a private key of ML-DSA is its seed. RFC 9881.
const seedTag = 0x80

// privateLattice knows the seed alone of the three forms.
func privateLattice(k *keyKind, in, _ []byte) (any, error) {
	var bad string
	switch {
	case len(in) == 0:
		bad = "invalid ML-DSA private key length: 0"
	case in[0] == der.OctetString:
		bad = "semi-expanded ML-DSA private keys without seed are not supported"
	case in[0] == der.Sequence:
		bad = "ML-DSA private keys with both seed and expanded key are not supported, use e.g. " +
			`"openssl pkey -provparam ml-dsa.output_formats=seed-only" to convert to a seed-only key`
	case in[0] != seedTag:
		bad = fmt.Sprintf("invalid ML-DSA private key: invalid ASN.1 tag %02x", in[0])
	case len(in) != 2+mldsa.PrivateKeySize:
		bad = fmt.Sprint("invalid ML-DSA private key length: ", len(in))
	case in[1] != mldsa.PrivateKeySize:
		bad = "invalid ML-DSA private key ASN.1 encoding"
	default:
		return mldsa.NewPrivateKey(k.lattice(), in[2:])
	}
	return nil, errors.New("x509: " + bad)
}

// wrapEC puts a key for a curve, which is not told again in it, into a wrapping.
func (out *pkcs8) wrapEC(curve *namedCurve, encode func() ([]byte, error)) (err error) {
	if curve.id == nil {
		return errors.New("x509: unknown curve while marshaling to PKCS#8")
	}
	if out.Algo, err = onCurve(curve); err != nil {
		return errors.New("x509: failed to marshal curve OID: " + err.Error())
	}
	if out.PrivateKey, err = encode(); err != nil {
		return errors.New("x509: failed to marshal EC private key while building PKCS#8: " + err.Error())
	}
	return nil
}

func MarshalPKCS8PrivateKey(key any) ([]byte, error) {
	var out pkcs8
	var err error
	switch key := key.(type) {
	case ed25519.PrivateKey:
		out.Algo.Algorithm = idEd25519
		out.PrivateKey, err = asn1.Marshal(key.Seed())
	case *mldsa.PrivateKey:
		out.Algo.Algorithm = latticeKind(key.PublicKey()).id
		out.PrivateKey = append([]byte{seedTag, mldsa.PrivateKeySize}, key.Bytes()...)
	case *rsa.PrivateKey:
		key.Precompute()
		if err = key.Validate(); err == nil {
			out.Algo.Algorithm, out.Algo.Parameters = keyKinds[kindRSA].id, asn1.NullRawValue
			out.PrivateKey = MarshalPKCS1PrivateKey(key)
		}
	case *ecdsa.PrivateKey:
		err = out.wrapEC(signingCurve(key.Curve), func() ([]byte, error) { return encodeEC(key, nil) })
	case *ecdh.PrivateKey:
		if key.Curve() == ecdh.X25519() {
			out.Algo.Algorithm = keyKinds[kindX25519].id
			out.PrivateKey, err = asn1.Marshal(key.Bytes())
			break
		}
		err = out.wrapEC(agreeingCurve(key.Curve()), func() ([]byte, error) {
			public := asn1.BitString{Bytes: key.PublicKey().Bytes()}
			return asn1.Marshal(ecPrivateKey{Version: 1, PrivateKey: key.Bytes(), PublicKey: public})
		})
	default:
		err = fmt.Errorf("x509: unknown key type while marshaling PKCS#8: %T", key)
	}
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(out)
}
