package x509

import (
	"bytes"
	"crypto/sha256"
	"encoding/pem"
	"internal/godebug"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

type CertPool struct {
	certs     []member
	bySubject map[string][]int
	has       map[[sha256.Size224]byte]bool
}

// A member is a certificate, and what else must hold for chains that end there.
type member struct {
	cert       *Certificate
	constraint func([]*Certificate) error
}

func NewCertPool() *CertPool {
	return &CertPool{
		bySubject: make(map[string][]int), has: make(map[[sha256.Size224]byte]bool),
	}
}

func (s *CertPool) len() int {
	if s == nil {
		return 0
	}
	return len(s.certs)
}

func (s *CertPool) Clone() *CertPool {
	clone := &CertPool{slices.Clone(s.certs), maps.Clone(s.bySubject), maps.Clone(s.has)}
	for subject, list := range clone.bySubject {
		clone.bySubject[subject] = slices.Clone(list)
	}
	return clone
}

// parents are those that may have issued the certificate: those with the key that it names first,
// those with another key last.
func (s *CertPool) parents(cert *Certificate) []member {
	if s == nil {
		return nil
	}
	var same, unsure, other []member
	for _, i := range s.bySubject[string(cert.RawIssuer)] {
		candidate := s.certs[i]
		own, wanted := candidate.cert.SubjectKeyId, cert.AuthorityKeyId
		switch {
		case bytes.Equal(own, wanted):
			same = append(same, candidate)
		case len(own) == 0 || len(wanted) == 0:
			unsure = append(unsure, candidate)
		default:
			other = append(other, candidate)
		}
	}
	return slices.Concat(same, unsure, other)
}

func (s *CertPool) contains(cert *Certificate) bool { return s.has[sha256.Sum224(cert.Raw)] }

func (s *CertPool) AddCert(cert *Certificate) { s.AddCertWithConstraint(cert, nil) }

func (s *CertPool) AddCertWithConstraint(
	cert *Certificate, constraint func([]*Certificate) error,
) {
	if cert == nil {
		panic("adding nil Certificate to CertPool")
	}
	sum := sha256.Sum224(cert.Raw)
	if s.has[sum] {
		return
	}
	s.has[sum] = true
	subject := string(cert.RawSubject)
	s.bySubject[subject] = append(s.bySubject[subject], len(s.certs))
	s.certs = append(s.certs, member{cert, constraint})
}

// AppendCertsFromPEM leaves out what is no certificate.
func (s *CertPool) AppendCertsFromPEM(pemCerts []byte) (ok bool) {
	for {
		var block *pem.Block
		block, pemCerts = pem.Decode(pemCerts)
		if block == nil {
			return ok
		}
		if block.Type != "CERTIFICATE" || len(block.Headers) > 0 {
			continue
		}
		if cert, err := ParseCertificate(block.Bytes); err == nil {
			s.AddCert(cert)
			ok = true
		}
	}
}

func (s *CertPool) Subjects() [][]byte {
	subjects := make([][]byte, s.len())
	for i := range subjects {
		subjects[i] = s.certs[i].cert.RawSubject
	}
	return subjects
}

func (s *CertPool) Equal(other *CertPool) bool {
	if s == nil || other == nil {
		return s == other
	}
	return maps.Equal(s.has, other.has)
}

// The certificates that the system trusts, once they are loaded, and those that the program has
// instead.
var system struct {
	sync.Mutex
	loaded   bool
	roots    *CertPool
	err      error
	fallback *CertPool
}

// systemRoots are nil with the error, if there is one.
func systemRoots() (*CertPool, error) {
	system.Lock()
	defer system.Unlock()
	if !system.loaded {
		system.loaded = true
		system.roots, system.err = loadRoots()
		replaceRoots()
	}
	return system.roots, system.err
}

// replaceRoots takes the program's where the system has none, or GODEBUG wants it.
func replaceRoots() {
	isForced := godebug.Value("x509usefallbackroots") == "1"
	if system.fallback != nil && (isForced || system.roots.len() == 0) {
		system.roots, system.err = system.fallback, nil
	}
}

func SetFallbackRoots(roots *CertPool) {
	if roots == nil {
		panic("roots must be non-nil")
	}
	system.Lock()
	defer system.Unlock()
	if system.fallback != nil {
		panic("SetFallbackRoots has already been called")
	}
	system.fallback = roots
	if system.loaded {
		replaceRoots()
	}
}

func SystemCertPool() (*CertPool, error) {
	roots, _ := systemRoots()
	if roots != nil {
		return roots.Clone(), nil
	}
	return loadRoots()
}

// Where distributions have them. Of the files the first there is counts, of the folders all.
var rootFiles = []string{
	"/etc/ssl/certs/ca-certificates.crt",
	"/etc/pki/tls/certs/ca-bundle.crt",
	"/etc/ssl/ca-bundle.pem",
	"/etc/pki/tls/cacert.pem",
	"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
	"/etc/ssl/cert.pem",
}

var rootFolders = []string{"/etc/ssl/certs", "/etc/pki/tls/certs"}

// loadRoots fails with the first error if nothing was found.
func loadRoots() (*CertPool, error) {
	files, folders := rootFiles, rootFolders
	if name := os.Getenv("SSL_CERT_FILE"); name != "" {
		files = []string{name}
	}
	if list := os.Getenv("SSL_CERT_DIR"); list != "" {
		folders = filepath.SplitList(list)
	}
	roots := NewCertPool()
	var first error
	failed := func(err error) {
		if first == nil && !os.IsNotExist(err) {
			first = err
		}
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err == nil {
			roots.AppendCertsFromPEM(data)
			break
		}
		failed(err)
	}
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			failed(err)
			continue
		}
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			if entry.Type()&fs.ModeSymlink != 0 {
				// Those by hashes of names are links to others of the folder.
				target, err := os.Readlink(name)
				if err == nil && !strings.ContainsRune(target, filepath.Separator) {
					continue
				}
			}
			if data, err := os.ReadFile(name); err == nil {
				roots.AppendCertsFromPEM(data)
			}
		}
	}
	if roots.len() > 0 || first == nil {
		return roots, nil
	}
	return nil, first
}
