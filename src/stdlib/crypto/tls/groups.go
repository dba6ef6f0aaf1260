package tls

import (
	"crypto"
	"crypto/ecdh"
	"crypto/mlkem"
	"errors"
	"io"
	"slices"
)

// Groups: the ways to a shared secret.
//
// A group has a part on a curve, a part of ML-KEM, or one of each, a hybrid. What a hybrid sends is
// what its parts would send, one behind the other, and so is its secret: the part on a curve is
// first, save in X25519MLKEM768.

// groups is those that this package knows, in the order in which they are preferred.
var groups = []CurveID{
	X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024, MLKEM1024,
	X25519, CurveP256, CurveP384, CurveP521,
}

// quantumSafe says whether the group has a part of ML-KEM. Such are for TLS 1.3 only.
func (id CurveID) quantumSafe() bool {
	switch id {
	case X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024, MLKEM1024:
		return true
	}
	return false
}

// curves is what the configuration allows in that version.
func (c *Config) curves(version uint16) (list []CurveID) {
	for _, id := range groups {
		if c.allows(version, id) {
			list = append(list, id)
		}
	}
	return list
}

func (c *Config) allows(version uint16, id CurveID) bool {
	if version < VersionTLS13 && id.quantumSafe() {
		return false
	}
	if len(c.CurvePreferences) > 0 {
		return slices.Contains(groups, id) && slices.Contains(c.CurvePreferences, id)
	}
	switch id {
	case X25519, CurveP256, CurveP384, CurveP521:
		return true
	case X25519MLKEM768:
		return setting("tlsmlkem") != "0"
	case SecP256r1MLKEM768, SecP384r1MLKEM1024:
		return setting("tlsmlkem") != "0" && setting("tlssecpmlkem") != "0"
	}
	return false
}

func curveOf(id CurveID) ecdh.Curve {
	switch id {
	case X25519:
		return ecdh.X25519()
	case CurveP256:
		return ecdh.P256()
	case CurveP384:
		return ecdh.P384()
	case CurveP521:
		return ecdh.P521()
	}
	return nil
}

// curvePart is the group of the hybrid's part on a curve, of which a share has so many bytes; of a
// group that has a curve only it is the group itself, and of MLKEM1024 zero.
func (id CurveID) curvePart() (part CurveID, size int) {
	switch id {
	case X25519MLKEM768:
		return X25519, 32
	case SecP256r1MLKEM768:
		return CurveP256, 65
	case SecP384r1MLKEM1024:
		return CurveP384, 97
	case MLKEM1024:
		return 0, 0
	}
	return id, 0
}

// A lattice is a size of ML-KEM.
type lattice struct {
	public, ciphertext int // in bytes
	generate           func() (crypto.Decapsulator, error)
	parse              func([]byte) (crypto.Encapsulator, error)
}

// What makes and parses the keys becomes what takes and gives interfaces.
func latticeOf[D crypto.Decapsulator, E crypto.Encapsulator](
	public, ciphertext int, generate func() (D, error), parse func([]byte) (E, error),
) *lattice {
	return &lattice{
		public, ciphertext,
		func() (crypto.Decapsulator, error) { return generate() },
		func(p []byte) (crypto.Encapsulator, error) { return parse(p) },
	}
}

var (
	mlkem768 = latticeOf(mlkem.EncapsulationKeySize768, mlkem.CiphertextSize768,
		mlkem.GenerateKey768, mlkem.NewEncapsulationKey768)
	mlkem1024 = latticeOf(mlkem.EncapsulationKeySize1024, mlkem.CiphertextSize1024,
		mlkem.GenerateKey1024, mlkem.NewEncapsulationKey1024)
)

// latticePart is the group's part of ML-KEM, or nil.
func (id CurveID) latticePart() *lattice {
	switch id {
	case X25519MLKEM768, SecP256r1MLKEM768:
		return mlkem768
	case SecP384r1MLKEM1024, MLKEM1024:
		return mlkem1024
	}
	return nil
}

