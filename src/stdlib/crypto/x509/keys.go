package x509

import (
	"bytes"
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

// How keys are encoded. RFC 8017, RFC 5915, RFC 5208.
type (
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

	pkcs8 struct {
		Version    int
		Algo       pkix.AlgorithmIdentifier
		PrivateKey []byte
	}
)

// forms are the functions for private keys, each with a value of its form.
var forms = []struct {
	name string
	form func() any
}{
	{"ECPrivateKey", func() any { return new(ecPrivateKey) }},
	{"PKCS8PrivateKey", func() any { return new(pkcs8) }},
	{"PKCS1PrivateKey", func() any { return new(pkcs1PrivateKey) }},
}

// otherForm is the error if what a function does not take is what another does.
func otherForm(der []byte, name string, order ...int) error {
	for _, i := range order {
		if f := forms[i]; f.name != name {
			if _, err := asn1.Unmarshal(der, f.form()); err == nil {
				return wrongForm("private", f.name)
			}
		}
	}
	return nil
}

func positive(numbers ...*big.Int) bool {
	for _, n := range numbers {
		if n != nil && n.Sign() <= 0 {
			return false
		}
	}
	return true
}

func ParsePKCS1PrivateKey(der []byte) (*rsa.PrivateKey, error) {
	var in pkcs1PrivateKey
	rest, err := asn1.Unmarshal(der, &in)
	if len(rest) > 0 {
		return nil, asn1.SyntaxError{Msg: "trailing data"}
	}
	if err != nil {
		if other := otherForm(der, "PKCS1PrivateKey", 0, 1); other != nil {
			return nil, other
		}
		return nil, err
	}
	if in.Version > 1 {
		return nil, errors.New("x509: unsupported private key version")
	}
	if !positive(in.N, in.D, in.P, in.Q, in.Dp, in.Dq, in.Qinv) {
		return nil, errors.New("x509: private key contains zero or negative value")
	}
	key := &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: in.N, E: in.E}, D: in.D, Primes: []*big.Int{in.P, in.Q},
	}
	key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv = in.Dp, in.Dq, in.Qinv
	for _, more := range in.AdditionalPrimes {
		if !positive(more.Prime) {
			return nil, errors.New("x509: private key contains zero or negative prime")
		}
		key.Primes = append(key.Primes, more.Prime)
	}
	key.Precompute()
	if err = key.Validate(); err != nil && godebug.Value("x509rsacrt") == "0" {
		// What can be computed may have been wrong.
		key.Precomputed = rsa.PrecomputedValues{}
		key.Precompute()
		if key.Validate() == nil {
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	return key, nil
}

func MarshalPKCS1PrivateKey(key *rsa.PrivateKey) []byte {
	key.Precompute()
	out := pkcs1PrivateKey{
		N: key.N, E: key.E, D: key.D, P: key.Primes[0], Q: key.Primes[1],
		Dp: key.Precomputed.Dp, Dq: key.Precomputed.Dq, Qinv: key.Precomputed.Qinv,
	}
	if len(key.Primes) > 2 {
		out.Version = 1
	}
	for i, values := range key.Precomputed.CRTValues {
		more := pkcs1AdditionalRSAPrime{key.Primes[2+i], values.Exp, values.Coeff}
		out.AdditionalPrimes = append(out.AdditionalPrimes, more)
	}
	der, _ := asn1.Marshal(out)
	return der
}

func ParsePKCS1PublicKey(der []byte) (*rsa.PublicKey, error) {
	var pub pkcs1PublicKey
	rest, err := asn1.Unmarshal(der, &pub)
	if err != nil {
		if _, other := asn1.Unmarshal(der, &publicKeyInfo{}); other == nil {
			return nil, wrongForm("public", "PKIXPublicKey")
		}
		return nil, err
	}
	if len(rest) > 0 {
		return nil, asn1.SyntaxError{Msg: "trailing data"}
	}
	if pub.N.Sign() <= 0 || pub.E <= 0 {
		return nil, errors.New("x509: public key contains zero or negative value")
	}
	if pub.E >= 1<<31 {
		return nil, errors.New("x509: public key contains large public exponent")
	}
	return &rsa.PublicKey{N: pub.N, E: pub.E}, nil
}

func MarshalPKCS1PublicKey(key *rsa.PublicKey) []byte {
	der, _ := asn1.Marshal(pkcs1PublicKey{key.N, key.E})
	return der
}

func ParseECPrivateKey(der []byte) (*ecdsa.PrivateKey, error) { return parseEC(nil, der) }

// parseEC takes the curve from around the key, if it is told there.
func parseEC(curveID identifier, der []byte) (*ecdsa.PrivateKey, error) {
	var in ecPrivateKey
	if _, err := asn1.Unmarshal(der, &in); err != nil {
		if other := otherForm(der, "ECPrivateKey", 1, 2); other != nil {
			return nil, other
		}
		return nil, errors.New("x509: failed to parse EC private key: " + err.Error())
	}
	if in.Version != 1 {
		return nil, fmt.Errorf("x509: unknown EC private key version %d", in.Version)
	}
	if curveID == nil {
		curveID = in.NamedCurveOID
	}
	curve := curveOf(curveID)
	if curve == nil {
		return nil, errors.New("x509: unknown elliptic curve")
	}
	// Some write zeros before it, some leave them out.
	d := make([]byte, (curve.Params().N.BitLen()+7)/8)
	if more := len(in.PrivateKey) - len(d); more > 0 {
		if bytes.Count(in.PrivateKey[:more], []byte{0}) < more {
			return nil, errors.New("x509: invalid private key length")
		}
		in.PrivateKey = in.PrivateKey[more:]
	}
	copy(d[len(d)-len(in.PrivateKey):], in.PrivateKey)
	return ecdsa.ParseRawPrivateKey(curve, d)
}

func MarshalECPrivateKey(key *ecdsa.PrivateKey) ([]byte, error) {
	curve := idOfCurve(key.Curve)
	if curve == nil {
		return nil, errors.New("x509: unknown elliptic curve")
	}
	return marshalEC(key, curve)
}

func marshalEC(key *ecdsa.PrivateKey, curve identifier) ([]byte, error) {
	d, err := key.Bytes()
	if err != nil {
		return nil, err
	}
	public, err := key.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	// The length of the public key in bits is left to the encoder.
	return asn1.Marshal(ecPrivateKey{1, d, curve, asn1.BitString{Bytes: public}})
}

func ParsePKCS8PrivateKey(der []byte) (key any, err error) {
	var in pkcs8
	if _, err := asn1.Unmarshal(der, &in); err != nil {
		if other := otherForm(der, "PKCS8PrivateKey", 0, 2); other != nil {
			return nil, other
		}
		return nil, err
	}
	id, parameters := in.Algo.Algorithm, in.Algo.Parameters.FullBytes
	// bare reads a key that is nothing but bytes.
	bare := func(name string) ([]byte, error) {
		if len(parameters) > 0 {
			return nil, errors.New("x509: invalid " + name + " private key parameters")
		}
		var secret []byte
		if _, err := asn1.Unmarshal(in.PrivateKey, &secret); err != nil {
			return nil, fmt.Errorf("x509: invalid %s private key: %v", name, err)
		}
		return secret, nil
	}
	embedded := func(name string, err error) error {
		return errors.New("x509: failed to parse " + name +
			" private key embedded in PKCS#8: " + err.Error())
	}
	switch {
	case id.Equal(idKeyRSA):
		key, err := ParsePKCS1PrivateKey(in.PrivateKey)
		if err != nil {
			return nil, embedded("RSA", err)
		}
		return key, nil
	case id.Equal(idKeyECDSA):
		var curve identifier
		if _, err := asn1.Unmarshal(parameters, &curve); err != nil {
			curve = nil
		}
		key, err := parseEC(curve, in.PrivateKey)
		if err != nil {
			return nil, embedded("EC", err)
		}
		return key, nil
	case id.Equal(idKeyEd25519):
		seed, err := bare("Ed25519")
		if err != nil {
			return nil, err
		}
		if len(seed) != ed25519.SeedSize {
			return nil, fmt.Errorf("x509: invalid Ed25519 private key length: %d", len(seed))
		}
		return ed25519.NewKeyFromSeed(seed), nil
	case id.Equal(idKeyX25519):
		secret, err := bare("X25519")
		if err != nil {
			return nil, err
		}
		return ecdh.X25519().NewPrivateKey(secret)
	}
	if kind, ok := mldsaOf(id); ok {
		if len(parameters) > 0 {
			return nil, errors.New("x509: invalid ML-DSA private key parameters")
		}
		return parseMLDSA(kind, in.PrivateKey)
	}
	return nil, fmt.Errorf(
		"x509: PKCS#8 wrapping contained private key with unknown algorithm: %v", id)
}

// seedTag is that of the form in which a private key of ML-DSA is its seed. RFC 9881.
const seedTag = 0x80

func parseMLDSA(kind mldsa.Parameters, in []byte) (key any, err error) {
	invalidLength := func() error {
		return fmt.Errorf("x509: invalid ML-DSA private key length: %d", len(in))
	}
	if len(in) == 0 {
		return nil, invalidLength()
	}
	switch in[0] {
	case seedTag:
	case der.OctetString:
		return nil, errors.New(
			"x509: semi-expanded ML-DSA private keys without seed are not supported")
	case der.Sequence:
		return nil, errors.New("x509: ML-DSA private keys with both seed and expanded key are not " +
			`supported, use e.g. "openssl pkey -provparam ml-dsa.output_formats=seed-only" ` +
			"to convert to a seed-only key")
	default:
		return nil, fmt.Errorf("x509: invalid ML-DSA private key: invalid ASN.1 tag %02x", in[0])
	}
	if len(in) != 2+mldsa.PrivateKeySize {
		return nil, invalidLength()
	}
	if in[1] != mldsa.PrivateKeySize {
		return nil, errors.New("x509: invalid ML-DSA private key ASN.1 encoding")
	}
	return mldsa.NewPrivateKey(kind, in[2:])
}

func MarshalPKCS8PrivateKey(key any) ([]byte, error) {
	var out pkcs8
	// onCurve wraps a key for a curve, which is not told again in it.
	onCurve := func(curve identifier, marshal func() ([]byte, error)) (err error) {
		if curve == nil {
			return errors.New("x509: unknown curve while marshaling to PKCS#8")
		}
		if out.Algo, err = curveAlgorithm(curve); err != nil {
			return errors.New("x509: failed to marshal curve OID: " + err.Error())
		}
		if out.PrivateKey, err = marshal(); err != nil {
			return errors.New(
				"x509: failed to marshal EC private key while building PKCS#8: " + err.Error())
		}
		return nil
	}
	var err error
	switch k := key.(type) {
	case *rsa.PrivateKey:
		k.Precompute()
		if err := k.Validate(); err != nil {
			return nil, err
		}
		out.Algo = pkix.AlgorithmIdentifier{Algorithm: idKeyRSA, Parameters: asn1.NullRawValue}
		out.PrivateKey = MarshalPKCS1PrivateKey(k)
	case *ecdsa.PrivateKey:
		err = onCurve(idOfCurve(k.Curve), func() ([]byte, error) { return marshalEC(k, nil) })
	case ed25519.PrivateKey:
		out.Algo.Algorithm = idKeyEd25519
		out.PrivateKey, err = asn1.Marshal(k.Seed())
	case *mldsa.PrivateKey:
		out.Algo.Algorithm = mldsaAlgorithm(k.PublicKey()).details().id
		out.PrivateKey = append([]byte{seedTag, mldsa.PrivateKeySize}, k.Bytes()...)
	case *ecdh.PrivateKey:
		if k.Curve() == ecdh.X25519() {
			out.Algo.Algorithm = idKeyX25519
			out.PrivateKey, err = asn1.Marshal(k.Bytes())
			break
		}
		err = onCurve(idOfExchange(k.Curve()), func() ([]byte, error) {
			public := asn1.BitString{Bytes: k.PublicKey().Bytes()}
			return asn1.Marshal(ecPrivateKey{Version: 1, PrivateKey: k.Bytes(), PublicKey: public})
		})
	default:
		err = fmt.Errorf("x509: unknown key type while marshaling PKCS#8: %T", key)
	}
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(out)
}
