package tls

// Names of messages are Go's, since errors tell them.

const (
	typeHelloRequest        uint8 = 0
	typeClientHello         uint8 = 1
	typeServerHello         uint8 = 2
	typeNewSessionTicket    uint8 = 4
	typeEndOfEarlyData      uint8 = 5
	typeEncryptedExtensions uint8 = 8
	typeCertificate         uint8 = 11
	typeServerKeyExchange   uint8 = 12
	typeCertificateRequest  uint8 = 13
	typeServerHelloDone     uint8 = 14
	typeCertificateVerify   uint8 = 15
	typeClientKeyExchange   uint8 = 16
	typeFinished            uint8 = 20
	typeCertificateStatus   uint8 = 22
	typeKeyUpdate           uint8 = 24
	typeMessageHash         uint8 = 254 // of a transcript only
)

const (
	extensionServerName              uint16 = 0
	extensionStatusRequest           uint16 = 5
	extensionSupportedCurves         uint16 = 10
	extensionSupportedPoints         uint16 = 11
	extensionSignatureAlgorithms     uint16 = 13
	extensionALPN                    uint16 = 16
	extensionSCT                     uint16 = 18
	extensionExtendedMasterSecret    uint16 = 23
	extensionSessionTicket           uint16 = 35
	extensionPreSharedKey            uint16 = 41
	extensionEarlyData               uint16 = 42
	extensionSupportedVersions       uint16 = 43
	extensionCookie                  uint16 = 44
	extensionPSKModes                uint16 = 45
	extensionCertificateAuthorities  uint16 = 47
	extensionSignatureAlgorithmsCert uint16 = 50
	extensionKeyShare                uint16 = 51
	extensionQUICTransportParameters uint16 = 57
	extensionEncryptedClientHello    uint16 = 0xfe0d
	extensionRenegotiationInfo       uint16 = 0xff01
)

const (
	compressionNone         uint8 = 0
	pointFormatUncompressed uint8 = 0
	pskModeDHE              uint8 = 1
	statusTypeOCSP          uint8 = 1
	certTypeRSASign         uint8 = 1
	certTypeECDSASign       uint8 = 64
	curveTypeNamed          uint8 = 3
)

// scsvRenegotiation stands among the suites for an empty renegotiation_info.
const scsvRenegotiation uint16 = 0x00ff

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

type keyShare struct {
	group CurveID
	data  []byte
}

type pskIdentity struct {
	label []byte
	age   uint32 // in milliseconds, with what the server gave to hide it
}

type helloRequestMsg struct{}

func (m *helloRequestMsg) kind() uint8    { return typeHelloRequest }
func (m *helloRequestMsg) put(w *builder) {}
func (m *helloRequestMsg) take(r *reader) {}

type clientHelloMsg struct {
	vers                     uint16
	random, sessionID        []byte
	suites                   []uint16
	compressions             []uint8
	serverName               string
	ocsp, scts               bool
	curves                   []CurveID
	points                   []uint8
	ticketSupported          bool
	ticket                   []byte
	signatures, certificates []SignatureScheme
	renegotiationSupported   bool
	renegotiation            []byte
	extendedMaster           bool
	protos                   []string
	versions                 []uint16
	cookie                   []byte
	shares                   []keyShare
	earlyData                bool
	quic                     []byte // the transport's parameters, nil if there are none
	pskModes                 []uint8
	psks                     []pskIdentity
	binders                  [][]byte
	ech                      []byte
	extensions               []uint16 // what was read, in its order
}

func (m *clientHelloMsg) kind() uint8 { return typeClientHello }

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
	if m.serverName != "" {
		e := w.extension(extensionServerName)
		list := w.open(2)
		w.u8(0)
		w.sized(2, []byte(m.serverName))
		w.close(list)
		w.close(e)
	}
}

func (m *clientHelloMsg) putQUIC(w *builder) {
	w.flag(m.earlyData, extensionEarlyData)
	if m.quic != nil {
		e := w.extension(extensionQUICTransportParameters)
		w.add(m.quic)
		w.close(e)
	}
}

