// Messages of handshakes. Each is a struct that puts its body into a builder and takes it from a
// reader; wire.go has those two.

package tls

// Names of messages are Go's, since errors tell them.

const (
	kindHelloRequest        uint8 = 0
	kindClientHello         uint8 = 1
	kindServerHello         uint8 = 2
	kindNewSessionTicket    uint8 = 4
	kindEndOfEarlyData      uint8 = 5
	kindEncryptedExtensions uint8 = 8
	kindCertificate         uint8 = 11
	kindServerKeyExchange   uint8 = 12
	kindCertificateRequest  uint8 = 13
	kindServerHelloDone     uint8 = 14
	kindCertificateVerify   uint8 = 15
	kindClientKeyExchange   uint8 = 16
	kindFinished            uint8 = 20
	kindCertificateStatus   uint8 = 22
	kindKeyUpdate           uint8 = 24
	kindMessageHash         uint8 = 254 // of a transcript only
)

const (
	extHostName       uint16 = 0
	extStatus         uint16 = 5
	extGroups         uint16 = 10
	extPoints         uint16 = 11
	extSchemes        uint16 = 13
	extProtos         uint16 = 16
	extSCTs           uint16 = 18
	extExtendedMaster uint16 = 23
	extTicket         uint16 = 35
	extPSK            uint16 = 41
	extZeroRTT        uint16 = 42
	extVersions       uint16 = 43
	extCookie         uint16 = 44
	extPSKUses        uint16 = 45
	extAuthorities    uint16 = 47
	extChainSchemes   uint16 = 50
	extShares         uint16 = 51
	extQUIC           uint16 = 57
	extECH            uint16 = 0xfe0d
	extRenegotiation  uint16 = 0xff01
)

const (
	notCompressed  uint8 = 0
	wholePoints    uint8 = 0
	pskWithDHE     uint8 = 1
	statusOCSP     uint8 = 1
	signerRSA      uint8 = 1
	signerECDSA    uint8 = 64
	curveTypeNamed uint8 = 3
)

// renegotiationSignal stands among the suites for an empty renegotiation_info.
const renegotiationSignal uint16 = 0x00ff

// A message is one of a handshake; put and take know its body.
type message interface {
	kind() uint8
	put(w *builder)
	take(r *reader)
}

// marshal is the message with its head.
func marshal(m message) ([]byte, error) {
	w := &builder{b: make([]byte, 0, 512)}
	w.u8(m.kind())
	k := w.open(3)
	m.put(w)
	w.close(k)
	return w.b, w.err
}

// unmarshal reads the body behind the head into m.
func unmarshal(m message, raw []byte) bool {
	r := &reader{b: raw[4:]}
	m.take(r)
	return r.done()
}

type groupShare struct {
	group CurveID
	data  []byte
}

type offeredTicket struct {
	label []byte
	age   uint32 // in milliseconds, with what the server gave to hide it
}

type helloRequestMsg struct{}

func (m *helloRequestMsg) kind() uint8    { return kindHelloRequest }
func (m *helloRequestMsg) put(w *builder) {}
func (m *helloRequestMsg) take(r *reader) {}

type clientHelloMsg struct {
	vers                     uint16
	random, sessionID        []byte
	suites                   []uint16
	compressions             []uint8
	hostName                 string
	ocsp, scts               bool
	curves                   []CurveID
	points                   []uint8
	takesTickets             bool
	ticket                   []byte
	signatures, certificates []SignatureScheme
	renegotiationSupported   bool
	renegotiation            []byte
	extendedMaster           bool
	protos                   []string
	versions                 []uint16
	cookie                   []byte
	shares                   []groupShare
	zeroRTT                  bool
	quic                     []byte // the transport's parameters, nil if there are none
	pskUses                  []uint8
	psks                     []offeredTicket
	binders                  [][]byte
	ech                      []byte
	extensions               []uint16 // what was read, in its order
}

