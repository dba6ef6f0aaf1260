// Package user: users and groups, from /etc/passwd and /etc/group.
package user

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

type User struct {
	Uid      string
	Gid      string
	Username string
	Name     string
	HomeDir  string
}

type Group struct {
	Gid  string
	Name string
}

type (
	UnknownUserIdError  int
	UnknownUserError    string
	UnknownGroupIdError string
	UnknownGroupError   string
)

func (e UnknownUserIdError) Error() string {
	return "user: unknown userid " + strconv.Itoa(int(e))
}

func (e UnknownUserError) Error() string    { return "user: unknown user " + string(e) }
func (e UnknownGroupIdError) Error() string { return "group: unknown groupid " + string(e) }
func (e UnknownGroupError) Error() string   { return "group: unknown group " + string(e) }

const (
	users  = "/etc/passwd"
	groups = "/etc/group"
)

func isNumber(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil
}

// entries calls f with the fields of each line, n of them or one less, until it says true.
func entries(file string, n int, f func(fields []string) bool) error {
	r, err := os.Open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadString('\n')
		line = strings.TrimSpace(line)
		// Lines of NIS, and comments, are no entries.
		if line != "" && !strings.ContainsRune("#+-", rune(line[0])) && f(strings.SplitN(line, ":", n)) {
			return nil
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// findUser is the user whose field has that value, or nil.
func findUser(field int, value string) (u *User, err error) {
	err = entries(users, 7, func(f []string) bool {
		if len(f) == 7 && f[0] != "" && f[field] == value && isNumber(f[2]) && isNumber(f[3]) {
			name, _, _ := strings.Cut(f[4], ",")
			u = &User{Username: f[0], Uid: f[2], Gid: f[3], Name: name, HomeDir: f[5]}
		}
		return u != nil
	})
	return u, err
}

// findGroup is the group whose field has that value, or nil.
func findGroup(field int, value string) (g *Group, err error) {
	err = entries(groups, 4, func(f []string) bool {
		if len(f) == 4 && f[0] != "" && f[field] == value && isNumber(f[2]) {
			g = &Group{Name: f[0], Gid: f[2]}
		}
		return g != nil
	})
	return g, err
}

var current = sync.OnceValues(func() (*User, error) {
	id := strconv.Itoa(os.Getuid())
	if u, err := findUser(2, id); err == nil && u != nil {
		return u, nil
	}
	home, _ := os.UserHomeDir()
	u := &User{Uid: id, Gid: strconv.Itoa(os.Getgid()), Username: os.Getenv("USER"), HomeDir: home}
	var missing []string
	if u.Username == "" {
		missing = append(missing, "$USER")
	}
	if u.HomeDir == "" {
		missing = append(missing, "$HOME")
	}
	if missing == nil {
		return u, nil
	}
	list := strings.Join(missing, ", ")
	return u, fmt.Errorf("user: Current requires cgo or %s set in environment", list)
})

func Current() (*User, error) {
	u, err := current()
	if err != nil {
		return nil, err
	}
	own := *u
	return &own, nil
}

// looked is a user that was looked for: us, if we are the one, or else one of the file.
func looked(isUs func(*User) bool, find func() (*User, error), unknown error) (*User, error) {
	if us, err := Current(); err == nil && isUs(us) {
		return us, nil
	}
	u, err := find()
	if err == nil && u == nil {
		err = unknown
	}
	return u, err
}

func Lookup(username string) (*User, error) {
	return looked(
		func(us *User) bool { return us.Username == username },
		func() (*User, error) { return findUser(0, username) },
		UnknownUserError(username))
}

func LookupId(uid string) (*User, error) {
	id, err := strconv.Atoi(uid)
	return looked(
		func(us *User) bool { return us.Uid == uid },
		func() (*User, error) {
			if err != nil {
				return nil, errors.New("user: invalid userid " + uid)
			}
			return findUser(2, uid)
		},
		UnknownUserIdError(id))
}

func LookupGroup(name string) (*Group, error) {
	g, err := findGroup(0, name)
	if g == nil && err == nil {
		err = UnknownGroupError(name)
	}
	return g, err
}

func LookupGroupId(gid string) (*Group, error) {
	g, err := findGroup(2, gid)
	if g == nil && err == nil {
		err = UnknownGroupIdError(gid)
	}
	return g, err
}

func (u *User) GroupIds() ([]string, error) {
	own, err := strconv.Atoi(u.Gid)
	switch {
	case u.Username == "":
		return nil, errors.New("user: list groups: empty username")
	case err != nil:
		return nil, fmt.Errorf("user: list groups for %s: invalid gid %q", u.Username, u.Gid)
	}
	ids := []string{u.Gid}
	err = entries(groups, 4, func(f []string) bool {
		if len(f) < 4 || f[0] == "" || !slices.Contains(strings.Split(f[3], ","), u.Username) {
			return false
		}
		if id, err := strconv.Atoi(f[2]); err == nil && id != own {
			ids = append(ids, f[2])
		}
		return false
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}
