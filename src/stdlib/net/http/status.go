package http

// Status codes as IANA has registered them, with their texts, and the methods of RFC 9110.

const (
	StatusContinue           = 100
	StatusSwitchingProtocols = 101
	StatusProcessing         = 102
	StatusEarlyHints         = 103

	StatusOK                   = 200
	StatusCreated              = 201
	StatusAccepted             = 202
	StatusNonAuthoritativeInfo = 203
	StatusNoContent            = 204
	StatusResetContent         = 205
	StatusPartialContent       = 206
	StatusMultiStatus          = 207
	StatusAlreadyReported      = 208
	StatusIMUsed               = 226

	StatusMultipleChoices   = 300
	StatusMovedPermanently  = 301
	StatusFound             = 302
	StatusSeeOther          = 303
	StatusNotModified       = 304
	StatusUseProxy          = 305
	StatusTemporaryRedirect = 307
	StatusPermanentRedirect = 308

	StatusBadRequest                   = 400
	StatusUnauthorized                 = 401
	StatusPaymentRequired              = 402
	StatusForbidden                    = 403
	StatusNotFound                     = 404
	StatusMethodNotAllowed             = 405
	StatusNotAcceptable                = 406
	StatusProxyAuthRequired            = 407
	StatusRequestTimeout               = 408
	StatusConflict                     = 409
	StatusGone                         = 410
	StatusLengthRequired               = 411
	StatusPreconditionFailed           = 412
	StatusRequestEntityTooLarge        = 413
	StatusRequestURITooLong            = 414
	StatusUnsupportedMediaType         = 415
	StatusRequestedRangeNotSatisfiable = 416
	StatusExpectationFailed            = 417
	StatusTeapot                       = 418
	StatusMisdirectedRequest           = 421
	StatusUnprocessableEntity          = 422
	StatusLocked                       = 423
	StatusFailedDependency             = 424
	StatusTooEarly                     = 425
	StatusUpgradeRequired              = 426
	StatusPreconditionRequired         = 428
	StatusTooManyRequests              = 429
	StatusRequestHeaderFieldsTooLarge  = 431
	StatusUnavailableForLegalReasons   = 451

	StatusInternalServerError           = 500
	StatusNotImplemented                = 501
	StatusBadGateway                    = 502
	StatusServiceUnavailable            = 503
	StatusGatewayTimeout                = 504
	StatusHTTPVersionNotSupported       = 505
	StatusVariantAlsoNegotiates         = 506
	StatusInsufficientStorage           = 507
	StatusLoopDetected                  = 508
	StatusNotExtended                   = 510
	StatusNetworkAuthenticationRequired = 511
)

// StatusText is the usual text of a code; empty for one that nobody knows.
func StatusText(code int) string {
	if code < 0 || code/100 >= len(reasons) {
		return ""
	}
	if class := reasons[code/100]; code%100 < len(class) {
		return class[code%100]
	}
	return ""
}

// reasons are the texts, by the first digit of the code and by the other two.
var reasons = [...][]string{
	1: {"Continue", "Switching Protocols", "Processing", "Early Hints"},
	2: {
		"OK", "Created", "Accepted", "Non-Authoritative Information", "No Content", "Reset Content",
		"Partial Content", "Multi-Status", "Already Reported", 26: "IM Used",
	},
	3: {
		"Multiple Choices", "Moved Permanently", "Found", "See Other", "Not Modified", "Use Proxy",
		7: "Temporary Redirect", 8: "Permanent Redirect",
	},
	4: {
		"Bad Request", "Unauthorized", "Payment Required", "Forbidden", "Not Found",
		"Method Not Allowed", "Not Acceptable", "Proxy Authentication Required", "Request Timeout",
		"Conflict", "Gone", "Length Required", "Precondition Failed", "Request Entity Too Large",
		"Request URI Too Long", "Unsupported Media Type", "Requested Range Not Satisfiable",
		"Expectation Failed", "I'm a teapot", 21: "Misdirected Request", "Unprocessable Entity",
		"Locked", "Failed Dependency", "Too Early", "Upgrade Required", 28: "Precondition Required",
		"Too Many Requests", 31: "Request Header Fields Too Large",
		51: "Unavailable For Legal Reasons",
	},
	5: {
		"Internal Server Error", "Not Implemented", "Bad Gateway", "Service Unavailable",
		"Gateway Timeout", "HTTP Version Not Supported", "Variant Also Negotiates",
		"Insufficient Storage", "Loop Detected", 10: "Not Extended",
		11: "Network Authentication Required",
	},
}

const (
	MethodGet     = "GET"
	MethodHead    = "HEAD"
	MethodPost    = "POST"
	MethodPut     = "PUT"
	MethodPatch   = "PATCH"
	MethodDelete  = "DELETE"
	MethodConnect = "CONNECT"
	MethodOptions = "OPTIONS"
	MethodTrace   = "TRACE"
)
