// run

// Signed tokens as web services use them, made and checked by hand.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"time"
)

var (
	ErrFormat    = errors.New("token is malformed")
	ErrSignature = errors.New("signature is invalid")
	ErrExpired   = errors.New("token has expired")
)

var algorithms = map[string]func() hash.Hash{"HS256": sha256.New, "HS512": sha512.New,
	"HS384": sha512.New384}

type Claims struct {
	Subject string   `json:"sub"`
	Expires *int64   `json:"exp,omitempty"`
	Roles   []string `json:"roles,omitempty"`
	Extra   map[string]any
}

func (c Claims) MarshalJSON() ([]byte, error) {
	type plain Claims
	m := map[string]any{}
	for k, v := range c.Extra {
		m[k] = v
	}
	b, err := json.Marshal(plain{c.Subject, c.Expires, c.Roles, nil})
	if err != nil {
		return nil, err
	}
	var own map[string]any
	json.Unmarshal(b, &own)
	delete(own, "Extra")
	for k, v := range own {
		m[k] = v
	}
	return json.Marshal(m)
}

func sign(alg, text string, key []byte) []byte {
	h := hmac.New(algorithms[alg], key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

func Make(alg string, c Claims, key []byte) (string, error) {
	if algorithms[alg] == nil {
		return "", fmt.Errorf("no algorithm %q", alg)
	}
	enc := base64.RawURLEncoding
	payload, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	text := enc.EncodeToString(fmt.Appendf(nil, `{"alg":%q,"typ":"JWT"}`,
		alg)) + "." + enc.EncodeToString(payload)
	return text + "." + enc.EncodeToString(sign(alg, text, key)), nil
}

func Check(token string, key []byte, now time.Time) (*Claims, error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, ErrFormat
	}
	var raw [3][]byte
	for i, p := range parts {
		var err error
		if raw[i], err = base64.RawURLEncoding.DecodeString(p); err != nil {
			return nil, fmt.Errorf("%w: part %d: %w", ErrFormat, i, err)
		}
	}
	var head struct{ Alg string }
	if err := json.Unmarshal(raw[0], &head); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	if algorithms[head.Alg] == nil {
		return nil, fmt.Errorf("%w: algorithm %q", ErrSignature, head.Alg)
	}
	if !hmac.Equal(raw[2], sign(head.Alg, parts[0]+"."+parts[1], key)) {
		return nil, ErrSignature
	}
	var c Claims
	if err := json.Unmarshal(raw[1], &c); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	if c.Expires != nil && now.Unix() >= *c.Expires {
		return &c, fmt.Errorf("%w %v ago", ErrExpired, now.Sub(time.Unix(*c.Expires, 0)))
	}
	return &c, nil
}

func protect(role string, key []byte, now func() time.Time, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !ok {
			w.Header().Set("WWW-Authenticate", `Bearer realm="test"`)
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		c, err := Check(token, key, now())
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		if !slices.Contains(c.Roles, role) {
			http.Error(w, c.Subject+" is no "+role, http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func main() {
	key := []byte("a secret")
	now := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	exp := now.Add(time.Hour).Unix()
	tokens := map[string]string{}
	for _, alg := range []string{"HS256", "HS384", "HS512", "none"} {
		t, err := Make(alg, Claims{Subject: "ann", Expires: &exp, Roles: []string{"admin"},
			Extra: map[string]any{"n": 1, "a": nil}}, key)
		fmt.Println(t, err)
		tokens[alg] = t
	}
	_, err := Make("HS256", Claims{Extra: map[string]any{"f": func() {}}}, key)
	fmt.Println(err)
	t := tokens["HS256"]
	c, err := Check(t, key, now)
	fmt.Println(c.Subject, *c.Expires, c.Roles, err)
	for _, bad := range []string{"", "a.b", t + ".x", t[:len(t)-2], "!" + t, t[1:],
		strings.Replace(t, ".", "A.", 1)} {
		_, err := Check(bad, key, now)
		fmt.Println(err, errors.Is(err, ErrFormat), errors.Is(err, ErrSignature))
	}
	_, err = Check(t, []byte("another"), now)
	fmt.Println(err)
	_, err = Check(t, key, now.Add(90*time.Minute))
	fmt.Println(err, errors.Is(err, ErrExpired))
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + ".e30."
	_, err = Check(none, key, now)
	fmt.Println(err)

	user, _ := Make("HS256", Claims{Subject: "bob", Roles: []string{"user"}}, key)
	h := protect("admin", key, func() time.Time { return now },
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, "welcome")
		}))
	for _, auth := range []string{"", "Basic x", "Bearer " + t, "Bearer " + user,
		"Bearer " + user[:20]} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", auth)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()), w.Header().Get("WWW-Authenticate"))
	}
}