func (m *clientHelloMsg) putECH(w *builder) {
	if len(m.ech) > 0 {
		e := w.extension(extensionEncryptedClientHello)
		w.add(m.ech)
		w.close(e)
	}
}

func (m *clientHelloMsg) putExtensions(w *builder) {
	m.putServerName(w)
	if len(m.points) > 0 {
		e := w.extension(extensionSupportedPoints)
		w.sized(1, m.points)
		w.close(e)
	}
	if m.ticketSupported {
		e := w.extension(extensionSessionTicket)
		w.add(m.ticket)
		w.close(e)
	}
	if m.renegotiationSupported {
		e := w.extension(extensionRenegotiationInfo)
		w.sized(1, m.renegotiation)
		w.close(e)
	}
	w.flag(m.extendedMaster, extensionExtendedMasterSecret)
	w.flag(m.scts, extensionSCT)
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
		e := w.extension(extensionStatusRequest)
		w.u8(statusTypeOCSP)
		w.u32(0) // no responders, no extensions
		w.close(e)
	}
	if len(m.curves) > 0 {
		e := w.extension(extensionSupportedCurves)
		u16s(w, m.curves)
		w.close(e)
	}
	putSchemes(w, extensionSignatureAlgorithms, m.signatures)
	putSchemes(w, extensionSignatureAlgorithmsCert, m.certificates)
	putProtos(w, m.protos)
	if len(m.versions) > 0 {
		e := w.extension(extensionSupportedVersions)
		k := w.open(1)
		for _, v := range m.versions {
			w.u16(v)
		}
		w.close(k)
		w.close(e)
	}
	if len(m.cookie) > 0 {
		e := w.extension(extensionCookie)
		w.sized(2, m.cookie)
		w.close(e)
	}
	if len(m.shares) > 0 {
		e := w.extension(extensionKeyShare)
		k := w.open(2)
		for _, s := range m.shares {
			w.u16(uint16(s.group))
			w.sized(2, s.data)
		}
		w.close(k)
		w.close(e)
	}
	if len(m.pskModes) > 0 {
		e := w.extension(extensionPSKModes)
		w.sized(1, m.pskModes)
		w.close(e)
	}
}

func (m *clientHelloMsg) putPSK(w *builder) {
	if len(m.psks) > 0 {
		// This one is the last, since the binders authenticate all before them.
		e := w.extension(extensionPreSharedKey)
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
		e := w.extension(extensionALPN)
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
		m.renegotiationSupported = m.renegotiationSupported || id == scsvRenegotiation
	}
	m.compressions = r.sized(1)
	if r.more() {
		r.extensions(true, m.takeExtension)
	}
}

