package x509

import (
	"bytes"
	"encoding/asn1"
	"errors"
	"math/big"
	"strings"
)

var errInvalidOID = errors.New("invalid oid")

// An OID is an object identifier with components of any size, as it is encoded: seven bits in a
// byte, of which all but the last of a component have the highest bit.
type OID struct {
	der []byte
}

func ParseOID(oid string) (OID, error) {
	var o OID
	return o, o.parse(oid)
}

// newOID takes encoded components in their shortest forms.
func newOID(der []byte) (OID, bool) {
	if len(der) == 0 || der[len(der)-1] >= 0x80 {
		return OID{}, false
	}
	for i, b := range der {
		if b == 0x80 && (i == 0 || der[i-1] < 0x80) {
			return OID{}, false
		}
	}
	return OID{der}, true
}

// encode is the identifier of these components.
func encode(components []*big.Int) (OID, error) {
	if len(components) < 2 || !components[0].IsUint64() || components[0].Uint64() > 2 ||
		components[0].Uint64() < 2 && components[1].Cmp(big.NewInt(40)) >= 0 {
		return OID{}, errInvalidOID
	}
	first := new(big.Int).Mul(components[0], big.NewInt(40))
	first.Add(first, components[1])
	der := appendComponent(nil, first)
	for _, component := range components[2:] {
		der = appendComponent(der, component)
	}
	return OID{der}, nil
}

func appendComponent(der []byte, n *big.Int) []byte {
	for i := max(n.BitLen()-1, 0) / 7; i >= 0; i-- {
		bits := new(big.Int).Rsh(n, uint(7*i))
		b := byte(new(big.Int).And(bits, big.NewInt(0x7f)).Uint64())
		if i > 0 {
			b |= 0x80
		}
		der = append(der, b)
	}
	return der
}

// components are those of the identifier.
func (oid OID) components() []*big.Int {
	var all []*big.Int
	n := new(big.Int)
	for _, b := range oid.der {
		n.Lsh(n, 7)
		n.Or(n, big.NewInt(int64(b&0x7f)))
		if b >= 0x80 {
			continue
		}
		if all == nil {
			first := int64(2)
			if n.Cmp(big.NewInt(80)) < 0 {
				first = n.Int64() / 40
			}
			all = append(all, big.NewInt(first))
			n.Sub(n, big.NewInt(40*first))
		}
		all = append(all, n)
		n = new(big.Int)
	}
	return all
}

func OIDFromInts(oid []uint64) (OID, error) {
	components := make([]*big.Int, len(oid))
	for i, n := range oid {
		components[i] = new(big.Int).SetUint64(n)
	}
	return encode(components)
}

func OIDFromASN1OID(asn1OID asn1.ObjectIdentifier) (OID, error) {
	components := make([]*big.Int, len(asn1OID))
	for i, n := range asn1OID {
		if n < 0 {
			return OID{}, errors.New("x509: OID components must be non-negative")
		}
		components[i] = big.NewInt(int64(n))
	}
	return encode(components)
}

func (o OID) AppendText(b []byte) ([]byte, error)   { return append(b, o.String()...), nil }
func (o OID) MarshalText() ([]byte, error)          { return o.AppendText(nil) }
func (o *OID) UnmarshalText(text []byte) error      { return o.parse(string(text)) }
func (o OID) AppendBinary(b []byte) ([]byte, error) { return append(b, o.der...), nil }
func (o OID) MarshalBinary() ([]byte, error)        { return o.AppendBinary(nil) }
func (oid OID) Equal(other OID) bool                { return bytes.Equal(oid.der, other.der) }

func (o *OID) UnmarshalBinary(b []byte) error {
	oid, ok := newOID(bytes.Clone(b))
	if !ok {
		return errInvalidOID
	}
	*o = oid
	return nil
}

func (o *OID) parse(text string) error {
	other := func(c rune) bool { return c != '.' && (c < '0' || c > '9') }
	if strings.ContainsFunc(text, other) {
		return errInvalidOID
	}
	var components []*big.Int
	for part := range strings.SplitSeq(text, ".") {
		n, ok := new(big.Int).SetString(part, 10)
		if !ok {
			return errInvalidOID
		}
		components = append(components, n)
	}
	oid, err := encode(components)
	if err == nil {
		o.der = oid.der
	}
	return err
}

func (oid OID) String() string {
	var text []byte
	for i, n := range oid.components() {
		if i > 0 {
			text = append(text, '.')
		}
		text = n.Append(text, 10)
	}
	return string(text)
}

// small is the identifier if no component is too large for those of encoding/asn1.
func (oid OID) small() (asn1.ObjectIdentifier, bool) {
	components := oid.components()
	ints := make(asn1.ObjectIdentifier, len(components))
	for i, n := range components {
		whole := n.BitLen()
		if i == 1 && components[0].Int64() == 2 {
			whole = new(big.Int).Add(n, big.NewInt(80)).BitLen()
		}
		if whole > 31 {
			return nil, false
		}
		ints[i] = int(n.Int64())
	}
	return ints, true
}

func (oid OID) EqualASN1OID(other asn1.ObjectIdentifier) bool {
	ints, ok := oid.small()
	return ok && len(other) >= 2 && ints.Equal(other)
}