func (m *clientHelloMsg) kind() uint8 { return kindClientHello }

func (m *clientHelloMsg) put(w *builder) {
	w.u16(m.vers)
	w.add(m.random)
	w.sized(1, m.sessionID)
	u16s(w, m.suites)
	w.sized(1, m.compressions)
	all := w.open(2)
	m.putExtensions(w)
	w.close(all)
}

func (m *clientHelloMsg) putServerName(w *builder) {
	if m.hostName != "" {
		e := w.extension(extHostName)
		list := w.open(2)
		w.u8(0)
		w.sized(2, []byte(m.hostName))
		w.close(list)
		w.close(e)
	}
}

func (m *clientHelloMsg) putQUIC(w *builder) {
	w.flag(m.zeroRTT, extZeroRTT)
	if m.quic != nil {
		e := w.extension(extQUIC)
		w.add(m.quic)
		w.close(e)
	}
}

func (m *clientHelloMsg) putECH(w *builder) {
	if len(m.ech) > 0 {
		e := w.extension(extECH)
		w.add(m.ech)
		w.close(e)
	}
}

func (m *clientHelloMsg) putExtensions(w *builder) {
	m.putServerName(w)
	if len(m.points) > 0 {
		e := w.extension(extPoints)
		w.sized(1, m.points)
		w.close(e)
	}
	if m.takesTickets {
		e := w.extension(extTicket)
		w.add(m.ticket)
		w.close(e)
	}
	if m.renegotiationSupported {
		e := w.extension(extRenegotiation)
		w.sized(1, m.renegotiation)
		w.close(e)
	}
	w.flag(m.extendedMaster, extExtendedMaster)
	w.flag(m.scts, extSCTs)
	m.putQUIC(w)
	m.putECH(w)
	m.putCommon(w)
	// A hello that hides another one leaves sessions to that.
	if len(m.ech) <= 1 {
		m.putPSK(w)
	}
}

// putCommon puts what an inner and an outer hello have in common, in one piece.
func (m *clientHelloMsg) putCommon(w *builder) {
	if m.ocsp {
		e := w.extension(extStatus)
		w.u8(statusOCSP)
		w.u32(0) // no responders, no extensions
		w.close(e)
	}
	if len(m.curves) > 0 {
		e := w.extension(extGroups)
		u16s(w, m.curves)
		w.close(e)
	}
	putSchemes(w, extSchemes, m.signatures)
	putSchemes(w, extChainSchemes, m.certificates)
	putProtos(w, m.protos)
	if len(m.versions) > 0 {
		e := w.extension(extVersions)
		k := w.open(1)
		for _, v := range m.versions {
			w.u16(v)
		}
		w.close(k)
		w.close(e)
	}
	if len(m.cookie) > 0 {
		e := w.extension(extCookie)
		w.sized(2, m.cookie)
		w.close(e)
	}
	if len(m.shares) > 0 {
		e := w.extension(extShares)
		k := w.open(2)
		for _, s := range m.shares {
			w.u16(uint16(s.group))
			w.sized(2, s.data)
		}
		w.close(k)
		w.close(e)
	}
	if len(m.pskUses) > 0 {
		e := w.extension(extPSKUses)
		w.sized(1, m.pskUses)
		w.close(e)
	}
}

func (m *clientHelloMsg) putPSK(w *builder) {
	if len(m.psks) > 0 {
		// This one is the last, since the binders authenticate all before them.
		e := w.extension(extPSK)
		k := w.open(2)
		for _, p := range m.psks {
			w.sized(2, p.label)
			w.u32(p.age)
		}
		w.close(k)
		k = w.open(2)
		for _, b := range m.binders {
			w.sized(1, b)
		}
		w.close(k)
		w.close(e)
	}
}

// bindersSize is how many bytes at the end of the message its binders do not authenticate.
func (m *clientHelloMsg) bindersSize() int {
	n := 2
	for _, b := range m.binders {
		n += 1 + len(b)
	}
	return n
}