func (m *clientHelloMsg) takeExtension(id uint16, p, rest *reader) bool {
	m.extensions = append(m.extensions, id)
	switch id {
	case extensionServerName:
		p.list(2, false, func(p *reader) {
			kind, name := p.u8(), p.must(2)
			if kind != 0 || p.bad {
				return
			}
			// One name of the kind, and no dot at its end.
			p.bad = m.serverName != "" || name[len(name)-1] == '.'
			m.serverName = string(name)
		})
	case extensionStatusRequest:
		m.ocsp = p.u8() == statusTypeOCSP
		p.sized(2)
		p.sized(2)
	case extensionSupportedCurves:
		m.curves = readU16s[CurveID](p, false)
	case extensionSupportedPoints:
		m.points = p.must(1)
	case extensionSessionTicket:
		m.ticketSupported = true
		m.ticket = p.take(len(p.b))
	case extensionSignatureAlgorithms:
		m.signatures = readU16s[SignatureScheme](p, false)
	case extensionSignatureAlgorithmsCert:
		m.certificates = readU16s[SignatureScheme](p, false)
	case extensionRenegotiationInfo:
		m.renegotiation = p.sized(1)
		m.renegotiationSupported = true
	case extensionExtendedMasterSecret:
		m.extendedMaster = true
	case extensionALPN:
		p.list(2, false, func(p *reader) { m.protos = append(m.protos, string(p.must(1))) })
	case extensionSCT:
		m.scts = true
	case extensionSupportedVersions:
		p.list(1, false, func(p *reader) { m.versions = append(m.versions, p.u16()) })
	case extensionCookie:
		m.cookie = p.must(2)
	case extensionKeyShare:
		p.list(2, true, func(p *reader) {
			m.shares = append(m.shares, keyShare{CurveID(p.u16()), p.must(2)})
		})
	case extensionEarlyData:
		m.earlyData = true
	case extensionPSKModes:
		m.pskModes = p.sized(1)
	case extensionQUICTransportParameters:
		m.quic = p.take(len(p.b))
	case extensionEncryptedClientHello:
		m.ech = p.take(len(p.b))
	case extensionPreSharedKey:
		p.bad = p.bad || rest.more()
		p.list(2, false, func(p *reader) { m.psks = append(m.psks, pskIdentity{p.must(2), p.u32()}) })
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
	ocsp, ticketSupported  bool
	renegotiationSupported bool
	renegotiation          []byte
	extendedMaster         bool
	proto                  string
	scts                   [][]byte
	version                uint16 // from an extension
	share                  keyShare
	pskSelected            bool
	psk                    uint16
	points                 []uint8
	serverNameAck          bool
	ech                    []byte

	// What only a HelloRetryRequest has.
	cookie []byte
	group  CurveID
}

func (m *serverHelloMsg) kind() uint8 { return typeServerHello }

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
	w.flag(m.ocsp, extensionStatusRequest)
	w.flag(m.ticketSupported, extensionSessionTicket)
	if m.renegotiationSupported {
		e := w.extension(extensionRenegotiationInfo)
		w.sized(1, m.renegotiation)
		w.close(e)
	}
	w.flag(m.extendedMaster, extensionExtendedMasterSecret)
	if m.proto != "" {
		putProtos(w, []string{m.proto})
	}
	if len(m.scts) > 0 {
		e := w.extension(extensionSCT)
		putList(w, m.scts)
		w.close(e)
	}
	if m.version != 0 {
		e := w.extension(extensionSupportedVersions)
		w.u16(m.version)
		w.close(e)
	}
	if m.share.group != 0 {
		e := w.extension(extensionKeyShare)
		w.u16(uint16(m.share.group))
		w.sized(2, m.share.data)
		w.close(e)
	}
	if m.pskSelected {
		e := w.extension(extensionPreSharedKey)
		w.u16(m.psk)
		w.close(e)
	}
	if len(m.cookie) > 0 {
		e := w.extension(extensionCookie)
		w.sized(2, m.cookie)
		w.close(e)
	}
	if m.group != 0 {
		e := w.extension(extensionKeyShare)
		w.u16(uint16(m.group))
		w.close(e)
	}
	if len(m.points) > 0 {
		e := w.extension(extensionSupportedPoints)
		w.sized(1, m.points)
		w.close(e)
	}
	if len(m.ech) > 0 {
		e := w.extension(extensionEncryptedClientHello)
		w.add(m.ech)
		w.close(e)
	}
	w.flag(m.serverNameAck, extensionServerName)
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
	case extensionStatusRequest:
		m.ocsp = true
	case extensionSessionTicket:
		m.ticketSupported = true
	case extensionRenegotiationInfo:
		m.renegotiation = p.sized(1)
		m.renegotiationSupported = true
	case extensionExtendedMasterSecret:
		m.extendedMaster = true
	case extensionALPN:
		m.proto = takeProto(p)
	case extensionSCT:
		p.list(2, false, func(p *reader) { m.scts = append(m.scts, p.must(2)) })
	case extensionSupportedVersions:
		m.version = p.u16()
	case extensionCookie:
		m.cookie = p.must(2)
	case extensionKeyShare:
		if len(p.b) == 2 {
			m.group = CurveID(p.u16())
		} else {
			m.share = keyShare{CurveID(p.u16()), p.sized(2)}
		}
	case extensionPreSharedKey:
		m.pskSelected, m.psk = true, p.u16()
	case extensionSupportedPoints:
		m.points = p.must(1)
	case extensionEncryptedClientHello:
		m.ech = p.take(len(p.b))
	case extensionServerName:
		m.serverNameAck = true
	default:
		return false
	}
	return true
}

