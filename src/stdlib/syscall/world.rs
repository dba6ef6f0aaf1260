//! The network of a controlled run: sockets of one process, connected with each other in memory.
//!
//! Each call is done at once or would block, and what it makes ready it names in [`World::told`],
//! so the same calls in the same order give the same answers, wherever the program runs. Ports that
//! nobody has asked for are numbered from [`FIRST_PORT`]. An answer is the kernel's error number
//! where there is one. Buffers hold what is said here, whatever the machine's settings.
//!
//! TCP is told from Unix sockets by what becomes of data that nobody will read: the first write to
//! a peer that has closed is lost, and the next one fails, as if the peer's answer had come between
//! them.

use std::collections::{BTreeMap, VecDeque};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use super::kernel::Errno;

/// What names a socket in the world.
pub(super) type Id = u32;

/// The ports that the world gives out.
const FIRST_PORT: u16 = 40_000;
const LAST_PORT: u16 = 60_999;

/// Bytes that lie between two ends of a stream, half of it for each end's buffer.
const BUFFER: usize = 128 << 10;
/// Bytes that wait at a socket for messages, with what each takes beside its own.
const MESSAGES: usize = 208 << 10;
const MESSAGE: usize = 512;
/// The longest UDP message.
const LONGEST: usize = 65_507;

/// The name of a socket.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Name {
    Inet(SocketAddr),
    /// As the program says it, and the same as an absolute path; abstract names begin with a zero.
    Unix {
        said: Vec<u8>,
        path: Vec<u8>,
    },
}

/// Is `ip` served from memory? A socket that listens there is, if it is no address at all.
pub(super) fn is_ours(ip: IpAddr) -> bool {
    ip.is_loopback() || ip.is_unspecified()
}

/// The address that stands for this machine in the family of `ip`.
fn loopback(ip: IpAddr) -> IpAddr {
    match ip {
        IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
    }
}

/// A direction of a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Read,
    Write,
}

/// What a socket is.
#[derive(Debug)]
enum Role {
    /// Neither of the others.
    Plain,
    /// Connections wait here to be accepted.
    Listening(VecDeque<Id>),
    /// One end of a stream. The other may be gone.
    Connected(Id),
}

/// A message and the address of its sender.
#[derive(Debug)]
pub(super) struct Message {
    pub from: Option<Name>,
    pub data: Vec<u8>,
}

/// A socket.
#[derive(Debug)]
pub(super) struct Socket {
    pub family: i32,
    pub kind: i32,
    pub only6: bool,
    pub reuse: bool,
    pub local: Option<Name>,
    pub peer: Option<Name>,
    /// Bytes of its buffers, for what it sends and what it receives.
    pub buffers: [usize; 2],
    role: Role,
    /// Descriptors of it.
    pub uses: u32,
    bytes: VecDeque<u8>,
    messages: VecDeque<Message>,
    /// Bytes of messages that wait.
    waiting: usize,
    /// Who could not send a message here.
    kept_out: Vec<Id>,
    /// The peer sends no more.
    is_ended: bool,
    /// The next call fails with this.
    error: Option<Errno>,
    /// A write was lost, since the peer has gone.
    has_lost: bool,
    shut_read: bool,
    shut_write: bool,
    /// Closing it resets the connection.
    pub resets: bool,
    /// What the program has set, by level and number.
    pub options: BTreeMap<(i32, i32), Vec<u8>>,
}

impl Socket {
    fn new(family: i32, kind: i32) -> Socket {
        Socket {
            family,
            kind,
            only6: false,
            reuse: false,
            local: None,
            peer: None,
            buffers: [BUFFER; 2],
            role: Role::Plain,
            uses: 0,
            bytes: VecDeque::new(),
            messages: VecDeque::new(),
            waiting: 0,
            kept_out: Vec::new(),
            is_ended: false,
            error: None,
            has_lost: false,
            shut_read: false,
            shut_write: false,
            resets: false,
            options: BTreeMap::new(),
        }
    }

    /// Is it one end of a stream? The other may have no name.
    pub(super) fn is_connected(&self) -> bool {
        matches!(self.role, Role::Connected(_))
    }

