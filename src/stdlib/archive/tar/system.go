package tar

// What the system says of a file, beyond its FileInfo.

import (
	"io/fs"
	"os/user"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// The names of users and groups, by their numbers.
var users, groups sync.Map

// named is the name of a number, looked up once.
func named(known *sync.Map, id int, find func(id string) (string, error)) string {
	if name, ok := known.Load(id); ok {
		return name.(string)
	}
	name, err := find(strconv.Itoa(id))
	if err == nil {
		known.Store(id, name)
	}
	return name
}

// fromSystem takes over what the system says of a file.
func (h *Header) fromSystem(fi fs.FileInfo, wantsNames bool) {
	stat, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	h.Uid, h.Gid = int(stat.Uid), int(stat.Gid)
	if wantsNames {
		h.Uname = named(&users, h.Uid, func(id string) (string, error) {
			u, err := user.LookupId(id)
			if err != nil {
				return "", err
			}
			return u.Username, nil
		})
		h.Gname = named(&groups, h.Gid, func(id string) (string, error) {
			g, err := user.LookupGroupId(id)
			if err != nil {
				return "", err
			}
			return g.Name, nil
		})
	}
	h.AccessTime = time.Unix(stat.Atim.Unix())
	h.ChangeTime = time.Unix(stat.Ctim.Unix())
	if h.Typeflag == TypeChar || h.Typeflag == TypeBlock {
		dev := stat.Rdev
		h.Devmajor = int64(uint32(dev>>8&0xfff | dev>>32&^0xfff))
		h.Devminor = int64(uint32(dev&0xff | dev>>12&^0xff))
	}
}
