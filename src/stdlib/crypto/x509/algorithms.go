// Signature algorithms, and what keys may be used for, each as one table that reading, writing and
// checking share.

package x509

import (
	"bytes"
	"crypto"
	"crypto/x509/pkix"
	"encoding/asn1"
	"strconv"
)

type SignatureAlgorithm int

const (
	UnknownSignatureAlgorithm SignatureAlgorithm = iota

	MD2WithRSA
	MD5WithRSA
	SHA1WithRSA
	SHA256WithRSA
	SHA384WithRSA
	SHA512WithRSA
	DSAWithSHA1
	DSAWithSHA256
	ECDSAWithSHA1
	ECDSAWithSHA256
	ECDSAWithSHA384
	ECDSAWithSHA512
	SHA256WithRSAPSS
	SHA384WithRSAPSS
	SHA512WithRSAPSS
	PureEd25519
	MLDSA44
	MLDSA65
	MLDSA87
)

type PublicKeyAlgorithm int

const (
	UnknownPublicKeyAlgorithm PublicKeyAlgorithm = iota
	RSA
	DSA
	ECDSA
	Ed25519
	MLDSA
)

func (algo PublicKeyAlgorithm) String() string {
	names := [...]string{RSA: "RSA", DSA: "DSA", ECDSA: "ECDSA", Ed25519: "Ed25519", MLDSA: "ML-DSA"}
	if algo > 0 && int(algo) < len(names) {
		return names[algo]
	}
	return strconv.Itoa(int(algo))
}

type identifier = asn1.ObjectIdentifier

// id makes an identifier of a common start and what follows.
func id(start identifier, more ...int) identifier {
	return append(start[:len(start):len(start)], more...)
}

var (
	pkcs1      = identifier{1, 2, 840, 113549, 1, 1}
	ansiDSA    = identifier{1, 2, 840, 10040, 4}
	ansiECDSA  = identifier{1, 2, 840, 10045}
	nistHashes = identifier{2, 16, 840, 1, 101, 3, 4, 2}
	nistSigns  = identifier{2, 16, 840, 1, 101, 3, 4, 3}
	certicom   = identifier{1, 3, 132, 0}

	idPSS  = id(pkcs1, 10)
	idMGF1 = id(pkcs1, 8)

	idEd25519 = identifier{1, 3, 101, 112}
)

// An algorithm is what there is to know of a way to sign.
type algorithm struct {
	is         SignatureAlgorithm
	name       string
	id         identifier
	parameters asn1.RawValue
	key        PublicKeyAlgorithm
	hash       crypto.Hash
}

var none asn1.RawValue

var algorithms = []algorithm{
	{MD5WithRSA, "MD5-RSA", id(pkcs1, 4), asn1.NullRawValue, RSA, crypto.MD5},
	{SHA1WithRSA, "SHA1-RSA", id(pkcs1, 5), asn1.NullRawValue, RSA, crypto.SHA1},
	{SHA1WithRSA, "SHA1-RSA", identifier{1, 3, 14, 3, 2, 29}, asn1.NullRawValue, RSA, crypto.SHA1},
	{SHA256WithRSA, "SHA256-RSA", id(pkcs1, 11), asn1.NullRawValue, RSA, crypto.SHA256},
	{SHA384WithRSA, "SHA384-RSA", id(pkcs1, 12), asn1.NullRawValue, RSA, crypto.SHA384},
	{SHA512WithRSA, "SHA512-RSA", id(pkcs1, 13), asn1.NullRawValue, RSA, crypto.SHA512},
	{SHA256WithRSAPSS, "SHA256-RSAPSS", idPSS, hashTwice(1, 32), RSA, crypto.SHA256},
	{SHA384WithRSAPSS, "SHA384-RSAPSS", idPSS, hashTwice(2, 48), RSA, crypto.SHA384},
	{SHA512WithRSAPSS, "SHA512-RSAPSS", idPSS, hashTwice(3, 64), RSA, crypto.SHA512},
	{DSAWithSHA1, "DSA-SHA1", id(ansiDSA, 3), none, DSA, crypto.SHA1},
	{DSAWithSHA256, "DSA-SHA256", id(nistSigns, 2), none, DSA, crypto.SHA256},
	{ECDSAWithSHA1, "ECDSA-SHA1", id(ansiECDSA, 4, 1), none, ECDSA, crypto.SHA1},
	{ECDSAWithSHA256, "ECDSA-SHA256", id(ansiECDSA, 4, 3, 2), none, ECDSA, crypto.SHA256},
	{ECDSAWithSHA384, "ECDSA-SHA384", id(ansiECDSA, 4, 3, 3), none, ECDSA, crypto.SHA384},
	{ECDSAWithSHA512, "ECDSA-SHA512", id(ansiECDSA, 4, 3, 4), none, ECDSA, crypto.SHA512},
	{PureEd25519, "Ed25519", idEd25519, none, Ed25519, 0},
	{MLDSA44, "ML-DSA-44", id(nistSigns, 17), none, MLDSA, 0},
	{MLDSA65, "ML-DSA-65", id(nistSigns, 18), none, MLDSA, 0},
	{MLDSA87, "ML-DSA-87", id(nistSigns, 19), none, MLDSA, 0},
}

