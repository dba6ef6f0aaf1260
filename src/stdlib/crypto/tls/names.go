package tls

import (
	"fmt"
	"strconv"
)

const (
	VersionTLS10 = 0x0301
	VersionTLS11 = 0x0302
	VersionTLS12 = 0x0303
	VersionTLS13 = 0x0304

	// VersionSSL30 is not supported.
	VersionSSL30 = 0x0300
)

// VersionName is what people call that version.
func VersionName(version uint16) string {
	switch version {
	case VersionSSL30:
		return "SSLv3"
	case VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13:
		return "TLS 1." + strconv.Itoa(int(version-VersionTLS10))
	}
	return fmt.Sprintf("0x%04X", version)
}

// A CurveID is a way to come to a shared secret.
type CurveID uint16

const (
	CurveP256          CurveID = 23
	CurveP384          CurveID = 24
	CurveP521          CurveID = 25
	X25519             CurveID = 29
	X25519MLKEM768     CurveID = 4588
	SecP256r1MLKEM768  CurveID = 4587
	SecP384r1MLKEM1024 CurveID = 4589
	MLKEM1024          CurveID = 514
)

var curveNames = map[CurveID]string{
	CurveP256:          "CurveP256",
	CurveP384:          "CurveP384",
	CurveP521:          "CurveP521",
	X25519:             "X25519",
	X25519MLKEM768:     "X25519MLKEM768",
	SecP256r1MLKEM768:  "SecP256r1MLKEM768",
	SecP384r1MLKEM1024: "SecP384r1MLKEM1024",
	MLKEM1024:          "MLKEM1024",
}

func (i CurveID) String() string { return named(curveNames, i, "CurveID") }

func named[T ~int | ~uint16](names map[T]string, i T, kind string) string {
	if name, ok := names[i]; ok {
		return name
	}
	return kind + "(" + strconv.FormatInt(int64(i), 10) + ")"
}

// A SignatureScheme is a way to sign.
type SignatureScheme uint16

const (
	PKCS1WithSHA256 SignatureScheme = 0x0401
	PKCS1WithSHA384 SignatureScheme = 0x0501
	PKCS1WithSHA512 SignatureScheme = 0x0601

	PSSWithSHA256 SignatureScheme = 0x0804
	PSSWithSHA384 SignatureScheme = 0x0805
	PSSWithSHA512 SignatureScheme = 0x0806

	ECDSAWithP256AndSHA256 SignatureScheme = 0x0403
	ECDSAWithP384AndSHA384 SignatureScheme = 0x0503
	ECDSAWithP521AndSHA512 SignatureScheme = 0x0603

	Ed25519 SignatureScheme = 0x0807

	MLDSA44 SignatureScheme = 0x0904
	MLDSA65 SignatureScheme = 0x0905
	MLDSA87 SignatureScheme = 0x0906

	// The two of SHA-1 are for old peers.
	PKCS1WithSHA1 SignatureScheme = 0x0201
	ECDSAWithSHA1 SignatureScheme = 0x0203
)

var schemeNames = map[SignatureScheme]string{
	PKCS1WithSHA256:        "PKCS1WithSHA256",
	PKCS1WithSHA384:        "PKCS1WithSHA384",
	PKCS1WithSHA512:        "PKCS1WithSHA512",
	PSSWithSHA256:          "PSSWithSHA256",
	PSSWithSHA384:          "PSSWithSHA384",
	PSSWithSHA512:          "PSSWithSHA512",
	ECDSAWithP256AndSHA256: "ECDSAWithP256AndSHA256",
	ECDSAWithP384AndSHA384: "ECDSAWithP384AndSHA384",
	ECDSAWithP521AndSHA512: "ECDSAWithP521AndSHA512",
	Ed25519:                "Ed25519",
	MLDSA44:                "MLDSA44",
	MLDSA65:                "MLDSA65",
	MLDSA87:                "MLDSA87",
	PKCS1WithSHA1:          "PKCS1WithSHA1",
	ECDSAWithSHA1:          "ECDSAWithSHA1",
}

func (i SignatureScheme) String() string { return named(schemeNames, i, "SignatureScheme") }

// A ClientAuthType says what a server asks of its clients.
type ClientAuthType int

const (
	NoClientCert ClientAuthType = iota
	RequestClientCert
	RequireAnyClientCert
	VerifyClientCertIfGiven
	RequireAndVerifyClientCert
)

var authNames = map[ClientAuthType]string{
	NoClientCert:               "NoClientCert",
	RequestClientCert:          "RequestClientCert",
	RequireAnyClientCert:       "RequireAnyClientCert",
	VerifyClientCertIfGiven:    "VerifyClientCertIfGiven",
	RequireAndVerifyClientCert: "RequireAndVerifyClientCert",
}

func (i ClientAuthType) String() string { return named(authNames, i, "ClientAuthType") }

// requires says whether a client must show a certificate.
func (i ClientAuthType) requires() bool {
	return i == RequireAnyClientCert || i == RequireAndVerifyClientCert
}

// A RenegotiationSupport says whether a server may have a client shake hands again.
type RenegotiationSupport int

const (
	RenegotiateNever RenegotiationSupport = iota
	RenegotiateOnceAsClient
	RenegotiateFreelyAsClient
)
