// Certificates of peers, parsed once.

package tls

import (
	"crypto/x509"
	"runtime"
	"sync"
	"weak"
)

// A certificateCache has the certificates of peers that something still refers to, so that each is
// parsed once, however many connections show it.
type certificateCache struct {
	mutex sync.Mutex
	certs map[string]weak.Pointer[x509.Certificate] // by how they are encoded
}

var parsedCertificates = certificateCache{certs: map[string]weak.Pointer[x509.Certificate]{}}

// get is the certificate, if it is still there.
func (c *certificateCache) get(der []byte) *x509.Certificate {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.certs[string(der)].Value()
}

// parse gives equal certificates as one.
func (c *certificateCache) parse(der []byte) (cert *x509.Certificate, err error) {
	if cert = c.get(der); cert == nil {
		if cert, err = x509.ParseCertificate(der); err == nil {
			cert = c.settle(string(der), cert)
		}
	}
	return cert, err
}

// settle is the certificate that was parsed first, if another goroutine has parsed it meanwhile.
func (c *certificateCache) settle(key string, cert *x509.Certificate) *x509.Certificate {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	first := c.certs[key].Value()
	if first != nil {
		return first
	}
	pointer := weak.Make(cert)
	c.certs[key] = pointer
	runtime.AddCleanup(cert, func(key string) { c.forget(key, pointer) }, key)
	return cert
}

// forget leaves out a certificate that is gone, unless another one has come for it.
func (c *certificateCache) forget(key string, pointer weak.Pointer[x509.Certificate]) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.certs[key] == pointer {
		delete(c.certs, key)
	}
}
