// Messages of handshakes. Each is a struct that shows its fields to a coder, one after the other,
// which reads or writes them; an extension is a field that may not be there.

package tls

import (
	"slices"
	"strings"
)

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

// A message is one of a handshake; fields shows its body to a coder.
type message interface {
	kind() uint8
	fields(k *coder)
}

// marshal is the message with its head.
func marshal(m message) ([]byte, error) {
	k := &coder{w: &builder{b: make([]byte, 0, 512)}}
	k.exactly(m.kind())
	k.within(3, func() { m.fields(k) })
	return k.w.b, k.w.err
}

// unmarshal reads the body behind the head into m.
func unmarshal(m message, raw []byte) bool {
	k := &coder{r: &reader{b: raw[messageHead:]}}
	m.fields(k)
	return k.r.done()
}

// emptyMessage is the message of that type to read into; nil if there is none.
func emptyMessage(kind uint8, version uint16) message {
	since12, is13 := version >= VersionTLS12, version == VersionTLS13
	switch kind {
	case kindClientHello:
		return &clientHelloMsg{}
	case kindServerHello:
		return &serverHelloMsg{}
	case kindEncryptedExtensions:
		return &encryptedExtensionsMsg{}
	case kindCertificateStatus:
		return &certificateStatusMsg{}
	case kindServerKeyExchange:
		return &serverKeyExchangeMsg{}
	case kindServerHelloDone:
		return &serverHelloDoneMsg{}
	case kindClientKeyExchange:
		return &clientKeyExchangeMsg{}
	case kindCertificateVerify:
		return &certificateVerifyMsg{hasScheme: since12}
	case kindFinished:
		return &finishedMsg{}
	case kindHelloRequest:
		return &helloRequestMsg{}
	case kindKeyUpdate:
		return &keyUpdateMsg{}
	case kindEndOfEarlyData:
		return &endOfEarlyDataMsg{}
	}
	// The others have another form in TLS 1.3.
	switch {
	case kind == kindCertificate && is13:
		return &certificateMsgTLS13{}
	case kind == kindCertificate:
		return &certificateMsg{}
	case kind == kindCertificateRequest && is13:
		return &certificateRequestMsgTLS13{}
	case kind == kindCertificateRequest:
		return &certificateRequestMsg{hasSignatures: since12}
	case kind == kindNewSessionTicket && is13:
		return &newSessionTicketMsgTLS13{}
	case kind == kindNewSessionTicket:
		return &newSessionTicketMsg{}
	}
	return nil
}

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

type groupShare struct {
	group CurveID
	data  []byte
}

type offeredTicket struct {
	label []byte
	age   uint32 // in milliseconds, with what the server gave to hide it
}

func (m *clientHelloMsg) kind() uint8 { return kindClientHello }

func (m *clientHelloMsg) fields(k *coder) {
	m.first(k)
	if k.w != nil {
		k.extensions(true, slices.Concat(m.own(), m.common(), m.last()))
		return
	}
	m.renegotiationSupported = slices.Contains(m.suites, renegotiationSignal)
	if k.r.more() {
		m.extensions = k.extensions(true, slices.Concat(m.own(), m.common(), m.last()))
	}
}

// first is what stands before the extensions.
func (m *clientHelloMsg) first(k *coder) {
	number(k, 2, &m.vers)
	k.fixed(32, &m.random)
	k.sized(1, &m.sessionID)
	u16s(k, 2, true, &m.suites)
	k.sized(1, &m.compressions)
}

// own is the extensions that an inner and an outer hello have each for itself.
func (m *clientHelloMsg) own() []extension {
	return []extension{
		{extHostName, m.hostName != "", m.codeHostName},
		{extPoints, len(m.points) > 0, func(k *coder) { k.must(1, &m.points) }},
		{extTicket, m.takesTickets, func(k *coder) {
			m.takesTickets = true
			k.all(&m.ticket)
		}},
		{extRenegotiation, m.renegotiationSupported, func(k *coder) {
			m.renegotiationSupported = true
			k.sized(1, &m.renegotiation)
		}},
		flag(extExtendedMaster, &m.extendedMaster),
		flag(extSCTs, &m.scts),
		flag(extZeroRTT, &m.zeroRTT),
		{extQUIC, m.quic != nil, func(k *coder) { k.all(&m.quic) }},
		{extECH, len(m.ech) > 0, func(k *coder) { k.all(&m.ech) }},
	}
}

