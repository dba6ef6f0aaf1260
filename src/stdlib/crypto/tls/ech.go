package tls

import (
	"bytes"
	"crypto"
	"crypto/hpke"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Encrypted Client Hello. RFC 9849.
//
// A client makes two hellos. The inner one is what it means; the outer one names a public server,
// and has the inner one in an extension, encrypted for whoever published the configuration. What
// both have in common stands in the outer one only. A server that can decrypt it says so with eight
// bytes of its random ones that a sum over the inner hello gives; if it does not, the handshake is
// one with the public server, and comes to an error that can tell of other configurations.

const (
	extFromOuter uint16 = 0xfd00

	echOuter uint8 = 0
	echInner uint8 = 1

	echPrefix     = "tls ech\x00"
	echAccept     = "ech accept confirmation"
	echAcceptHRR  = "hrr ech accept confirmation"
	echAcceptSize = 8
	echTagSize    = 16
	echPadding    = 32 // lengths of inner hellos are multiples of that
	// At the end of a ServerHello's random bytes, with the message's head before them.
	echAcceptAt = 4 + 2 + 32 - echAcceptSize
)

// An ECHRejectionError says that the server did not decrypt the inner hello.
type ECHRejectionError struct {
	// RetryConfigList is what to use instead, from a server whose certificate was checked. It can
	// be empty.
	RetryConfigList []byte
}

func (e *ECHRejectionError) Error() string { return "tls: server rejected ECH" }

// An EncryptedClientHelloKey is what a server decrypts inner hellos with.
type EncryptedClientHelloKey struct {
	Config      []byte // an encoded ECHConfig
	PrivateKey  []byte
	SendAsRetry bool // offers the configuration to clients that have another one
}

// An innerCipher is how an inner hello is encrypted, by numbers of package hpke.
type innerCipher struct{ kdf, aead uint16 }

// An echOffer is a configuration that a server has published.
type echOffer struct {
	raw        []byte
	id         uint8
	kem        uint16
	key        []byte
	ciphers    []innerCipher
	nameSize   uint8 // names are made at least as long
	publicName string
	mandatory  bool // has extensions that have to be known
}

// readOffer reads one configuration, of which there are so many bytes; nil if its version is
// another one. An error tells the field at which there was not enough.
func readOffer(in []byte) (c *echOffer, size int, err error) {
	whole, field := &reader{b: in}, ""
	at := func(r *reader, name string) *reader {
		if !r.bad && !whole.bad {
			field = name
		}
		return r
	}
	version := at(whole, "version").u16()
	size = 4 + int(at(whole, "length").u16())
	whole.bad = whole.bad || len(in) < size
	if !whole.bad && version != extECH {
		return nil, size, nil
	}
	c = &echOffer{raw: in[:min(size, len(in))]}
	c.id = at(whole, "config_id").u8()
	c.kem = at(whole, "kem_id").u16()
	c.key = at(whole, "public_key").sized(2)
	for list := at(whole, "cipher_suites").part(2); list.more(); whole.bad = list.bad {
		kdf := at(list, "cipher_suites kdf_id").u16()
		aead := at(list, "cipher_suites aead_id").u16()
		c.ciphers = append(c.ciphers, innerCipher{kdf, aead})
	}
	c.nameSize = at(whole, "maximum_name_length").u8()
	c.publicName = string(at(whole, "public_name").sized(1))
	for list := at(whole, "extensions").part(2); list.more(); whole.bad = list.bad {
		id := at(list, "extensions type").u16()
		at(list, "extensions data").sized(2)
		c.mandatory = c.mandatory || id&0x8000 != 0
	}
	if whole.bad {
		return nil, 0, errors.New("tls: malformed ECHConfig, invalid " + field + " field")
	}
	return c, size, nil
}

// readOffers reads a list of them, and leaves out those of other versions.
func readOffers(in []byte) (list []*echOffer, err error) {
	r := &reader{b: in}
	if n := r.u16(); r.bad || n != uint16(len(r.b)) {
		return nil, errors.New("tls: malformed ECHConfigList")
	}
	for r.more() {
		if len(r.b) < 4 {
			return nil, errors.New("tls: malformed ECHConfig")
		}
		c, size, err := readOffer(r.b)
		switch {
		case err != nil:
			return nil, err
		case c != nil:
			list = append(list, c)
		}
		r.take(size)
	}
	return list, nil
}

// isPublicName says whether a name has several labels of letters, digits and hyphens within.
func isPublicName(name string) bool {
	labels := strings.Split(name, ".")
	if len(name) > 253 || len(labels) < 2 {
		return false
	}
	isOther := func(c rune) bool {
		return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}
	for _, l := range labels {
		if l == "" || l[0] == '-' || l[len(l)-1] == '-' || strings.ContainsFunc(l, isOther) {
			return false
		}
	}
	return true
}

// An echClient is what a client needs besides its two hellos.
type echClient struct {
	config   *echOffer
	cipher   innerCipher
	sender   *hpke.Sender
	enc      []byte
	inner    *clientHelloMsg
	t        *transcript // of the inner hello
	rejected bool
	retry    []byte // configurations of the server
}

// newECHClient takes the first configuration that this package can use.
func newECHClient(in []byte) (*echClient, error) {
	list, err := readOffers(in)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if !isPublicName(c.publicName) || c.mandatory {
			continue
		}
		kem, err := hpke.NewKEM(c.kem)
		if err != nil {
			continue
		}
		key, err := kem.NewPublicKey(c.key)
		if err != nil {
			continue
		}
		for _, cipher := range c.ciphers {
			kdf, err := hpke.NewKDF(cipher.kdf)
			if err != nil || cipher.aead == hpke.ExportOnly().ID() {
				continue
			}
			aead, err := hpke.NewAEAD(cipher.aead)
			if err != nil {
				continue
			}
			e := &echClient{config: c, cipher: cipher}
			info := append([]byte(echPrefix), c.raw...)
			if e.enc, e.sender, err = hpke.NewSender(key, kdf, aead, info); err != nil {
				return nil, err
			}
			return e, nil
		}
	}
	return nil, errors.New("tls: EncryptedClientHelloConfigList contains no valid configs")
}

