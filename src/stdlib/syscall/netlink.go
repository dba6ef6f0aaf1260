package syscall

import "unsafe"

// Messages of netlink: a header, data, and for routes a header of their own and attributes. All
// begin at multiples of four.

// ImplementsGetwd says that Getwd asks the system.
const ImplementsGetwd = true

const netlinkAlign = 4

func netlinkAligned(n int) int { return (n + netlinkAlign - 1) &^ (netlinkAlign - 1) }

// header reads a header at the beginning of b.
func header[T any](b []byte) T { return *(*T)(unsafe.Pointer(&b[0])) }

// NetlinkRIB asks the kernel for a table of the family, by a message of the type proto.
func NetlinkRIB(proto, family int) ([]byte, error) {
	fd, err := Socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_ROUTE)
	if err != nil {
		return nil, err
	}
	defer Close(fd)
	kernel := &SockaddrNetlink{Family: AF_NETLINK}
	if err := Bind(fd, kernel); err != nil {
		return nil, err
	}
	const number = 1
	ask := NetlinkRouteRequest{
		Header: NlMsghdr{
			Len:  SizeofNlMsghdr + SizeofRtGenmsg,
			Type: uint16(proto), Flags: NLM_F_DUMP | NLM_F_REQUEST, Seq: number,
		},
		Data: RtGenmsg{Family: uint8(family)},
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&ask)), ask.Header.Len)
	if err := Sendto(fd, bytes, 0, kernel); err != nil {
		return nil, err
	}
	own, err := Getsockname(fd)
	if err != nil {
		return nil, err
	}
	us, ok := own.(*SockaddrNetlink)
	if !ok {
		return nil, EINVAL
	}
	return netlinkAnswer(fd, number, us.Pid)
}

// netlinkAnswer reads the messages that answer a question of ours, up to the one that says that they
// are all.
func netlinkAnswer(fd int, number, pid uint32) (table []byte, err error) {
	room := make([]byte, Getpagesize())
	for isDone := false; !isDone; {
		n, _, err := Recvfrom(fd, room, 0)
		if err == nil && n < SizeofNlMsghdr {
			err = EINVAL
		}
		if err != nil {
			return nil, err
		}
		table = append(table, room[:n]...)
		messages, err := ParseNetlinkMessage(room[:n])
		for _, m := range messages {
			h := &m.Header
			if h.Seq != number || h.Pid != pid || h.Type == NLMSG_ERROR {
				err = EINVAL
			}
			isDone = isDone || h.Type == NLMSG_DONE
		}
		if err != nil {
			return nil, err
		}
	}
	return table, nil
}

func ParseNetlinkMessage(b []byte) (messages []NetlinkMessage, err error) {
	for len(b) >= SizeofNlMsghdr {
		h := header[NlMsghdr](b)
		size := netlinkAligned(int(h.Len))
		if int(h.Len) < SizeofNlMsghdr || size > len(b) {
			return nil, EINVAL
		}
		messages = append(messages, NetlinkMessage{h, b[SizeofNlMsghdr:h.Len]})
		b = b[size:]
	}
	return messages, nil
}

// ParseNetlinkRouteAttr gives the attributes behind what a message of a link, address or route says
// first.
func ParseNetlinkRouteAttr(m *NetlinkMessage) (attributes []NetlinkRouteAttr, err error) {
	var first int
	switch m.Header.Type {
	case RTM_NEWLINK, RTM_DELLINK:
		first = SizeofIfInfomsg
	case RTM_NEWADDR, RTM_DELADDR:
		first = SizeofIfAddrmsg
	case RTM_NEWROUTE, RTM_DELROUTE:
		first = SizeofRtMsg
	default:
		return nil, EINVAL
	}
	for b := m.Data[first:]; len(b) >= SizeofRtAttr; {
		h := header[RtAttr](b)
		if int(h.Len) < SizeofRtAttr || int(h.Len) > len(b) {
			return nil, EINVAL
		}
		attributes = append(attributes, NetlinkRouteAttr{h, b[SizeofRtAttr:h.Len]})
		b = b[min(netlinkAligned(int(h.Len)), len(b)):]
	}
	return attributes, nil
}