    pub(super) fn is_listening(&self) -> bool {
        matches!(self.role, Role::Listening(_))
    }

    /// Are messages sent, of which each is read as one?
    pub(super) fn has_messages(&self) -> bool {
        self.kind != libc::SOCK_STREAM
    }

    fn is_unix(&self) -> bool {
        self.family == libc::AF_UNIX
    }

    /// Is it made for connections?
    fn connects(&self) -> bool {
        self.kind != libc::SOCK_DGRAM
    }

    fn address(&self) -> Option<SocketAddr> {
        match self.local {
            Some(Name::Inet(a)) => Some(a),
            _ => None,
        }
    }

    /// Does it hear what is sent to `ip`?
    fn hears(&self, ip: IpAddr) -> bool {
        let Some(own) = self.address().map(|a| a.ip()) else {
            return false;
        };
        match own {
            IpAddr::V4(own) if own.is_unspecified() => ip.is_ipv4(),
            IpAddr::V6(own) if own.is_unspecified() => ip.is_ipv6() || !self.only6,
            own => own == ip,
        }
    }

    /// Could somebody mean either, `address` being that of the other?
    fn overlaps(&self, other: &Socket, address: SocketAddr) -> bool {
        let ip = address.ip();
        let covers_own = || {
            let own = self.address().map_or(ip, |a| a.ip());
            match ip {
                IpAddr::V4(_) => own.is_ipv4(),
                IpAddr::V6(_) => own.is_ipv6() || !other.only6,
            }
        };
        self.hears(ip) || ip.is_unspecified() && covers_own()
    }

    fn pending(&mut self) -> Result<(), Errno> {
        self.error.take().map_or(Ok(()), Err)
    }

    /// What it is asked for with SO_ERROR.
    pub(super) fn take_error(&mut self) -> Errno {
        self.error.take().unwrap_or(0)
    }
}

/// All sockets.
#[derive(Debug)]
pub(super) struct World {
    sockets: BTreeMap<Id, Socket>,
    /// Sockets with a port: streams or not, the port.
    ports: BTreeMap<(bool, u16), Vec<Id>>,
    /// Paths and abstract names, and whose they are; the file stays when a socket goes.
    paths: BTreeMap<Vec<u8>, Option<Id>>,
    next: Id,
    next_port: [u16; 2],
    /// What has become ready since it was last taken.
    pub told: Vec<(Id, Side)>,
}

type Done<T> = Result<T, Errno>;

impl World {
    pub(super) const fn new() -> World {
        World {
            sockets: BTreeMap::new(),
            ports: BTreeMap::new(),
            paths: BTreeMap::new(),
            next: 1,
            next_port: [FIRST_PORT; 2],
            told: Vec::new(),
        }
    }

    /// Makes a socket.
    pub(super) fn socket(&mut self, family: i32, kind: i32) -> Id {
        let id = self.next;
        self.next += 1;
        self.sockets.insert(id, Socket::new(family, kind));
        id
    }

    pub(super) fn get(&mut self, id: Id) -> Done<&mut Socket> {
        self.sockets.get_mut(&id).ok_or(libc::EBADF)
    }

    /// The next number of a port that nobody has.
    fn free_port(&mut self, streams: bool) -> Done<u16> {
        for _ in FIRST_PORT..=LAST_PORT {
            let next = &mut self.next_port[usize::from(streams)];
            let port = *next;
            *next = if port == LAST_PORT {
                FIRST_PORT
            } else {
                port + 1
            };
            if !self.ports.contains_key(&(streams, port)) {
                return Ok(port);
            }
        }
        Err(libc::EADDRINUSE)
    }

    /// Is somebody in the way of `id` at `address`? `listens`: it wants to listen there.
    fn is_taken(&self, id: Id, address: SocketAddr, listens: bool) -> bool {
        let Some(own) = self.sockets.get(&id) else {
            return false;
        };
        let all = self.ports.get(&(own.connects(), address.port()));
        all.into_iter().flatten().any(|other| {
            let Some(s) = self.sockets.get(other).filter(|_| *other != id) else {
                return false;
            };
            let shares = own.reuse && s.reuse && !s.is_listening() && !listens;
            !shares && s.overlaps(own, address)
        })
    }