type encryptedExtensionsMsg struct {
	proto         string
	quic          []byte
	earlyData     bool
	serverNameAck bool
	retryConfigs  []byte // for Encrypted Client Hello
}

func (m *encryptedExtensionsMsg) kind() uint8 { return typeEncryptedExtensions }

func (m *encryptedExtensionsMsg) put(w *builder) {
	all := w.open(2)
	if m.proto != "" {
		putProtos(w, []string{m.proto})
	}
	if m.quic != nil {
		e := w.extension(extensionQUICTransportParameters)
		w.add(m.quic)
		w.close(e)
	}
	w.flag(m.earlyData, extensionEarlyData)
	if len(m.retryConfigs) > 0 {
		e := w.extension(extensionEncryptedClientHello)
		w.add(m.retryConfigs)
		w.close(e)
	}
	w.flag(m.serverNameAck, extensionServerName)
	w.close(all)
}

func (m *encryptedExtensionsMsg) take(r *reader) {
	r.extensions(true, func(id uint16, p, rest *reader) bool {
		switch id {
		case extensionALPN:
			m.proto = takeProto(p)
		case extensionQUICTransportParameters:
			m.quic = p.take(len(p.b))
		case extensionEarlyData:
			m.earlyData = true
		case extensionEncryptedClientHello:
			m.retryConfigs = p.take(len(p.b))
		case extensionServerName:
			m.serverNameAck = true
		default:
			return false
		}
		return true
	})
}

type endOfEarlyDataMsg struct{}

func (m *endOfEarlyDataMsg) kind() uint8    { return typeEndOfEarlyData }
func (m *endOfEarlyDataMsg) put(w *builder) {}
func (m *endOfEarlyDataMsg) take(r *reader) {}

type keyUpdateMsg struct{ requested bool }

func (m *keyUpdateMsg) kind() uint8 { return typeKeyUpdate }

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
	lifetime, ageAdd uint32
	nonce, label     []byte
	maxEarlyData     uint32
}

func (m *newSessionTicketMsgTLS13) kind() uint8 { return typeNewSessionTicket }

func (m *newSessionTicketMsgTLS13) put(w *builder) {
	w.u32(m.lifetime)
	w.u32(m.ageAdd)
	w.sized(1, m.nonce)
	w.sized(2, m.label)
	all := w.open(2)
	if m.maxEarlyData > 0 {
		e := w.extension(extensionEarlyData)
		w.u32(m.maxEarlyData)
		w.close(e)
	}
	w.close(all)
}