// makeECH has the hello be an inner one, if the configuration asks for that.
func (hs *clientState) makeECH() (err error) {
	config, hello := hs.c.config, hs.hello
	if config.EncryptedClientHelloConfigList == nil {
		return nil
	}
	const need = "Version must be >= VersionTLS13 if EncryptedClientHelloConfigList is populated"
	if config.MinVersion != 0 && config.MinVersion < VersionTLS13 {
		return errors.New("tls: Min" + need)
	}
	if config.MaxVersion != 0 && config.MaxVersion <= VersionTLS12 {
		return errors.New("tls: Max" + need)
	}
	if hs.ech, err = newECHClient(config.EncryptedClientHelloConfigList); err != nil {
		return err
	}
	hello.ech = []byte{echInner}
	// An inner hello has nothing that is for older versions.
	hello.points, hello.renegotiationSupported, hello.extendedMaster = nil, false, false
	return nil
}

// splitHello keeps the hello as the inner one, and makes it the outer one.
func (hs *clientState) splitHello() error {
	inner := *hs.hello
	inner.psks = slices.Clone(inner.psks)
	hs.ech.inner = &inner
	hs.hello.hostName = hs.ech.config.publicName
	hs.hello.random = make([]byte, 32)
	if err := hs.c.fillRandom(hs.hello.random); err != nil {
		return errors.New("tls: short read from Rand: " + err.Error())
	}
	return hs.ech.encrypt(hs.hello, hs.ech.enc)
}

// encrypt puts the inner hello into the outer one; enc is for the first of them only.
func (e *echClient) encrypt(outer *clientHelloMsg, enc []byte) error {
	plain, err := e.inner.marshalInner(int(e.config.nameSize))
	if err != nil {
		return err
	}
	put := func(payload []byte) ([]byte, error) {
		w := &builder{}
		w.u8(echOuter)
		w.u16(e.cipher.kdf)
		w.u16(e.cipher.aead)
		w.u8(e.config.id)
		w.sized(2, enc)
		w.sized(2, payload)
		return w.b, w.err
	}
	// What is authenticated is the outer hello with zeros in place of the inner one.
	if outer.ech, err = put(make([]byte, len(plain)+echTagSize)); err != nil {
		return err
	}
	raw, err := marshal(outer)
	if err != nil {
		return err
	}
	payload, err := e.sender.Seal(raw[4:], plain)
	if err != nil {
		return err
	}
	outer.ech, err = put(payload)
	return err
}