    /// Gives a socket its own name.
    pub(super) fn bind(&mut self, id: Id, name: Name) -> Done<()> {
        if self.get(id)?.local.is_some() {
            return Err(libc::EINVAL);
        }
        let name = match name {
            Name::Inet(mut address) => {
                let streams = self.get(id)?.connects();
                if address.port() == 0 {
                    address.set_port(self.free_port(streams)?);
                } else if self.is_taken(id, address, false) {
                    return Err(libc::EADDRINUSE);
                }
                let all = self.ports.entry((streams, address.port())).or_default();
                all.push(id);
                Name::Inet(address)
            }
            Name::Unix { said, path } => {
                if self.paths.contains_key(&path) {
                    return Err(libc::EADDRINUSE);
                }
                self.paths.insert(path.clone(), Some(id));
                Name::Unix { said, path }
            }
        };
        self.get(id)?.local = Some(name);
        Ok(())
    }

    /// The name of a Unix socket that has asked for any.
    pub(super) fn any_name(&mut self) -> Vec<u8> {
        format!("\0{:05x}", self.next).into_bytes()
    }

    /// Gives a socket that has no name yet one from which `to` can be reached.
    fn name_for(&mut self, id: Id, to: SocketAddr) -> Done<()> {
        if self.get(id)?.local.is_none() {
            self.bind(id, Name::Inet(SocketAddr::new(loopback(to.ip()), 0)))?;
        }
        Ok(())
    }

    pub(super) fn listen(&mut self, id: Id) -> Done<()> {
        let s = self.get(id)?;
        if !s.connects() {
            return Err(libc::EOPNOTSUPP);
        }
        match (&s.role, s.local.clone()) {
            (Role::Listening(_), _) => return Ok(()),
            (Role::Connected(_), _) => return Err(libc::EINVAL),
            (Role::Plain, None) if s.is_unix() => return Err(libc::EINVAL),
            (Role::Plain, None) => {
                let any: IpAddr = match s.family {
                    libc::AF_INET => Ipv4Addr::UNSPECIFIED.into(),
                    _ => Ipv6Addr::UNSPECIFIED.into(),
                };
                self.bind(id, Name::Inet(SocketAddr::new(any, 0)))?;
            }
            (Role::Plain, Some(Name::Inet(address))) => {
                let others = self.ports.get(&(true, address.port()));
                let others = others.into_iter().flatten();
                let listening = others.filter_map(|o| self.sockets.get(o));
                let own = &self.sockets[&id];
                if listening
                    .filter(|s| s.is_listening())
                    .any(|s| s.overlaps(own, address))
                {
                    return Err(libc::EADDRINUSE);
                }
            }
            (Role::Plain, Some(_)) => {}
        }
        self.get(id)?.role = Role::Listening(VecDeque::new());
        Ok(())
    }

    /// Who hears what is sent to `address`, the one that is named exactly first.
    fn hearer(&self, streams: bool, address: SocketAddr, from: Option<&Name>) -> Option<Id> {
        let all = self.ports.get(&(streams, address.port()))?;
        let fits = |s: &Socket| match streams {
            true => s.is_listening(),
            false => s.peer.is_none() || s.peer.as_ref() == from,
        };
        let rank = |s: &Socket| {
            let is_exact = s.address().is_some_and(|a| !a.ip().is_unspecified());
            (s.peer.is_some(), is_exact)
        };
        let hearers = all.iter().filter_map(|id| {
            let s = self.sockets.get(id)?;
            (fits(s) && s.hears(address.ip())).then(|| (rank(s), *id))
        });
        hearers.max_by_key(|(rank, _)| *rank).map(|(_, id)| id)
    }

    /// Whose the name is. An error is that of a connection to nobody.
    fn owner(&self, name: &Name, connects: bool, from: Option<&Name>) -> Done<Id> {
        match name {
            Name::Inet(address) => self
                .hearer(connects, *address, from)
                .ok_or(libc::ECONNREFUSED),
            Name::Unix { path, .. } => match self.paths.get(path) {
                Some(Some(id)) => Ok(*id),
                None if path.first() != Some(&0) => Err(libc::ENOENT),
                _ => Err(libc::ECONNREFUSED),
            },
        }
    }