func putSchemes(w *builder, id uint16, list []SignatureScheme) {
	if len(list) > 0 {
		e := w.extension(id)
		u16s(w, list)
		w.close(e)
	}
}

func putProtos(w *builder, protos []string) {
	if len(protos) > 0 {
		e := w.extension(extProtos)
		k := w.open(2)
		for _, p := range protos {
			w.sized(1, []byte(p))
		}
		w.close(k)
		w.close(e)
	}
}

func (m *clientHelloMsg) take(r *reader) {
	m.vers = r.u16()
	m.random = r.take(32)
	m.sessionID = r.sized(1)
	m.suites = readU16s[uint16](r, true)
	for _, id := range m.suites {
		m.renegotiationSupported = m.renegotiationSupported || id == renegotiationSignal
	}
	m.compressions = r.sized(1)
	if r.more() {
		r.extensions(true, m.takeExtension)
	}
}

func (m *clientHelloMsg) takeExtension(id uint16, p, rest *reader) bool {
	m.extensions = append(m.extensions, id)
	switch id {
	case extHostName:
		p.list(2, false, func(p *reader) {
			kind, name := p.u8(), p.must(2)
			if kind != 0 || p.bad {
				return
			}
			// One name of the kind, and no dot at its end.
			p.bad = m.hostName != "" || name[len(name)-1] == '.'
			m.hostName = string(name)
		})
	case extStatus:
		m.ocsp = p.u8() == statusOCSP
		p.sized(2)
		p.sized(2)
	case extGroups:
		m.curves = readU16s[CurveID](p, false)
	case extPoints:
		m.points = p.must(1)
	case extTicket:
		m.takesTickets = true
		m.ticket = p.take(len(p.b))
	case extSchemes:
		m.signatures = readU16s[SignatureScheme](p, false)
	case extChainSchemes:
		m.certificates = readU16s[SignatureScheme](p, false)
	case extRenegotiation:
		m.renegotiation = p.sized(1)
		m.renegotiationSupported = true
	case extExtendedMaster:
		m.extendedMaster = true
	case extProtos:
		p.list(2, false, func(p *reader) { m.protos = append(m.protos, string(p.must(1))) })
	case extSCTs:
		m.scts = true
	case extVersions:
		p.list(1, false, func(p *reader) { m.versions = append(m.versions, p.u16()) })
	case extCookie:
		m.cookie = p.must(2)
	case extShares:
		p.list(2, true, func(p *reader) {
			m.shares = append(m.shares, groupShare{CurveID(p.u16()), p.must(2)})
		})
	case extZeroRTT:
		m.zeroRTT = true
	case extPSKUses:
		m.pskUses = p.sized(1)
	case extQUIC:
		m.quic = p.take(len(p.b))
	case extECH:
		m.ech = p.take(len(p.b))
	case extPSK:
		p.bad = p.bad || rest.more()
		p.list(2, false, func(p *reader) { m.psks = append(m.psks, offeredTicket{p.must(2), p.u32()}) })
		p.list(2, false, func(p *reader) { m.binders = append(m.binders, p.must(1)) })
	default:
		return false
	}
	return true
}

type serverHelloMsg struct {
	vers                   uint16
	random, sessionID      []byte
	suite                  uint16
	compression            uint8
	ocsp, takesTickets     bool
	renegotiationSupported bool
	renegotiation          []byte
	extendedMaster         bool
	proto                  string
	scts                   [][]byte
	version                uint16 // from an extension
	share                  groupShare
	pskSelected            bool
	psk                    uint16
	points                 []uint8
	hostNameTaken          bool
	ech                    []byte

	// What only a HelloRetryRequest has.
	cookie []byte
	group  CurveID
}

func (m *serverHelloMsg) kind() uint8 { return kindServerHello }

