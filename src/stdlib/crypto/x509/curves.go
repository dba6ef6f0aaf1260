// Named curves of elliptic curve keys, RFC 5480, as one table for keys that sign and keys that
// agree on secrets.

package x509

import (
	"crypto/ecdh"
	"crypto/elliptic"
)

// A namedCurve has the two forms in which programs have it; none agrees on P-224.
type namedCurve struct {
	id      identifier
	signs   func() elliptic.Curve
	agrees  func() ecdh.Curve
	usually SignatureAlgorithm
}

var namedCurves = []namedCurve{
	{id(ansiECDSA, 3, 1, 7), elliptic.P256, ecdh.P256, ECDSAWithSHA256},
	{id(certicom, 34), elliptic.P384, ecdh.P384, ECDSAWithSHA384},
	{id(certicom, 35), elliptic.P521, ecdh.P521, ECDSAWithSHA512},
	{id(certicom, 33), elliptic.P224, nil, ECDSAWithSHA256},
}

// findCurve is the curve that fits, or one of which nothing is set.
func findCurve(fits func(*namedCurve) bool) *namedCurve {
	for i := range namedCurves {
		if c := &namedCurves[i]; fits(c) {
			return c
		}
	}
	return &namedCurve{}
}

func signingCurve(curve elliptic.Curve) *namedCurve {
	return findCurve(func(c *namedCurve) bool { return c.signs() == curve })
}

func agreeingCurve(curve ecdh.Curve) *namedCurve {
	return findCurve(func(c *namedCurve) bool { return c.agrees != nil && c.agrees() == curve })
}

// curveNamed is nil where the name is not known.
func curveNamed(name identifier) elliptic.Curve {
	c := findCurve(func(c *namedCurve) bool { return c.id.Equal(name) })
	if c.signs == nil {
		return nil
	}
	return c.signs()
}