    /// Connects a socket, or says whom its messages are for.
    pub(super) fn connect(&mut self, id: Id, to: Name) -> Done<()> {
        let to = match to {
            Name::Inet(a) if a.ip().is_unspecified() => {
                Name::Inet(SocketAddr::new(loopback(a.ip()), a.port()))
            }
            other => other,
        };
        let s = self.get(id)?;
        match s.role {
            Role::Connected(_) => return Err(libc::EISCONN),
            Role::Listening(_) => return Err(libc::EINVAL),
            Role::Plain => {}
        }
        let (connects, kind) = (s.connects(), s.kind);
        if !connects {
            match &to {
                Name::Inet(a) => self.name_for(id, *a)?,
                Name::Unix { .. } => drop(self.owner(&to, false, None)?),
            }
            let s = self.get(id)?;
            // A socket for all addresses has one of them from now on.
            if let (Some(Name::Inet(own)), Name::Inet(a)) = (&mut s.local, &to)
                && own.ip().is_unspecified()
            {
                own.set_ip(loopback(a.ip()));
            }
            s.peer = Some(to);
            return Ok(());
        }
        let listener = self.owner(&to, true, None)?;
        let l = self.get(listener)?;
        if l.kind != kind {
            return Err(libc::EPROTOTYPE);
        }
        if !l.is_listening() {
            return Err(libc::ECONNREFUSED);
        }
        let (family, buffers) = (l.family, l.buffers);
        if let Name::Inet(a) = &to {
            self.name_for(id, *a)?;
        }
        let other = self.socket(family, kind);
        let s = self.get(id)?;
        s.role = Role::Connected(other);
        s.peer = Some(to.clone());
        let own = s.local.clone();
        let o = self.get(other)?;
        o.role = Role::Connected(id);
        (o.local, o.peer, o.buffers) = (Some(to), own, buffers);
        if let Role::Listening(queue) = &mut self.get(listener)?.role {
            queue.push_back(other);
        }
        self.told.push((listener, Side::Read));
        Ok(())
    }

    /// The next connection.
    pub(super) fn accept(&mut self, id: Id) -> Done<Id> {
        let s = self.get(id)?;
        let is_shut = s.shut_read;
        match &mut s.role {
            Role::Listening(queue) => match queue.pop_front() {
                Some(other) => Ok(other),
                None if is_shut => Err(libc::EINVAL),
                None => Err(libc::EAGAIN),
            },
            _ => Err(libc::EINVAL),
        }
    }

    /// The other end of a connection, if it is still there.
    fn other(&mut self, id: Id) -> Option<&mut Socket> {
        match self.sockets.get(&id)?.role {
            Role::Connected(other) => self.sockets.get_mut(&other),
            _ => None,
        }
    }

    /// Tells the other end of a connection that it may go on.
    fn tell_other(&mut self, id: Id, side: Side) {
        if let Some(Role::Connected(other)) = self.sockets.get(&id).map(|s| &s.role) {
            let other = *other;
            self.told.push((other, side));
        }
    }

    /// Sends `data`, of a stream as much as there is room for.
    pub(super) fn send(&mut self, id: Id, data: &[u8], to: Option<Name>) -> Done<usize> {
        let s = self.get(id)?;
        if !s.connects() {
            return self.send_message(id, data, to);
        }
        s.pending()?;
        let Role::Connected(_) = s.role else {
            return Err(match s.is_unix() {
                false => libc::EPIPE,
                true => libc::ENOTCONN,
            });
        };
        if s.shut_write {
            return Err(libc::EPIPE);
        }
        let (is_unix, has_messages, own) = (s.is_unix(), s.has_messages(), s.buffers[0]);
        let from = s.local.clone();
        let has_lost = std::mem::replace(&mut s.has_lost, true);
        let Some(other) = self.other(id) else {
            return match is_unix || has_lost {
                true => Err(libc::EPIPE),
                false => Ok(data.len()),
            };
        };
        let all = own + other.buffers[1];
        let n = if other.shut_read {
            match is_unix {
                true => Err(libc::EPIPE),
                false => Ok(data.len()),
            }
        } else if has_messages {
            other.receive(from, data, all)
        } else {
            let room = all.saturating_sub(other.bytes.len());
            let n = data.len().min(room);
            other.bytes.extend(&data[..n]);
            match n == 0 && !data.is_empty() {
                true => Err(libc::EAGAIN),
                false => Ok(n),
            }
        };
        self.get(id)?.has_lost = false;
        if n.is_ok() {
            self.tell_other(id, Side::Read);
        }
        n
    }