func (m *serverHelloMsg) put(w *builder) {
	w.u16(m.vers)
	w.add(m.random)
	w.sized(1, m.sessionID)
	w.u16(m.suite)
	w.u8(m.compression)
	all := w.open(2)
	m.putExtensions(w)
	if len(w.b) == all.at+all.size {
		w.b = w.b[:all.at]
		return
	}
	w.close(all)
}

func (m *serverHelloMsg) putExtensions(w *builder) {
	w.flag(m.ocsp, extStatus)
	w.flag(m.takesTickets, extTicket)
	if m.renegotiationSupported {
		e := w.extension(extRenegotiation)
		w.sized(1, m.renegotiation)
		w.close(e)
	}
	w.flag(m.extendedMaster, extExtendedMaster)
	if m.proto != "" {
		putProtos(w, []string{m.proto})
	}
	if len(m.scts) > 0 {
		e := w.extension(extSCTs)
		putList(w, m.scts)
		w.close(e)
	}
	if m.version != 0 {
		e := w.extension(extVersions)
		w.u16(m.version)
		w.close(e)
	}
	if m.share.group != 0 {
		e := w.extension(extShares)
		w.u16(uint16(m.share.group))
		w.sized(2, m.share.data)
		w.close(e)
	}
	if m.pskSelected {
		e := w.extension(extPSK)
		w.u16(m.psk)
		w.close(e)
	}
	if len(m.cookie) > 0 {
		e := w.extension(extCookie)
		w.sized(2, m.cookie)
		w.close(e)
	}
	if m.group != 0 {
		e := w.extension(extShares)
		w.u16(uint16(m.group))
		w.close(e)
	}
	if len(m.points) > 0 {
		e := w.extension(extPoints)
		w.sized(1, m.points)
		w.close(e)
	}
	if len(m.ech) > 0 {
		e := w.extension(extECH)
		w.add(m.ech)
		w.close(e)
	}
	w.flag(m.hostNameTaken, extHostName)
}

// putList adds byte strings with lengths of two bytes, and the length of all.
func putList(w *builder, list [][]byte) {
	k := w.open(2)
	for _, p := range list {
		w.sized(2, p)
	}
	w.close(k)
}

func (m *serverHelloMsg) take(r *reader) {
	m.vers = r.u16()
	m.random = r.take(32)
	m.sessionID = r.sized(1)
	m.suite = r.u16()
	m.compression = r.u8()
	if r.more() {
		r.extensions(true, m.takeExtension)
	}
}

// takeProto reads the list of the one protocol that a server has chosen.
func takeProto(p *reader) string {
	list := p.part(2)
	proto := list.must(1)
	p.bad = p.bad || !list.done()
	return string(proto)
}

func (m *serverHelloMsg) takeExtension(id uint16, p, rest *reader) bool {
	switch id {
	case extStatus:
		m.ocsp = true
	case extTicket:
		m.takesTickets = true
	case extRenegotiation:
		m.renegotiation = p.sized(1)
		m.renegotiationSupported = true
	case extExtendedMaster:
		m.extendedMaster = true
	case extProtos:
		m.proto = takeProto(p)
	case extSCTs:
		p.list(2, false, func(p *reader) { m.scts = append(m.scts, p.must(2)) })
	case extVersions:
		m.version = p.u16()
	case extCookie:
		m.cookie = p.must(2)
	case extShares:
		if len(p.b) == 2 {
			m.group = CurveID(p.u16())
		} else {
			m.share = groupShare{CurveID(p.u16()), p.sized(2)}
		}
	case extPSK:
		m.pskSelected, m.psk = true, p.u16()
	case extPoints:
		m.points = p.must(1)
	case extECH:
		m.ech = p.take(len(p.b))
	case extHostName:
		m.hostNameTaken = true
	default:
		return false
	}
	return true
}

type encryptedExtensionsMsg struct {
	proto         string
	quic          []byte
	zeroRTT       bool
	hostNameTaken bool
	newOffers     []byte // for Encrypted Client Hello
}