// marshalInner is the body of an inner hello, without what the outer one has too, and zeros behind
// it that hide the length of the server's name.
func (m *clientHelloMsg) marshalInner(nameSize int) ([]byte, error) {
	inner := *m
	inner.sessionID = nil
	k := &coder{w: &builder{}}
	inner.first(k)
	var ids []uint16
	for _, e := range inner.common() {
		if e.isThere {
			ids = append(ids, e.id)
		}
	}
	fromOuter := extension{extFromOuter, true, func(k *coder) { u16s(k, 1, false, &ids) }}
	k.extensions(true, slices.Concat(inner.own(), []extension{fromOuter}, inner.last()))
	padding := nameSize + 9
	if m.hostName != "" {
		padding = max(0, nameSize-len(m.hostName))
	}
	padding += -(len(k.w.b) + padding) & (echPadding - 1)
	k.w.add(make([]byte, padding))
	return k.w.b, k.w.err
}

// echConfirmation is what says that the inner hello with those random bytes was accepted; sum is
// that of the messages up to where it stands, with zeros in its place.
func echConfirmation(h crypto.Hash, random, sum []byte, label string) []byte {
	return expandLabel(h, extract(h, random, nil), label, sum, echAcceptSize)
}

// finishECH finds out from the ServerHello whether the inner hello was accepted.
func (hs *clientState) finishECH(serverRaw []byte) error {
	c, e := hs.c, hs.ech
	sum := e.t.sumWith(
		serverRaw[:echAcceptAt], make([]byte, echAcceptSize), serverRaw[echAcceptAt+echAcceptSize:])
	want := echConfirmation(hs.suite.hash, e.inner.random, sum, echAccept)
	got := hs.server.random[len(hs.server.random)-echAcceptSize:]
	if subtle.ConstantTimeCompare(want, got) != 1 {
		e.rejected = true
		return nil
	}
	hs.hello, hs.t = e.inner, e.t
	c.hostName, c.innerTaken = c.config.ServerName, true
	if hs.server.ech != nil {
		return c.complain(extensionUncalled, "unexpected encrypted client hello extension "+
			"in server hello despite ECH being accepted")
	}
	if hs.hello.hostName == "" && hs.server.hostNameTaken {
		return c.complain(
			extensionUncalled, "unexpected server_name extension in server hello")
	}
	return nil
}

// retryECH looks into a HelloRetryRequest; before is what the first inner hello became, and the
// request. It gives the hello that goes on, which is the inner one if that was accepted.
func (hs *clientState) retryECH(request []byte) (hello *clientHelloMsg, before []byte, err error) {
	c, e, m := hs.c, hs.ech, hs.server
	before = append(e.t.restart(), request...)
	hello = hs.hello
	if m.ech != nil {
		if len(m.ech) != echAcceptSize {
			return nil, nil, c.complain(
				malformedMessage, "malformed encrypted client hello extension")
		}
		sum := e.t.sumWith(bytes.Replace(request, m.ech, make([]byte, echAcceptSize), 1))
		want := echConfirmation(hs.suite.hash, e.inner.random, sum, echAcceptHRR)
		if subtle.ConstantTimeCompare(want, m.ech) == 1 {
			hello = e.inner
			c.hostName, c.innerTaken = c.config.ServerName, true
		}
	}
	e.t.add(request)
	return hello, before, nil
}

// The server's side.

var (
	errMalformedECH = errors.New("tls: malformed encrypted_client_hello extension")
	errInvalidECH   = errors.New("tls: client sent invalid encrypted_client_hello extension")
)

// An echServer is what a server needs for a second hello.
type echServer struct {
	isInner   bool // the client's hello was an inner one already
	recipient *hpke.Recipient
	id        uint8
	cipher    innerCipher
}

// An echPayload is the extension of a client's hello.
type echPayload struct {
	kind         uint8
	cipher       innerCipher
	id           uint8
	enc, payload []byte
}

func parseECHExtension(in []byte) (e echPayload, err error) {
	r := &reader{b: in}
	e.kind = r.u8()
	if r.bad {
		return e, errMalformedECH
	}
	switch e.kind {
	case echInner:
		if r.more() {
			return e, errMalformedECH
		}
		return e, nil
	case echOuter:
	default:
		return e, errInvalidECH
	}
	e.cipher = innerCipher{r.u16(), r.u16()}
	e.id = r.u8()
	e.enc, e.payload = r.sized(2), r.sized(2)
	if r.bad {
		return e, errMalformedECH
	}
	return e, nil
}

// echKeys is the keys that the configuration has for this client.
func (hs *serverState) echKeys() (keys []EncryptedClientHelloKey, err error) {
	config := hs.c.config
	keys = config.EncryptedClientHelloKeys
	if ask := config.GetEncryptedClientHelloKeys; ask != nil {
		if keys, err = ask(hs.info()); err != nil {
			hs.c.raise(ownFault)
			keys = nil
		}
	}
	return keys, err
}