    fn send_message(&mut self, id: Id, data: &[u8], to: Option<Name>) -> Done<usize> {
        let s = self.get(id)?;
        s.pending()?;
        if s.shut_write {
            return Err(libc::EPIPE);
        }
        let is_unix = s.is_unix();
        let is_connected = s.peer.is_some();
        let to = to.or(s.peer.clone()).ok_or(match is_unix {
            true => libc::ENOTCONN,
            false => libc::EDESTADDRREQ,
        })?;
        if !is_unix && data.len() > LONGEST {
            return Err(libc::EMSGSIZE);
        }
        let mut to = to;
        let mut from = s.local.clone();
        if let Name::Inet(a) = &mut to {
            if a.ip().is_unspecified() {
                a.set_ip(loopback(a.ip()));
            }
            if from.is_none() {
                let any: IpAddr = match self.get(id)?.family {
                    libc::AF_INET => Ipv4Addr::UNSPECIFIED.into(),
                    _ => Ipv6Addr::UNSPECIFIED.into(),
                };
                self.bind(id, Name::Inet(SocketAddr::new(any, 0)))?;
                from = self.get(id)?.local.clone();
            }
            if let Some(Name::Inet(own)) = &mut from
                && own.ip().is_unspecified()
            {
                own.set_ip(loopback(a.ip()));
            }
        }
        match self.owner(&to, false, from.as_ref()) {
            Ok(hearer) => {
                let h = self.get(hearer)?;
                if h.connects() {
                    return Err(libc::EPROTOTYPE);
                }
                let fits = h.receive(from, data, MESSAGES);
                if fits.is_ok() {
                    self.told.push((hearer, Side::Read));
                } else if is_unix {
                    h.kept_out.push(id);
                    return fits;
                }
                // UDP loses what there is no room for.
                Ok(data.len())
            }
            Err(e) if is_unix => Err(e),
            Err(_) => {
                if is_connected {
                    self.get(id)?.error = Some(libc::ECONNREFUSED);
                    self.told.push((id, Side::Read));
                }
                Ok(data.len())
            }
        }
    }

    /// Takes bytes of a stream.
    pub(super) fn receive(&mut self, id: Id, into: &mut [u8], peeks: bool) -> Done<usize> {
        let s = self.get(id)?;
        if s.bytes.is_empty() {
            s.pending()?;
            return match &s.role {
                Role::Connected(_) if s.is_ended || s.shut_read => Ok(0),
                Role::Connected(_) if into.is_empty() => Ok(0),
                Role::Connected(_) => Err(libc::EAGAIN),
                _ => Err(libc::ENOTCONN),
            };
        }
        let n = into.len().min(s.bytes.len());
        let (a, b) = s.bytes.as_slices();
        let from_a = n.min(a.len());
        into[..from_a].copy_from_slice(&a[..from_a]);
        into[from_a..n].copy_from_slice(&b[..n - from_a]);
        if !peeks {
            s.bytes.drain(..n);
            let (left, own) = (s.bytes.len(), s.buffers[1]);
            if let Some(other) = self.other(id) {
                let all = own + other.buffers[0];
                // A sender goes on when a third is free, and looks itself when it comes anew.
                if (all.saturating_sub(left)) * 3 >= all {
                    self.tell_other(id, Side::Write);
                }
            }
        }
        Ok(n)
    }