func (m *encryptedExtensionsMsg) kind() uint8 { return kindEncryptedExtensions }

func (m *encryptedExtensionsMsg) put(w *builder) {
	all := w.open(2)
	if m.proto != "" {
		putProtos(w, []string{m.proto})
	}
	if m.quic != nil {
		e := w.extension(extQUIC)
		w.add(m.quic)
		w.close(e)
	}
	w.flag(m.zeroRTT, extZeroRTT)
	if len(m.newOffers) > 0 {
		e := w.extension(extECH)
		w.add(m.newOffers)
		w.close(e)
	}
	w.flag(m.hostNameTaken, extHostName)
	w.close(all)
}

func (m *encryptedExtensionsMsg) take(r *reader) {
	r.extensions(true, func(id uint16, p, rest *reader) bool {
		switch id {
		case extProtos:
			m.proto = takeProto(p)
		case extQUIC:
			m.quic = p.take(len(p.b))
		case extZeroRTT:
			m.zeroRTT = true
		case extECH:
			m.newOffers = p.take(len(p.b))
		case extHostName:
			m.hostNameTaken = true
		default:
			return false
		}
		return true
	})
}

type endOfEarlyDataMsg struct{}

func (m *endOfEarlyDataMsg) kind() uint8    { return kindEndOfEarlyData }
func (m *endOfEarlyDataMsg) put(w *builder) {}
func (m *endOfEarlyDataMsg) take(r *reader) {}

type keyUpdateMsg struct{ requested bool }

func (m *keyUpdateMsg) kind() uint8 { return kindKeyUpdate }

func (m *keyUpdateMsg) put(w *builder) { w.u8(oneIf(m.requested)) }

func (m *keyUpdateMsg) take(r *reader) { m.requested = r.truth() }

func oneIf(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}

// truth is a byte that must be 0 or 1.
func (r *reader) truth() bool {
	b := r.u8()
	r.bad = r.bad || b > 1
	return b == 1
}

type newSessionTicketMsgTLS13 struct {
	lifetime, ageMask uint32
	nonce, label      []byte
	earlyLimit        uint32
}

func (m *newSessionTicketMsgTLS13) kind() uint8 { return kindNewSessionTicket }

func (m *newSessionTicketMsgTLS13) put(w *builder) {
	w.u32(m.lifetime)
	w.u32(m.ageMask)
	w.sized(1, m.nonce)
	w.sized(2, m.label)
	all := w.open(2)
	if m.earlyLimit > 0 {
		e := w.extension(extZeroRTT)
		w.u32(m.earlyLimit)
		w.close(e)
	}
	w.close(all)
}

func (m *newSessionTicketMsgTLS13) take(r *reader) {
	m.lifetime, m.ageMask = r.u32(), r.u32()
	m.nonce, m.label = r.sized(1), r.sized(2)
	r.extensions(false, func(id uint16, p, rest *reader) bool {
		if id == extZeroRTT {
			m.earlyLimit = p.u32()
			return true
		}
		return false
	})
}

type certificateRequestMsgTLS13 struct {
	ocsp, scts               bool
	signatures, certificates []SignatureScheme
	authorities              [][]byte
}

func (m *certificateRequestMsgTLS13) kind() uint8 { return kindCertificateRequest }

func (m *certificateRequestMsgTLS13) put(w *builder) {
	w.u8(0) // no context: this is no request after the handshake
	all := w.open(2)
	w.flag(m.ocsp, extStatus)
	w.flag(m.scts, extSCTs)
	putSchemes(w, extSchemes, m.signatures)
	putSchemes(w, extChainSchemes, m.certificates)
	if len(m.authorities) > 0 {
		e := w.extension(extAuthorities)
		putList(w, m.authorities)
		w.close(e)
	}
	w.close(all)
}

