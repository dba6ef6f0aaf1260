// Object identifiers with components of any size.

package x509

import (
	"bytes"
	"encoding/asn1"
	"errors"
	"math/big"
	"strings"
)

var errNotOID = errors.New("invalid oid")

// An OID is an object identifier as it is encoded: seven bits in a byte, of which all but the last
// of a component have the highest bit. The first component, below 3, is in the second as its
// multiple of 40.
type OID struct {
	der []byte
}

// checkedOID takes encoded components in their shortest forms.
func checkedOID(der []byte) (OID, bool) {
	isStart := true
	for _, b := range der {
		if isStart && b == 0x80 {
			return OID{}, false
		}
		isStart = b < 0x80
	}
	if !isStart || len(der) == 0 {
		return OID{}, false
	}
	return OID{der}, true
}

// fromComponents is the identifier of these components.
func fromComponents(components []*big.Int) (OID, error) {
	if len(components) < 2 {
		return OID{}, errNotOID
	}
	forty, two := big.NewInt(40), big.NewInt(2)
	root, second := components[0], components[1]
	if place := root.Cmp(two); place > 0 || place < 0 && second.Cmp(forty) >= 0 {
		return OID{}, errNotOID
	}
	joint := new(big.Int).Mul(root, forty)
	der := appendSevens(nil, joint.Add(joint, second))
	for _, component := range components[2:] {
		der = appendSevens(der, component)
	}
	return OID{der}, nil
}

// appendSevens appends the number's bits by seven, the last seven without the highest bit.
func appendSevens(der []byte, n *big.Int) []byte {
	for at := (max(n.BitLen(), 1) - 1) / 7 * 7; at >= 0; at -= 7 {
		seven := byte(0x80)
		for bit := range 7 {
			seven |= byte(n.Bit(at+bit)) << bit
		}
		der = append(der, seven)
	}
	der[len(der)-1] &^= 0x80
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
			root := int64(2)
			if n.Cmp(big.NewInt(80)) < 0 {
				root = n.Int64() / 40
			}
			all = append(all, big.NewInt(root))
			n.Sub(n, big.NewInt(40*root))
		}
		all = append(all, n)
		n = new(big.Int)
	}
	return all
}

// bigs are the numbers in a type of any size; ok is false if one is negative.
func bigs[N int | uint64](numbers []N) (all []*big.Int, ok bool) {
	ok = true
	for _, n := range numbers {
		ok = ok && n >= 0
		all = append(all, new(big.Int).SetUint64(uint64(n)))
	}
	return all, ok
}

func OIDFromASN1OID(asn1OID asn1.ObjectIdentifier) (OID, error) {
	if components, ok := bigs(asn1OID); ok {
		return fromComponents(components)
	}
	return OID{}, errors.New("x509: OID components must be non-negative")
}

func OIDFromInts(oid []uint64) (OID, error) {
	components, _ := bigs(oid)
	return fromComponents(components)
}

func (id OID) Equal(other OID) bool                  { return bytes.Equal(id.der, other.der) }
func (id OID) AppendBinary(b []byte) ([]byte, error) { return append(b, id.der...), nil }
func (id OID) AppendText(b []byte) ([]byte, error)   { return append(b, id.String()...), nil }
func (id OID) MarshalBinary() ([]byte, error)        { return id.AppendBinary(nil) }
func (id OID) MarshalText() ([]byte, error)          { return id.AppendText(nil) }
func (id *OID) UnmarshalText(text []byte) error      { return id.parse(string(text)) }

func (id *OID) UnmarshalBinary(b []byte) error {
	if oid, ok := checkedOID(bytes.Clone(b)); ok {
		*id = oid
		return nil
	}
	return errNotOID
}

func ParseOID(oid string) (OID, error) {
	var o OID
	return o, o.parse(oid)
}

func (id *OID) parse(text string) error {
	var components []*big.Int
	for part := range strings.SplitSeq(text, ".") {
		n, ok := new(big.Int).SetString(part, 10)
		// A number may have no sign.
		if !ok || strings.Trim(part[:1], digits) != "" {
			return errNotOID
		}
		components = append(components, n)
	}
	oid, err := fromComponents(components)
	if err == nil {
		id.der = oid.der
	}
	return err
}

func (oid OID) String() string {
	var b []byte
	for i, n := range oid.components() {
		if i > 0 {
			b = append(b, '.')
		}
		b = n.Append(b, 10)
	}
	return string(b)
}

// small is the identifier if no component is too large for those of encoding/asn1, which counts the
// first two as they are encoded.
func (oid OID) small() (asn1.ObjectIdentifier, bool) {
	var ints asn1.ObjectIdentifier
	for i, n := range oid.components() {
		encoded := n
		if i == 1 && ints[0] == 2 {
			encoded = new(big.Int).Add(n, big.NewInt(80))
		}
		if encoded.BitLen() > 31 {
			return nil, false
		}
		ints = append(ints, int(n.Int64()))
	}
	return ints, true
}

func (oid OID) EqualASN1OID(other asn1.ObjectIdentifier) bool {
	ints, ok := oid.small()
	return ok && len(other) >= 2 && ints.Equal(other)
}