    /// Takes a message, or gives a copy of it. `None`: there will be none.
    pub(super) fn receive_message(&mut self, id: Id, peeks: bool) -> Done<Option<Message>> {
        let s = self.get(id)?;
        if peeks && let Some(m) = s.messages.front() {
            return Ok(Some(Message {
                from: m.from.clone(),
                data: m.data.clone(),
            }));
        }
        // UDP's error is of what was sent before.
        if !s.connects() {
            s.pending()?;
        }
        let Some(message) = s.messages.pop_front() else {
            s.pending()?;
            return match s.role {
                _ if s.is_ended || s.shut_read => Ok(None),
                Role::Plain if s.connects() => Err(libc::ENOTCONN),
                Role::Listening(_) => Err(libc::EINVAL),
                _ => Err(libc::EAGAIN),
            };
        };
        s.waiting -= message.data.len() + MESSAGE;
        for sender in std::mem::take(&mut s.kept_out) {
            self.told.push((sender, Side::Write));
        }
        self.tell_other(id, Side::Write);
        Ok(Some(message))
    }

    pub(super) fn shutdown(&mut self, id: Id, reads: bool, writes: bool) -> Done<()> {
        let s = self.get(id)?;
        match s.role {
            Role::Plain if s.connects() || s.peer.is_none() => return Err(libc::ENOTCONN),
            _ => {}
        }
        s.shut_read |= reads;
        s.shut_write |= writes;
        let is_unix = s.is_unix();
        if reads {
            self.told.push((id, Side::Read));
            if is_unix {
                self.tell_other(id, Side::Write);
            }
        }
        if writes {
            self.told.push((id, Side::Write));
            if let Some(other) = self.other(id) {
                other.is_ended = true;
                self.tell_other(id, Side::Read);
            }
        }
        Ok(())
    }

    /// Ends a socket of which there is no descriptor any more.
    pub(super) fn close(&mut self, id: Id) {
        let Some(s) = self.sockets.remove(&id) else {
            return;
        };
        match &s.local {
            Some(Name::Inet(a)) => {
                let key = (s.connects(), a.port());
                if let Some(all) = self.ports.get_mut(&key) {
                    all.retain(|other| *other != id);
                    if all.is_empty() {
                        self.ports.remove(&key);
                    }
                }
            }
            Some(Name::Unix { path, .. }) if self.paths.get(path) == Some(&Some(id)) => {
                match path.first() {
                    Some(0) => drop(self.paths.remove(path)),
                    _ => drop(self.paths.insert(path.clone(), None)),
                }
            }
            _ => {}
        }
        for sender in &s.kept_out {
            self.told.push((*sender, Side::Write));
        }
        match s.role {
            Role::Plain => {}
            Role::Listening(queue) => {
                for waiting in queue {
                    if let Ok(w) = self.get(waiting) {
                        w.resets = true;
                    }
                    self.close(waiting);
                }
            }
            Role::Connected(other) => {
                let is_reset = s.resets || !s.bytes.is_empty() || !s.messages.is_empty();
                if let Ok(o) = self.get(other) {
                    o.is_ended = true;
                    if is_reset {
                        o.error = Some(libc::ECONNRESET);
                        o.has_lost = true;
                    }
                    self.told.push((other, Side::Read));
                    self.told.push((other, Side::Write));
                }
            }
        }
    }

    /// Has a socket left its file at this path?
    pub(super) fn has_path(&self, path: &[u8]) -> bool {
        self.paths.contains_key(path)
    }

    /// Removes the file that a socket has made. `false`: there is none.
    pub(super) fn unlink(&mut self, path: &[u8]) -> bool {
        self.paths.remove(path).is_some()
    }
}

impl Socket {
    /// Takes in a message, if there is room for it among `all` bytes.
    fn receive(&mut self, from: Option<Name>, data: &[u8], all: usize) -> Done<usize> {
        let size = data.len() + MESSAGE;
        if self.waiting + size > all && !self.messages.is_empty() {
            return Err(libc::EAGAIN);
        }
        self.waiting += size;
        let data = data.to_vec();
        let n = data.len();
        self.messages.push_back(Message { from, data });
        Ok(n)
    }
}