func (m *certificateRequestMsgTLS13) take(r *reader) {
	r.bad = r.u8() != 0 || r.bad
	r.extensions(false, func(id uint16, p, rest *reader) bool {
		switch id {
		case extStatus:
			m.ocsp = true
		case extSCTs:
			m.scts = true
		case extSchemes:
			m.signatures = readU16s[SignatureScheme](p, false)
		case extChainSchemes:
			m.certificates = readU16s[SignatureScheme](p, false)
		case extAuthorities:
			p.list(2, false, func(p *reader) { m.authorities = append(m.authorities, p.must(2)) })
		default:
			return false
		}
		return true
	})
}

type certificateMsg struct{ certificates [][]byte }

func (m *certificateMsg) kind() uint8 { return kindCertificate }

func (m *certificateMsg) put(w *builder) {
	all := w.open(3)
	for _, c := range m.certificates {
		w.sized(3, c)
	}
	w.close(all)
}

func (m *certificateMsg) take(r *reader) {
	r.list(3, true, func(p *reader) { m.certificates = append(m.certificates, p.sized(3)) })
}

type certificateMsgTLS13 struct {
	certificate Certificate
	ocsp, scts  bool // whether to send those
}

func (m *certificateMsgTLS13) kind() uint8 { return kindCertificate }

func (m *certificateMsgTLS13) put(w *builder) {
	w.u8(0) // no context
	c := m.certificate
	if !m.ocsp {
		c.OCSPStaple = nil
	}
	if !m.scts {
		c.SignedCertificateTimestamps = nil
	}
	putCertificate(w, c)
}

func (m *certificateMsgTLS13) take(r *reader) {
	r.bad = r.u8() != 0 || r.bad
	takeCertificate(r, &m.certificate)
	m.ocsp = m.certificate.OCSPStaple != nil
	m.scts = m.certificate.SignedCertificateTimestamps != nil
}

// putCertificate adds a chain; what is known about its leaf stands behind that.
func putCertificate(w *builder, c Certificate) {
	all := w.open(3)
	for i, der := range c.Certificate {
		w.sized(3, der)
		exts := w.open(2)
		if i == 0 && c.OCSPStaple != nil {
			e := w.extension(extStatus)
			w.u8(statusOCSP)
			w.sized(3, c.OCSPStaple)
			w.close(e)
		}
		if i == 0 && c.SignedCertificateTimestamps != nil {
			e := w.extension(extSCTs)
			putList(w, c.SignedCertificateTimestamps)
			w.close(e)
		}
		w.close(exts)
	}
	w.close(all)
}

func takeCertificate(r *reader, c *Certificate) {
	r.list(3, true, func(p *reader) {
		c.Certificate = append(c.Certificate, p.sized(3))
		p.extensions(false, func(id uint16, p, rest *reader) bool {
			if len(c.Certificate) > 1 {
				return false
			}
			switch id {
			case extStatus:
				p.bad = p.u8() != statusOCSP || p.bad
				c.OCSPStaple = p.must(3)
			case extSCTs:
				p.list(2, false, func(p *reader) {
					c.SignedCertificateTimestamps = append(c.SignedCertificateTimestamps, p.must(2))
				})
			default:
				return false
			}
			return true
		})
	})
}

// A rest is the body of a message whose parts others know.
type rest []byte

func (m *rest) put(w *builder) { w.add(*m) }
func (m *rest) take(r *reader) { *m = r.take(len(r.b)) }

type serverKeyExchangeMsg struct{ rest }

func (m *serverKeyExchangeMsg) kind() uint8 { return kindServerKeyExchange }

type clientKeyExchangeMsg struct{ rest }

func (m *clientKeyExchangeMsg) kind() uint8 { return kindClientKeyExchange }

type finishedMsg struct{ rest }

func (m *finishedMsg) kind() uint8 { return kindFinished }

type certificateStatusMsg struct{ response []byte }

func (m *certificateStatusMsg) kind() uint8 { return kindCertificateStatus }