// details is the algorithm, or one without a key.
func (algo SignatureAlgorithm) details() *algorithm {
	for i := range algorithms {
		if algorithms[i].is == algo {
			return &algorithms[i]
		}
	}
	return &algorithm{}
}

func (algo SignatureAlgorithm) isPSS() bool { return algo.details().id.Equal(idPSS) }

func (algo SignatureAlgorithm) String() string {
	if name := algo.details().name; name != "" {
		return name
	}
	return strconv.Itoa(int(algo))
}

// pss are the parameters of RSASSA-PSS. RFC 4055.
type pss struct {
	Hash         pkix.AlgorithmIdentifier `asn1:"explicit,tag:0"`
	MGF          pkix.AlgorithmIdentifier `asn1:"explicit,tag:1"`
	SaltLength   int                      `asn1:"explicit,tag:2"`
	TrailerField int                      `asn1:"optional,explicit,tag:3,default:1"`
}

// pssParameters are those with a hash function of NIST's, by its number, and as long a salt.
func hashTwice(hash, size byte) asn1.RawValue {
	h := "\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02" + string([]byte{hash}) + "\x05\x00"
	mask := "\xa1\x1c\x30\x1a\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x08" + h
	salt := "\xa2\x03\x02\x01" + string([]byte{size})
	return asn1.RawValue{FullBytes: []byte("\x30\x34\xa0\x0f" + h + mask + salt)}
}

// isNothing says whether parameters are absent or null.
func isNothing(parameters asn1.RawValue) bool {
	b := parameters.FullBytes
	return len(b) == 0 || bytes.Equal(b, asn1.NullBytes)
}

func signatureAlgorithm(ai pkix.AlgorithmIdentifier) SignatureAlgorithm {
	if ai.Algorithm.Equal(idPSS) {
		return pssAlgorithm(ai.Parameters.FullBytes)
	}
	for i := range algorithms {
		a := &algorithms[i]
		if !ai.Algorithm.Equal(a.id) {
			continue
		}
		if a.hash == 0 && len(ai.Parameters.FullBytes) > 0 {
			return UnknownSignatureAlgorithm
		}
		return a.is
	}
	return UnknownSignatureAlgorithm
}

// pssAlgorithm knows parameters where all hash functions are the same, and the salt is as long: the
// identifier of each hash function ends in the number of its row here.
func pssAlgorithm(der []byte) SignatureAlgorithm {
	rows := [...]struct {
		salt int
		is   SignatureAlgorithm
	}{1: {32, SHA256WithRSAPSS}, 2: {48, SHA384WithRSAPSS}, 3: {64, SHA512WithRSAPSS}}
	var p pss
	var mask pkix.AlgorithmIdentifier
	_, err := asn1.Unmarshal(der, &p)
	if err == nil {
		_, err = asn1.Unmarshal(p.MGF.Parameters.FullBytes, &mask)
	}
	isSame := err == nil && p.MGF.Algorithm.Equal(idMGF1) && mask.Algorithm.Equal(p.Hash.Algorithm)
	if isSame && isNothing(p.Hash.Parameters) && isNothing(mask.Parameters) && p.TrailerField == 1 {
		for n, row := range rows {
			if row.salt == p.SaltLength && p.Hash.Algorithm.Equal(id(nistHashes, n)) {
				return row.is
			}
		}
	}
	return UnknownSignatureAlgorithm
}

