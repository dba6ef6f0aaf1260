// run
//
// Package os/user: root is everywhere, and who is not known is told.
package main

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
)

func main() {
	u, err := user.Lookup("root")
	fmt.Println(u.Uid, u.Gid, u.Username, u.HomeDir, err)
	u, err = user.LookupId("0")
	fmt.Println(u.Username, err)
	g, err := user.LookupGroup("root")
	fmt.Println(*g, err)
	g, err = user.LookupGroupId("0")
	fmt.Println(*g, err)
	ids, err := u.GroupIds()
	fmt.Println(ids[0], err)
	me, err := user.Current()
	fmt.Println(me.Uid == strconv.Itoa(os.Getuid()), err)
	for _, name := range []string{"", "nobody-there", "root:x", "+root"} {
		u, err := user.Lookup(name)
		g, gerr := user.LookupGroup(name)
		fmt.Println(u, err, g, gerr)
	}
	for _, id := range []string{"", "x", "-1", "4000000"} {
		u, err := user.LookupId(id)
		g, gerr := user.LookupGroupId(id)
		fmt.Println(u, err, g, gerr)
	}
	fmt.Printf("%T %T\n", user.UnknownUserIdError(3), user.UnknownGroupError("x"))
}