func (m *certificateStatusMsg) put(w *builder) {
	w.u8(statusOCSP)
	w.sized(3, m.response)
}

func (m *certificateStatusMsg) take(r *reader) {
	r.bad = r.u8() != statusOCSP || r.bad
	m.response = r.must(3)
}

type serverHelloDoneMsg struct{}

func (m *serverHelloDoneMsg) kind() uint8    { return kindServerHelloDone }
func (m *serverHelloDoneMsg) put(w *builder) {}
func (m *serverHelloDoneMsg) take(r *reader) {}

type certificateRequestMsg struct {
	hasSignatures bool // since TLS 1.2
	types         []byte
	signatures    []SignatureScheme
	authorities   [][]byte
}

func (m *certificateRequestMsg) kind() uint8 { return kindCertificateRequest }

func (m *certificateRequestMsg) put(w *builder) {
	w.sized(1, m.types)
	if m.hasSignatures {
		u16s(w, m.signatures)
	}
	putList(w, m.authorities)
}

func (m *certificateRequestMsg) take(r *reader) {
	m.types = r.must(1)
	if m.hasSignatures {
		m.signatures = readU16s[SignatureScheme](r, true)
	}
	r.list(2, true, func(p *reader) { m.authorities = append(m.authorities, p.sized(2)) })
}

type certificateVerifyMsg struct {
	hasScheme bool // since TLS 1.2
	scheme    SignatureScheme
	signature []byte
}

func (m *certificateVerifyMsg) kind() uint8 { return kindCertificateVerify }

func (m *certificateVerifyMsg) put(w *builder) {
	if m.hasScheme {
		w.u16(uint16(m.scheme))
	}
	w.sized(2, m.signature)
}

func (m *certificateVerifyMsg) take(r *reader) {
	if m.hasScheme {
		m.scheme = SignatureScheme(r.u16())
	}
	m.signature = r.sized(2)
}

type newSessionTicketMsg struct{ ticket []byte }

func (m *newSessionTicketMsg) kind() uint8 { return kindNewSessionTicket }

func (m *newSessionTicketMsg) put(w *builder) {
	w.u32(0) // no hint of its lifetime
	w.sized(2, m.ticket)
}

func (m *newSessionTicketMsg) take(r *reader) {
	r.u32()
	m.ticket = r.sized(2)
}

// empty is the message of that type to read into; nil if there is none.
func emptyMessage(kind uint8, version uint16) message {
	is13 := version == VersionTLS13
	switch kind {
	case kindHelloRequest:
		return new(helloRequestMsg)
	case kindClientHello:
		return new(clientHelloMsg)
	case kindServerHello:
		return new(serverHelloMsg)
	case kindNewSessionTicket:
		if is13 {
			return new(newSessionTicketMsgTLS13)
		}
		return new(newSessionTicketMsg)
	case kindCertificate:
		if is13 {
			return new(certificateMsgTLS13)
		}
		return new(certificateMsg)
	case kindCertificateRequest:
		if is13 {
			return new(certificateRequestMsgTLS13)
		}
		return &certificateRequestMsg{hasSignatures: version >= VersionTLS12}
	case kindCertificateStatus:
		return new(certificateStatusMsg)
	case kindServerKeyExchange:
		return new(serverKeyExchangeMsg)
	case kindServerHelloDone:
		return new(serverHelloDoneMsg)
	case kindClientKeyExchange:
		return new(clientKeyExchangeMsg)
	case kindCertificateVerify:
		return &certificateVerifyMsg{hasScheme: version >= VersionTLS12}
	case kindFinished:
		return new(finishedMsg)
	case kindEncryptedExtensions:
		return new(encryptedExtensionsMsg)
	case kindEndOfEarlyData:
		return new(endOfEarlyDataMsg)
	case kindKeyUpdate:
		return new(keyUpdateMsg)
	}
	return nil
}
