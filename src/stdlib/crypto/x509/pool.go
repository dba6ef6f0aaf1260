// Pools of certificates, and those that the system trusts.

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
	members   []*member
	bySubject map[string][]*member
	has       map[fingerprint]bool
}

// A member is a certificate, and what else must hold for chains that end there.
type member struct {
	cert       *Certificate
	constraint func([]*Certificate) error
}

type fingerprint [sha256.Size224]byte

func NewCertPool() *CertPool {
	return &CertPool{bySubject: map[string][]*member{}, has: map[fingerprint]bool{}}
}

func (s *CertPool) Clone() *CertPool {
	clone := NewCertPool()
	for _, m := range s.members {
		clone.insert(m)
	}
	maps.Copy(clone.has, s.has)
	return clone
}

func (s *CertPool) Equal(other *CertPool) bool {
	if s != nil && other != nil {
		return maps.Equal(s.has, other.has)
	}
	return s == other
}

// insert puts a member where chains are searched.
func (s *CertPool) insert(m *member) {
	name := string(m.cert.RawSubject)
	s.members = append(s.members, m)
	s.bySubject[name] = append(s.bySubject[name], m)
}

// keyDistance says whether the keys that two certificates tell are the same, may be, or are not.
func keyDistance(own, wanted []byte) int {
	switch {
	case bytes.Equal(own, wanted):
		return 0
	case len(own) == 0 || len(wanted) == 0:
		return 1
	}
	return 2
}

// parents are those that may have issued the certificate: those with the key that it names first,
// those with another key last.
func (s *CertPool) parents(cert *Certificate) []*member {
	if s == nil {
		return nil
	}
	named := slices.Clone(s.bySubject[string(cert.RawIssuer)])
	slices.SortStableFunc(named, func(a, b *member) int {
		return keyDistance(a.cert.SubjectKeyId, cert.AuthorityKeyId) -
			keyDistance(b.cert.SubjectKeyId, cert.AuthorityKeyId)
	})
	return named
}

func (s *CertPool) contains(cert *Certificate) bool { return s.has[sha256.Sum224(cert.Raw)] }

func (s *CertPool) AddCert(cert *Certificate) { s.AddCertWithConstraint(cert, nil) }

func (s *CertPool) AddCertWithConstraint(
	cert *Certificate, constraint func([]*Certificate) error,
) {
	if cert == nil {
		panic("adding nil Certificate to CertPool")
	}
	if sum := sha256.Sum224(cert.Raw); !s.has[sum] {
		s.has[sum] = true
		s.insert(&member{cert: cert, constraint: constraint})
	}
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

func (s *CertPool) len() int {
	if s != nil {
		return len(s.members)
	}
	return 0
}

func (s *CertPool) Subjects() [][]byte {
	subjects := make([][]byte, s.len())
	for i := range subjects {
		subjects[i] = s.members[i].cert.RawSubject
	}
	return subjects
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

// trustedRoots are nil with the error, if there is one.
func trustedRoots() (*CertPool, error) {
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
	isForced := godebug.Is("x509usefallbackroots", "1")
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
	roots, _ := trustedRoots()
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
	var l rootLoader
	l.roots = NewCertPool()
	files, folders := rootFiles, rootFolders
	if name := os.Getenv("SSL_CERT_FILE"); name != "" {
		files = []string{name}
	}
	if list := os.Getenv("SSL_CERT_DIR"); list != "" {
		folders = filepath.SplitList(list)
	}
	// The first file that can be read is enough.
	slices.ContainsFunc(files, func(name string) bool {
		err := l.file(name)
		l.failed(err)
		return err == nil
	})
	for _, folder := range folders {
		l.failed(l.folder(folder))
	}
	if l.roots.len() == 0 && l.first != nil {
		return nil, l.first
	}
	return l.roots, nil
}

type rootLoader struct {
	roots *CertPool
	first error
}

// failed keeps the first error that is not a want of files.
func (l *rootLoader) failed(err error) {
	if l.first == nil && err != nil && !os.IsNotExist(err) {
		l.first = err
	}
}

func (l *rootLoader) file(name string) error {
	data, err := os.ReadFile(name)
	if err == nil {
		l.roots.AppendCertsFromPEM(data)
	}
	return err
}

// folder takes what it can read of a folder's files.
func (l *rootLoader) folder(name string) error {
	entries, err := os.ReadDir(name)
	for _, entry := range entries {
		if name := filepath.Join(name, entry.Name()); err == nil && !isAlias(name, entry) {
			l.file(name)
		}
	}
	return err
}

// isAlias says whether it is a link to another file of the folder, as those by hashes of names are.
func isAlias(name string, entry fs.DirEntry) bool {
	if entry.Type()&fs.ModeSymlink == 0 {
		return false
	}
	target, err := os.Readlink(name)
	return err == nil && !strings.ContainsRune(target, filepath.Separator)
}
