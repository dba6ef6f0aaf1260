// Alerts: what one end tells the other before it gives up, and how that reads as an error.

package tls

import "strconv"

// An AlertError is an alert as an error.
type AlertError uint8

func (e AlertError) Error() string { return alert(e).String() }

type alert uint8

// The levels of alerts; since TLS 1.3 they say nothing.
const (
	levelWarning = 1
	levelFatal   = 2
)

const (
	endOfData          alert = 0
	outOfTurn          alert = 10
	recordForged       alert = 20
	recordTooLong      alert = 22
	noAgreement        alert = 40
	certificateBad     alert = 42
	certificateUnfit   alert = 43
	certificateStale   alert = 45
	illegalValue       alert = 47
	authorityUnknown   alert = 48
	malformedMessage   alert = 50
	proofWrong         alert = 51
	versionRefused     alert = 70
	ownFault           alert = 80
	needlessFallback   alert = 86
	userGaveUp         alert = 90
	noOtherHandshake   alert = 100
	extensionLacking   alert = 109
	extensionUncalled  alert = 110
	nameUnknown        alert = 112
	certificateLacking alert = 116
	noCommonProtocol   alert = 120
	innerHelloNeeded   alert = 121
)

var alertTexts = map[alert]string{
	0:   "close notify",
	10:  "unexpected message",
	20:  "bad record MAC",
	21:  "decryption failed",
	22:  "record overflow",
	30:  "decompression failure",
	40:  "handshake failure",
	42:  "bad certificate",
	43:  "unsupported certificate",
	44:  "revoked certificate",
	45:  "expired certificate",
	46:  "unknown certificate",
	47:  "illegal parameter",
	48:  "unknown certificate authority",
	49:  "access denied",
	50:  "error decoding message",
	51:  "error decrypting message",
	60:  "export restriction",
	70:  "protocol version not supported",
	71:  "insufficient security level",
	80:  "internal error",
	86:  "inappropriate fallback",
	90:  "user canceled",
	100: "no renegotiation",
	109: "missing extension",
	110: "unsupported extension",
	111: "certificate unobtainable",
	112: "unrecognized name",
	113: "bad certificate status response",
	114: "bad certificate hash value",
	115: "unknown PSK identity",
	116: "certificate required",
	120: "no application protocol",
	121: "encrypted client hello required",
}

func (e alert) String() string {
	text, known := alertTexts[e]
	if !known {
		text = "alert(" + strconv.Itoa(int(e)) + ")"
	}
	return "tls: " + text
}

func (e alert) Error() string { return e.String() }
