// run

// Messages of netlink, made up and of the kernel.
package main

import (
	"fmt"
	"syscall"
)

func message(size, typ byte, data ...byte) []byte {
	return append([]byte{size, 0, 0, 0, typ, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, data...)
}

func main() {
	fmt.Println(syscall.ImplementsGetwd, syscall.SocketDisableIPv6)
	for _, b := range [][]byte{nil, {1}, make([]byte, 16), make([]byte, 40), message(20, 3, 1, 2, 3, 4), message(17, 3, 1, 2, 3, 4),
		message(17, 3, 1), message(255, 3), message(15, 3), message(16, 3), append(message(16, 3), message(18, 4, 7, 8, 0, 0)...)} {
		ms, err := syscall.ParseNetlinkMessage(b)
		fmt.Println(len(b), ms, err)
	}
	for _, t := range []uint16{syscall.RTM_NEWLINK, syscall.RTM_DELLINK, syscall.RTM_NEWADDR, syscall.RTM_DELADDR, syscall.RTM_NEWROUTE,
		syscall.RTM_DELROUTE, syscall.RTM_NEWNEIGH, 0} {
		for _, d := range [][]byte{nil, {5, 0, 1, 0, 'x', 0, 0, 0}, {5, 0, 1, 0, 'x', 0, 0, 0, 4, 0, 2, 0}, {9, 0, 2, 0}, {3, 0, 1, 0}} {
			m := syscall.NetlinkMessage{Header: syscall.NlMsghdr{Type: t}, Data: append(make([]byte, 16), d...)}
			as, err := syscall.ParseNetlinkRouteAttr(&m)
			fmt.Println(t, len(d), as, err)
		}
	}
	b, err := syscall.NetlinkRIB(syscall.RTM_GETADDR, syscall.AF_INET)
	ms, err2 := syscall.ParseNetlinkMessage(b)
	fmt.Println(err, err2)
	for _, m := range ms {
		as, err := syscall.ParseNetlinkRouteAttr(&m)
		for _, a := range as {
			if a.Attr.Type == syscall.IFA_LABEL && string(a.Value) == "lo\x00" {
				fmt.Println(m.Header.Type, a.Attr, err)
			}
		}
	}
	_, err = syscall.NetlinkRIB(9999, 0)
	fmt.Println(err)
	syscall.SocketDisableIPv6 = true
	fmt.Println(syscall.Socket(syscall.AF_INET6, syscall.SOCK_STREAM, 0))
}