// common is the extensions that an inner and an outer hello have in common, in one piece.
func (m *clientHelloMsg) common() []extension {
	return []extension{
		{extStatus, m.ocsp, func(k *coder) {
			kind := statusOCSP
			var responders, extensions []byte
			number(k, 1, &kind)
			k.sized(2, &responders)
			k.sized(2, &extensions)
			m.ocsp = kind == statusOCSP
		}},
		{extGroups, len(m.curves) > 0, func(k *coder) { u16s(k, 2, false, &m.curves) }},
		schemeList(extSchemes, &m.signatures),
		schemeList(extChainSchemes, &m.certificates),
		{extProtos, len(m.protos) > 0, func(k *coder) {
			list(k, 2, false, &m.protos, func(p *string) { k.text(1, p) })
		}},
		{extVersions, len(m.versions) > 0, func(k *coder) { u16s(k, 1, false, &m.versions) }},
		{extCookie, len(m.cookie) > 0, func(k *coder) { k.must(2, &m.cookie) }},
		{extShares, len(m.shares) > 0, func(k *coder) {
			list(k, 2, true, &m.shares, func(s *groupShare) {
				number(k, 2, &s.group)
				k.must(2, &s.data)
			})
		}},
		{extPSKUses, len(m.pskUses) > 0, func(k *coder) { k.sized(1, &m.pskUses) }},
	}
}

// last is the extension behind all others, since its binders authenticate those. A hello that hides
// another one leaves sessions to that.
func (m *clientHelloMsg) last() []extension {
	return []extension{{extPSK, len(m.psks) > 0 && len(m.ech) <= 1, func(k *coder) {
		if k.w == nil && k.behind.more() {
			k.r.bad = true
		}
		list(k, 2, false, &m.psks, func(p *offeredTicket) {
			k.must(2, &p.label)
			number(k, 4, &p.age)
		})
		list(k, 2, false, &m.binders, func(p *[]byte) { k.must(1, p) })
	}}}
}