// takeECH puts the inner hello in the place of the outer one, if there is one and a key for it.
func (hs *serverState) takeECH() error {
	c := hs.c
	if len(hs.client.ech) == 0 {
		return nil
	}
	keys, err := hs.echKeys()
	if err != nil {
		return err
	}
	e, err := parseECHExtension(hs.client.ech)
	switch {
	case err == errInvalidECH:
		return c.give(illegalValue, errInvalidECH)
	case err != nil:
		return c.give(malformedMessage, errInvalidECH)
	case e.kind == echInner:
		hs.ech = &echServer{isInner: true}
		return nil
	}
	for _, key := range keys {
		recipient, err := key.recipient(e)
		if err != nil {
			return c.give(ownFault, err)
		}
		if recipient == nil {
			continue
		}
		plain, err := openECH(recipient, hs.raw, e.payload)
		if err != nil {
			continue
		}
		inner, raw, err := joinHello(hs.client, hs.raw, plain)
		if err != nil {
			return c.give(illegalValue, errInvalidECH)
		}
		hs.client, hs.raw = inner, raw
		hs.ech = &echServer{recipient: recipient, id: e.id, cipher: e.cipher}
		c.innerTaken = true
		return nil
	}
	return nil
}

// recipient is nil if the hello is not for that key.
func (k *EncryptedClientHelloKey) recipient(e echPayload) (*hpke.Recipient, error) {
	const invalid = "tls: invalid EncryptedClientHelloKey "
	config, _, err := readOffer(k.Config)
	if err != nil {
		return nil, fmt.Errorf(invalid+"Config: %s", err)
	}
	if config == nil {
		return nil, nil
	}
	kem, err := hpke.NewKEM(config.kem)
	if err != nil {
		return nil, fmt.Errorf(invalid+"Config KEM: %s", err)
	}
	private, err := kem.NewPrivateKey(k.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf(invalid+"PrivateKey: %s", err)
	}
	kdf, err := hpke.NewKDF(e.cipher.kdf)
	if err != nil {
		return nil, fmt.Errorf(invalid+"Config KDF: %s", err)
	}
	aead, err := hpke.NewAEAD(e.cipher.aead)
	if err != nil {
		return nil, fmt.Errorf(invalid+"Config AEAD: %s", err)
	}
	info := append([]byte(echPrefix), k.Config...)
	recipient, err := hpke.NewRecipient(e.enc, private, kdf, aead, info)
	if err != nil {
		return nil, nil
	}
	return recipient, nil
}

// openECH decrypts the payload, which the outer hello authenticates with zeros in its place.
func openECH(recipient *hpke.Recipient, raw, payload []byte) ([]byte, error) {
	aad := bytes.Replace(raw[4:], payload, make([]byte, len(payload)), 1)
	return recipient.Open(aad, payload)
}

// joinHello makes the inner hello whole, with what the outer one has for both.
func joinHello(
	outer *clientHelloMsg, outerRaw, plain []byte,
) (inner *clientHelloMsg, raw []byte, err error) {
	invalid := errors.New("tls: invalid inner client hello")
	r := &reader{b: plain}
	w := &builder{}
	w.u8(kindClientHello)
	whole := w.open(3)
	w.add(r.take(2 + 32))
	if id := r.sized(1); len(id) > 0 {
		return nil, nil, invalid
	}
	w.sized(1, outer.sessionID)
	w.sized(2, r.sized(2))
	w.sized(1, r.sized(1))
	list := r.part(2)
	if r.bad || bytes.Count(r.b, []byte{0}) < len(r.b) {
		return nil, nil, invalid
	}
	shared, err := rawExtensions(outerRaw)
	if err != nil {
		return nil, nil, err
	}
	all := w.open(2)
	hasShared := false
	for list.more() {
		id, content := list.u16(), list.part(2)
		if list.bad {
			return nil, nil, invalid
		}
		if id != extFromOuter {
			w.u16(id)
			w.sized(2, content.b)
			continue
		}
		ids := content.part(1)
		if hasShared || !content.done() || !ids.more() {
			return nil, nil, invalid
		}
		hasShared = true
		for ids.more() {
			// They stand in the same order in both.
			id := ids.u16()
			i := slices.IndexFunc(shared, func(e plainExtension) bool { return e.id == id })
			if ids.bad || i < 0 || id == extECH ||
				id == extFromOuter {
				return nil, nil, invalid
			}
			w.u16(id)
			w.sized(2, shared[i].content)
			shared = shared[i+1:]
		}
	}
	w.close(all)
	w.close(whole)
	inner = &clientHelloMsg{}
	if w.err != nil || !unmarshal(inner, w.b) || !bytes.Equal(inner.ech, []byte{echInner}) {
		return nil, nil, invalid
	}
	isNew := false
	for _, v := range inner.versions {
		// Some versions are nonsense, lest servers stumble over what they do not know.
		if v&0x0f0f == 0x0a0a && v&0xff == v>>8 {
			continue
		}
		if v < VersionTLS13 {
			return nil, nil, invalid
		}
		isNew = isNew || v == VersionTLS13
	}
	if !isNew {
		return nil, nil, invalid
	}
	return inner, w.b, nil
}