func (m *newSessionTicketMsgTLS13) take(r *reader) {
	m.lifetime, m.ageAdd = r.u32(), r.u32()
	m.nonce, m.label = r.sized(1), r.sized(2)
	r.extensions(false, func(id uint16, p, rest *reader) bool {
		if id == extensionEarlyData {
			m.maxEarlyData = p.u32()
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

func (m *certificateRequestMsgTLS13) kind() uint8 { return typeCertificateRequest }

func (m *certificateRequestMsgTLS13) put(w *builder) {
	w.u8(0) // no context: this is no request after the handshake
	all := w.open(2)
	w.flag(m.ocsp, extensionStatusRequest)
	w.flag(m.scts, extensionSCT)
	putSchemes(w, extensionSignatureAlgorithms, m.signatures)
	putSchemes(w, extensionSignatureAlgorithmsCert, m.certificates)
	if len(m.authorities) > 0 {
		e := w.extension(extensionCertificateAuthorities)
		putList(w, m.authorities)
		w.close(e)
	}
	w.close(all)
}

func (m *certificateRequestMsgTLS13) take(r *reader) {
	r.bad = r.u8() != 0 || r.bad
	r.extensions(false, func(id uint16, p, rest *reader) bool {
		switch id {
		case extensionStatusRequest:
			m.ocsp = true
		case extensionSCT:
			m.scts = true
		case extensionSignatureAlgorithms:
			m.signatures = readU16s[SignatureScheme](p, false)
		case extensionSignatureAlgorithmsCert:
			m.certificates = readU16s[SignatureScheme](p, false)
		case extensionCertificateAuthorities:
			p.list(2, false, func(p *reader) { m.authorities = append(m.authorities, p.must(2)) })
		default:
			return false
		}
		return true
	})
}

type certificateMsg struct{ certificates [][]byte }

func (m *certificateMsg) kind() uint8 { return typeCertificate }

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

func (m *certificateMsgTLS13) kind() uint8 { return typeCertificate }

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
			e := w.extension(extensionStatusRequest)
			w.u8(statusTypeOCSP)
			w.sized(3, c.OCSPStaple)
			w.close(e)
		}
		if i == 0 && c.SignedCertificateTimestamps != nil {
			e := w.extension(extensionSCT)
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
			case extensionStatusRequest:
				p.bad = p.u8() != statusTypeOCSP || p.bad
				c.OCSPStaple = p.must(3)
			case extensionSCT:
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

func (m *serverKeyExchangeMsg) kind() uint8 { return typeServerKeyExchange }

type clientKeyExchangeMsg struct{ rest }

func (m *clientKeyExchangeMsg) kind() uint8 { return typeClientKeyExchange }

type finishedMsg struct{ rest }

func (m *finishedMsg) kind() uint8 { return typeFinished }

type certificateStatusMsg struct{ response []byte }

func (m *certificateStatusMsg) kind() uint8 { return typeCertificateStatus }

func (m *certificateStatusMsg) put(w *builder) {
	w.u8(statusTypeOCSP)
	w.sized(3, m.response)
}

func (m *certificateStatusMsg) take(r *reader) {
	r.bad = r.u8() != statusTypeOCSP || r.bad
	m.response = r.must(3)
}

type serverHelloDoneMsg struct{}

func (m *serverHelloDoneMsg) kind() uint8    { return typeServerHelloDone }
func (m *serverHelloDoneMsg) put(w *builder) {}
func (m *serverHelloDoneMsg) take(r *reader) {}

type certificateRequestMsg struct {
	hasSignatures bool // since TLS 1.2
	types         []byte
	signatures    []SignatureScheme
	authorities   [][]byte
}

func (m *certificateRequestMsg) kind() uint8 { return typeCertificateRequest }

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

func (m *certificateVerifyMsg) kind() uint8 { return typeCertificateVerify }

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

func (m *newSessionTicketMsg) kind() uint8 { return typeNewSessionTicket }

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
	case typeHelloRequest:
		return new(helloRequestMsg)
	case typeClientHello:
		return new(clientHelloMsg)
	case typeServerHello:
		return new(serverHelloMsg)
	case typeNewSessionTicket:
		if is13 {
			return new(newSessionTicketMsgTLS13)
		}
		return new(newSessionTicketMsg)
	case typeCertificate:
		if is13 {
			return new(certificateMsgTLS13)
		}
		return new(certificateMsg)
	case typeCertificateRequest:
		if is13 {
			return new(certificateRequestMsgTLS13)
		}
		return &certificateRequestMsg{hasSignatures: version >= VersionTLS12}
	case typeCertificateStatus:
		return new(certificateStatusMsg)
	case typeServerKeyExchange:
		return new(serverKeyExchangeMsg)
	case typeServerHelloDone:
		return new(serverHelloDoneMsg)
	case typeClientKeyExchange:
		return new(clientKeyExchangeMsg)
	case typeCertificateVerify:
		return &certificateVerifyMsg{hasScheme: version >= VersionTLS12}
	case typeFinished:
		return new(finishedMsg)
	case typeEncryptedExtensions:
		return new(encryptedExtensionsMsg)
	case typeEndOfEarlyData:
		return new(endOfEarlyDataMsg)
	case typeKeyUpdate:
		return new(keyUpdateMsg)
	}
	return nil
}