// join puts the two parts of a share or of a secret into the group's order.
func (id CurveID) join(ofCurve, ofLattice []byte) []byte {
	if id == X25519MLKEM768 {
		return slices.Concat(ofLattice, ofCurve)
	}
	return slices.Concat(ofCurve, ofLattice)
}

// split takes a share apart, whose part of ML-KEM has so many bytes.
func (id CurveID) split(share []byte, ofLattice int) (onCurve, onLattice []byte, err error) {
	_, size := id.curvePart()
	if len(share) != size+ofLattice {
		return nil, nil, errors.New("tls: invalid key share length for hybrid key exchange")
	}
	if id == X25519MLKEM768 {
		return share[ofLattice:], share[:ofLattice], nil
	}
	return share[:size], share[size:], nil
}

// A shareKey is what stays here of a share: the keys of its parts.
type shareKey struct {
	group   CurveID
	ecdh    *ecdh.PrivateKey
	lattice crypto.Decapsulator
}

// newKey makes keys for the parts of a group.
func newKey(random io.Reader, id CurveID) (k *shareKey, err error) {
	k = &shareKey{group: id}
	if part, _ := id.curvePart(); part != 0 {
		k.ecdh, err = curveOf(part).GenerateKey(random)
	}
	if kem := id.latticePart(); kem != nil && err == nil {
		k.lattice, err = kem.generate()
	}
	return k, err
}

// onCurve is what is sent of the part on a curve.
func (k *shareKey) onCurve() []byte {
	if k.ecdh == nil {
		return nil
	}
	return k.ecdh.PublicKey().Bytes()
}

// shares is a client's share, and for a hybrid a second one, with the same key, in the group of its
// curve.
func (k *shareKey) shares() (list []groupShare) {
	part, _ := k.group.curvePart()
	alone := groupShare{part, k.onCurve()}
	if k.lattice != nil {
		both := k.group.join(alone.data, k.lattice.Encapsulator().Bytes())
		list = append(list, groupShare{k.group, both})
	}
	if part != 0 {
		list = append(list, alone)
	}
	return list
}

// curveSecret is what the key on a curve and the peer's share make; nothing if there is no curve.
func (k *shareKey) curveSecret(theirs []byte) ([]byte, error) {
	if k.ecdh == nil {
		return nil, nil
	}
	public, err := k.ecdh.Curve().NewPublicKey(theirs)
	if err != nil {
		return nil, err
	}
	return k.ecdh.ECDH(public)
}

// secret is what a client's key and the server's share make, which is in the key's group or in that
// of its curve.
func (k *shareKey) secret(theirs groupShare) (shared []byte, err error) {
	kem := theirs.group.latticePart()
	if kem == nil {
		return k.curveSecret(theirs.data)
	}
	var curve, lattice, decapsulated []byte
	err = inOrder(
		func() (err error) { curve, lattice, err = k.group.split(theirs.data, kem.ciphertext); return },
		func() (err error) { curve, err = k.curveSecret(curve); return },
		func() (err error) { decapsulated, err = k.lattice.Decapsulate(lattice); return },
	)
	if err == nil {
		shared = k.group.join(curve, decapsulated)
	}
	return shared, err
}

// answer is the share with which a server answers the client's, and the secret of both.
func answer(random io.Reader, theirs groupShare) (secret []byte, ours groupShare, err error) {
	id := theirs.group
	ours.group = id
	onCurve, kem := theirs.data, id.latticePart()
	var public crypto.Encapsulator
	var onLattice []byte
	if kem != nil {
		if onCurve, onLattice, err = id.split(theirs.data, kem.public); err != nil {
			return nil, ours, err
		}
	}
	if part, _ := id.curvePart(); part != 0 {
		key, err := newKey(random, part)
		if err != nil {
			return nil, ours, err
		}
		if secret, err = key.curveSecret(onCurve); err != nil {
			return nil, ours, err
		}
		ours.data = key.onCurve()
	}
	if kem != nil {
		if public, err = kem.parse(onLattice); err != nil {
			return nil, ours, err
		}
		shared, ciphertext := public.Encapsulate()
		secret, ours.data = id.join(secret, shared), id.join(ours.data, ciphertext)
	}
	return secret, ours, nil
}