type plainExtension struct {
	id      uint16
	content []byte
}

// rawExtensions is the extensions of a client's hello.
func rawExtensions(raw []byte) (list []plainExtension, err error) {
	r := &reader{b: raw}
	r.take(4 + 2 + 32)
	r.sized(1)
	r.sized(2)
	r.sized(1)
	all := r.part(2)
	for all.more() {
		list = append(list, plainExtension{all.u16(), all.sized(2)})
	}
	if r.bad || all.bad {
		return nil, errors.New("tls: malformed outer client hello")
	}
	return list, nil
}

// takeSecondECH does the same with the hello that comes after a HelloRetryRequest.
func (hs *serverState) takeSecondECH(
	m *clientHelloMsg, raw []byte,
) (*clientHelloMsg, []byte, error) {
	c := hs.c
	if hs.ech == nil {
		return m, raw, nil
	}
	fail := func(a alert, text string) (*clientHelloMsg, []byte, error) {
		return nil, nil, c.complain(a, "%s", text)
	}
	if len(m.ech) == 0 {
		return fail(extensionLacking,
			"second client hello missing encrypted client hello extension")
	}
	e, err := parseECHExtension(m.ech)
	if err != nil {
		return fail(malformedMessage, "client sent invalid encrypted client hello extension")
	}
	if (e.kind == echInner) != hs.ech.isInner {
		return fail(malformedMessage,
			"unexpected switch in encrypted client hello extension type")
	}
	if e.kind == echInner {
		return m, raw, nil
	}
	if e.cipher != hs.ech.cipher || e.id != hs.ech.id || len(e.enc) != 0 {
		return fail(illegalValue,
			"second client hello encrypted client hello extension does not match")
	}
	plain, err := openECH(hs.ech.recipient, raw, e.payload)
	if err != nil {
		return fail(proofWrong,
			"failed to decrypt second client hello encrypted client hello extension payload")
	}
	inner, innerRaw, err := joinHello(m, raw, plain)
	if err != nil {
		return fail(illegalValue, "client sent invalid encrypted client hello extension")
	}
	return inner, innerRaw, nil
}

// confirmECH marks the ServerHello as one that answers the inner hello.
func (hs *serverState) confirmECH() error {
	if hs.ech == nil {
		return nil
	}
	end := hs.hello.random[len(hs.hello.random)-echAcceptSize:]
	clear(end)
	raw, err := marshal(hs.hello)
	if err != nil {
		return err
	}
	sum := hs.t.sumWith(hs.raw, raw)
	copy(end, echConfirmation(hs.suite.hash, hs.client.random, sum, echAccept))
	return nil
}

// confirmRetryECH does the same with a HelloRetryRequest.
func (hs *serverState) confirmRetryECH(request *serverHelloMsg) error {
	if hs.ech == nil {
		return nil
	}
	request.ech = make([]byte, echAcceptSize)
	raw, err := marshal(request)
	if err != nil {
		return err
	}
	request.ech = echConfirmation(
		hs.suite.hash, hs.client.random, hs.t.sumWith(raw), echAcceptHRR)
	return nil
}

// newOffers is what a client is told to use whose inner hello could not be decrypted.
func (hs *serverState) newOffers() ([]byte, error) {
	keys, err := hs.echKeys()
	if err != nil || len(hs.client.ech) == 0 || hs.ech != nil {
		return nil, err
	}
	offered := only(keys, func(k EncryptedClientHelloKey) bool { return k.SendAsRetry })
	if len(offered) == 0 {
		return nil, nil
	}
	w := &builder{}
	list := w.open(2)
	for _, key := range offered {
		w.add(key.Config)
	}
	w.close(list)
	if w.err != nil {
		return nil, hs.c.give(ownFault, w.err)
	}
	return w.b, nil
}