// codeHostName knows a list of names of several kinds. There is only one kind by now, and only one
// name of that, which has no dot at its end.
func (m *clientHelloMsg) codeHostName(k *coder) {
	type entry struct {
		kind uint8
		name string
	}
	var all []entry
	if m.hostName != "" {
		all = []entry{{0, m.hostName}}
	}
	list(k, 2, false, &all, func(e *entry) {
		number(k, 1, &e.kind)
		k.text(2, &e.name)
	})
	if k.w == nil {
		names := only(all, func(e entry) bool { return e.kind == 0 })
		k.r.bad = k.r.bad || len(names) > 1
		for _, e := range names {
			m.hostName = e.name
			k.r.bad = k.r.bad || strings.HasSuffix(e.name, ".")
		}
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

// schemeList is an extension that lists schemes.
func schemeList(id uint16, schemes *[]SignatureScheme) extension {
	return extension{id, len(*schemes) > 0, func(k *coder) { u16s(k, 2, false, schemes) }}
}

// oneProto is the extension with the protocol that a server has chosen, a list of one.
func oneProto(proto *string) extension {
	return extension{extProtos, *proto != "", func(k *coder) {
		k.within(2, func() { k.text(1, proto) })
	}}
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

func (m *serverHelloMsg) fields(k *coder) {
	number(k, 2, &m.vers)
	k.fixed(32, &m.random)
	k.sized(1, &m.sessionID)
	number(k, 2, &m.suite)
	number(k, 1, &m.compression)
	all := m.all()
	isThere := func(e extension) bool { return e.isThere }
	if k.w == nil && k.r.more() || k.w != nil && slices.ContainsFunc(all, isThere) {
		k.extensions(true, all)
	}
}

func (m *serverHelloMsg) all() []extension {
	return []extension{
		flag(extStatus, &m.ocsp),
		flag(extTicket, &m.takesTickets),
		{extRenegotiation, m.renegotiationSupported, func(k *coder) {
			m.renegotiationSupported = true
			k.sized(1, &m.renegotiation)
		}},
		flag(extExtendedMaster, &m.extendedMaster),
		oneProto(&m.proto),
		{extSCTs, len(m.scts) > 0, func(k *coder) { byteStrings(k, false, &m.scts) }},
		{extVersions, m.version != 0, func(k *coder) { number(k, 2, &m.version) }},
		{extShares, m.share.group != 0 || m.group != 0, m.codeShare},
		{extPSK, m.pskSelected, func(k *coder) {
			m.pskSelected = true
			number(k, 2, &m.psk)
		}},
		{extCookie, len(m.cookie) > 0, func(k *coder) { k.must(2, &m.cookie) }},
		{extPoints, len(m.points) > 0, func(k *coder) { k.must(1, &m.points) }},
		{extECH, len(m.ech) > 0, func(k *coder) { k.all(&m.ech) }},
		flag(extHostName, &m.hostNameTaken),
	}
}

// codeShare knows a share, or a group alone: that of which the server wants a share.
func (m *serverHelloMsg) codeShare(k *coder) {
	isAlone := m.share.group == 0
	if k.w == nil {
		isAlone = len(k.r.b) == 2
	}
	if isAlone {
		number(k, 2, &m.group)
		return
	}
	number(k, 2, &m.share.group)
	k.sized(2, &m.share.data)
}

type encryptedExtensionsMsg struct {
	proto         string
	quic          []byte
	zeroRTT       bool
	hostNameTaken bool
	newOffers     []byte // for Encrypted Client Hello
}

func (m *encryptedExtensionsMsg) kind() uint8 { return kindEncryptedExtensions }

func (m *encryptedExtensionsMsg) fields(k *coder) {
	k.extensions(true, []extension{
		oneProto(&m.proto),
		{extQUIC, m.quic != nil, func(k *coder) { k.all(&m.quic) }},
		flag(extZeroRTT, &m.zeroRTT),
		{extECH, len(m.newOffers) > 0, func(k *coder) { k.all(&m.newOffers) }},
		flag(extHostName, &m.hostNameTaken),
	})
}

// Messages that say no more than that they are there.
type (
	helloRequestMsg    struct{}
	serverHelloDoneMsg struct{}
	endOfEarlyDataMsg  struct{}
)

func (m *helloRequestMsg) kind() uint8    { return kindHelloRequest }
func (m *serverHelloDoneMsg) kind() uint8 { return kindServerHelloDone }
func (m *endOfEarlyDataMsg) kind() uint8  { return kindEndOfEarlyData }

func (m *helloRequestMsg) fields(k *coder)    {}
func (m *serverHelloDoneMsg) fields(k *coder) {}
func (m *endOfEarlyDataMsg) fields(k *coder)  {}

type keyUpdateMsg struct{ requested bool }

func (m *keyUpdateMsg) kind() uint8 { return kindKeyUpdate }

func (m *keyUpdateMsg) fields(k *coder) {
	b := oneIf(m.requested)
	number(k, 1, &b)
	m.requested = b == 1
	if k.w == nil {
		k.r.bad = k.r.bad || b > 1
	}
}

func oneIf(is bool) uint8 {
	if is {
		return 1
	}
	return 0
}

type newSessionTicketMsgTLS13 struct {
	lifetime, ageMask uint32
	nonce, label      []byte
	earlyLimit        uint32
}

func (m *newSessionTicketMsgTLS13) kind() uint8 { return kindNewSessionTicket }

func (m *newSessionTicketMsgTLS13) fields(k *coder) {
	number(k, 4, &m.lifetime)
	number(k, 4, &m.ageMask)
	k.sized(1, &m.nonce)
	k.sized(2, &m.label)
	k.extensions(false, []extension{
		{extZeroRTT, m.earlyLimit > 0, func(k *coder) { number(k, 4, &m.earlyLimit) }},
	})
}

type certificateRequestMsgTLS13 struct {
	ocsp, scts               bool
	signatures, certificates []SignatureScheme
	authorities              [][]byte
}

func (m *certificateRequestMsgTLS13) kind() uint8 { return kindCertificateRequest }

func (m *certificateRequestMsgTLS13) fields(k *coder) {
	k.exactly(0) // no context: this is no request after the handshake
	k.extensions(false, []extension{
		flag(extStatus, &m.ocsp),
		flag(extSCTs, &m.scts),
		schemeList(extSchemes, &m.signatures),
		schemeList(extChainSchemes, &m.certificates),
		{extAuthorities, len(m.authorities) > 0, func(k *coder) {
			byteStrings(k, false, &m.authorities)
		}},
	})
}

type certificateMsg struct{ certificates [][]byte }

func (m *certificateMsg) kind() uint8 { return kindCertificate }

func (m *certificateMsg) fields(k *coder) {
	list(k, 3, true, &m.certificates, func(der *[]byte) { k.sized(3, der) })
}

type certificateMsgTLS13 struct {
	certificate Certificate
	ocsp, scts  bool // whether to send those
}

func (m *certificateMsgTLS13) kind() uint8 { return kindCertificate }

func (m *certificateMsgTLS13) fields(k *coder) {
	k.exactly(0) // no context
	if k.w == nil {
		codeChain(k, &m.certificate)
		m.ocsp = m.certificate.OCSPStaple != nil
		m.scts = m.certificate.SignedCertificateTimestamps != nil
		return
	}
	c := m.certificate
	if !m.ocsp {
		c.OCSPStaple = nil
	}
	if !m.scts {
		c.SignedCertificateTimestamps = nil
	}
	codeChain(k, &c)
}

// codeChain knows a chain; what is known about its leaf stands behind that.
func codeChain(k *coder, c *Certificate) {
	about := []extension{
		{extStatus, c.OCSPStaple != nil, func(k *coder) {
			k.exactly(statusOCSP)
			k.must(3, &c.OCSPStaple)
		}},
		{extSCTs, c.SignedCertificateTimestamps != nil, func(k *coder) {
			byteStrings(k, false, &c.SignedCertificateTimestamps)
		}},
	}
	list(k, 3, true, &c.Certificate, func(der *[]byte) {
		k.sized(3, der)
		k.extensions(false, about)
		about = nil
	})
}

// A rest is the body of a message whose parts others know.
type rest []byte

func (m *rest) fields(k *coder) { k.all((*[]byte)(m)) }

type serverKeyExchangeMsg struct{ rest }

func (m *serverKeyExchangeMsg) kind() uint8 { return kindServerKeyExchange }

type clientKeyExchangeMsg struct{ rest }

func (m *clientKeyExchangeMsg) kind() uint8 { return kindClientKeyExchange }

type finishedMsg struct{ rest }

func (m *finishedMsg) kind() uint8 { return kindFinished }

type certificateStatusMsg struct{ response []byte }

func (m *certificateStatusMsg) kind() uint8 { return kindCertificateStatus }

func (m *certificateStatusMsg) fields(k *coder) {
	k.exactly(statusOCSP)
	k.must(3, &m.response)
}

type certificateRequestMsg struct {
	hasSignatures bool // since TLS 1.2
	types         []byte
	signatures    []SignatureScheme
	authorities   [][]byte
}

func (m *certificateRequestMsg) kind() uint8 { return kindCertificateRequest }

func (m *certificateRequestMsg) fields(k *coder) {
	k.must(1, &m.types)
	if m.hasSignatures {
		u16s(k, 2, true, &m.signatures)
	}
	list(k, 2, true, &m.authorities, func(p *[]byte) { k.sized(2, p) })
}

type certificateVerifyMsg struct {
	hasScheme bool // since TLS 1.2
	scheme    SignatureScheme
	signature []byte
}

func (m *certificateVerifyMsg) kind() uint8 { return kindCertificateVerify }

func (m *certificateVerifyMsg) fields(k *coder) {
	if m.hasScheme {
		number(k, 2, &m.scheme)
	}
	k.sized(2, &m.signature)
}

type newSessionTicketMsg struct{ ticket []byte }

func (m *newSessionTicketMsg) kind() uint8 { return kindNewSessionTicket }

func (m *newSessionTicketMsg) fields(k *coder) {
	var lifetime uint32 // a hint, which is not given
	number(k, 4, &lifetime)
	k.sized(2, &m.ticket)
}