type KeyUsage int

const (
	KeyUsageDigitalSignature KeyUsage = 1 << iota
	KeyUsageContentCommitment
	KeyUsageKeyEncipherment
	KeyUsageDataEncipherment
	KeyUsageKeyAgreement
	KeyUsageCertSign
	KeyUsageCRLSign
	KeyUsageEncipherOnly
	KeyUsageDecipherOnly
)

var keyUsages = []string{
	"digitalSignature", "contentCommitment", "keyEncipherment", "dataEncipherment", "keyAgreement",
	"keyCertSign", "cRLSign", "encipherOnly", "decipherOnly",
}

func (i KeyUsage) String() string {
	for bit, name := range keyUsages {
		if i == 1<<bit {
			return name
		}
	}
	return "KeyUsage(" + strconv.Itoa(int(i)) + ")"
}

type ExtKeyUsage int

const (
	ExtKeyUsageAny ExtKeyUsage = iota
	ExtKeyUsageServerAuth
	ExtKeyUsageClientAuth
	ExtKeyUsageCodeSigning
	ExtKeyUsageEmailProtection
	ExtKeyUsageIPSECEndSystem
	ExtKeyUsageIPSECTunnel
	ExtKeyUsageIPSECUser
	ExtKeyUsageTimeStamping
	ExtKeyUsageOCSPSigning
	ExtKeyUsageMicrosoftServerGatedCrypto
	ExtKeyUsageNetscapeServerGatedCrypto
	ExtKeyUsageMicrosoftCommercialCodeSigning
	ExtKeyUsageMicrosoftKernelCodeSigning
)

var (
	purposes  = identifier{1, 3, 6, 1, 5, 5, 7, 3}
	microsoft = identifier{1, 3, 6, 1, 4, 1, 311}
)

// extKeyUsages has the usages in their order.
var extKeyUsages = []struct {
	name string
	id   identifier
}{
	{"anyExtendedKeyUsage", identifier{2, 5, 29, 37, 0}},
	{"serverAuth", id(purposes, 1)},
	{"clientAuth", id(purposes, 2)},
	{"codeSigning", id(purposes, 3)},
	{"emailProtection", id(purposes, 4)},
	{"ipsecEndSystem", id(purposes, 5)},
	{"ipsecTunnel", id(purposes, 6)},
	{"ipsecUser", id(purposes, 7)},
	{"timeStamping", id(purposes, 8)},
	{"OCSPSigning", id(purposes, 9)},
	{"msSGC", id(microsoft, 10, 3, 3)},
	{"nsSGC", identifier{2, 16, 840, 1, 113730, 4, 1}},
	{"msCodeCom", id(microsoft, 2, 1, 22)},
	{"msKernelCode", id(microsoft, 61, 1, 1)},
}

func (i ExtKeyUsage) isKnown() bool { return 0 <= i && int(i) < len(extKeyUsages) }

func (i ExtKeyUsage) String() string {
	if i.isKnown() {
		return extKeyUsages[i].name
	}
	return "ExtKeyUsage(" + strconv.Itoa(int(i)) + ")"
}

func (eku ExtKeyUsage) OID() OID {
	if !eku.isKnown() {
		panic("x509: internal error: known ExtKeyUsage has no OID")
	}
	oid, err := OIDFromASN1OID(extKeyUsages[eku].id)
	if err != nil {
		panic("x509: internal error: known ExtKeyUsage has invalid OID")
	}
	return oid
}
