#![allow(unsafe_code)]
//! Loopback, from memory: the system calls on sockets in a controlled run.
//!
//! A socket of such a run is an entry of the [`World`], and its descriptor one of the kernel's that
//! nothing is done with: so numbers are given out as ever, and what asks only for a number's kind
//! is answered. Who waits for a socket is told by the call that makes it ready, not by the poller,
//! so it can run at the next decision. What is for another machine, or another process, goes to the
//! kernel: the descriptor becomes a socket of its own then, if [`gate`] lets it.
//!
//! # Invariants
//!
//! - B1. Addresses handed to a call point to what the call says, as the kernel would demand: they
//!   come from the library's Go text, or from the program's `unsafe`.
//! - B2. There is one P, whose holder makes all these calls.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_long};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::os::unix::ffi::OsStrExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gosched_runtime::control::{self, Outside};
use gosched_runtime::netpoll::{self, Mode, PollDesc};
use gosched_runtime::race::{self, Edge};
use vm::native::Cx;

use super::gate;
use super::kernel::Errno;
use super::world::{Id, Message, Name, Side, World, is_ours};

/// A descriptor of a socket.
#[derive(Debug)]
struct Descriptor {
    id: Id,
    /// Who waits for it.
    waits: Vec<&'static PollDesc>,
}

#[derive(Debug)]
struct Network {
    world: World,
    descriptors: BTreeMap<c_int, Descriptor>,
}

static NETWORK: Mutex<Network> = Mutex::new(Network {
    world: World::new(),
    descriptors: BTreeMap::new(),
});

fn network() -> MutexGuard<'static, Network> {
    NETWORK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells those who wait for what has become ready.
fn tell(cx: &mut Cx) {
    let mut network = network();
    let told = std::mem::take(&mut network.world.told);
    let mut woken = Vec::new();
    for (id, side) in told {
        let mode = match side {
            Side::Read => Mode::Read,
            Side::Write => Mode::Write,
        };
        let own = network.descriptors.values().filter(|d| d.id == id);
        woken.extend(own.flat_map(|d| &d.waits).map(|pd| (*pd, mode)));
    }
    drop(network);
    for (pd, mode) in woken {
        pd.tell(cx.m(), mode);
    }
}

/// A message orders what was done before it and what is done after it, as what is written to other
/// descriptors does.
fn edge(cx: &mut Cx, edge: Edge) {
    if race::is_on() {
        // SAFETY: the goroutine runs; B2.
        unsafe { race::edge(cx.g_ptr(), race::WORLD, edge) };
    }
}

/// Which socket a descriptor is, in a controlled run.
fn socket_of(fd: c_int) -> Option<Id> {
    if !control::is_on() {
        return None;
    }
    network().descriptors.get(&fd).map(|d| d.id)
}

/// Is the descriptor a socket in memory?
pub(crate) fn is_socket(fd: c_int) -> bool {
    socket_of(fd).is_some()
}

/// The descriptor is to be waited for: what tells, if it is one of a socket in memory.
pub(crate) fn opens(fd: c_int) -> Option<&'static PollDesc> {
    socket_of(fd)?;
    let pd = netpoll::open_told(fd);
    network().descriptors.get_mut(&fd)?.waits.push(pd);
    Some(pd)
}

/// The descriptor is about to be closed.
pub(crate) fn closes(cx: &mut Cx, fd: c_int) {
    if !control::is_on() {
        return;
    }
    {
        let mut network = network();
        let Some(Descriptor { id, .. }) = network.descriptors.remove(&fd) else {
            return;
        };
        let is_last = network.world.get(id).is_ok_and(|s| {
            s.uses -= 1;
            s.uses == 0
        });
        if is_last {
            network.world.close(id);
        }
    }
    edge(cx, Edge::Release);
    tell(cx);
}

/// Reads from a socket in memory.
pub(crate) fn read(cx: &mut Cx, fd: c_int, into: &mut [u8]) -> Option<Result<usize, Errno>> {
    let id = socket_of(fd)?;
    let (done, _) = take(id, into, 0);
    tell(cx);
    Some(done)
}

/// Writes to a socket in memory.
pub(crate) fn write(cx: &mut Cx, fd: c_int, data: &[u8]) -> Option<Result<usize, Errno>> {
    let id = socket_of(fd)?;
    let done = network().world.send(id, data, None);
    tell(cx);
    Some(done)
}

/// Removes the file that a socket in memory has made. `false`: there is none.
pub(crate) fn unlinks(path: &[u8]) -> bool {
    control::is_on() && network().world.unlink(&key(path))
}

/// Has a socket in memory made a file there?
pub(crate) fn has_made(path: &[u8]) -> bool {
    control::is_on() && network().world.has_path(&key(path))
}

/// What names the file at `path`.
fn key(path: &[u8]) -> Vec<u8> {
    gate::absolute(path).as_os_str().as_bytes().to_vec()
}

/// Takes bytes or a message: how much was taken, and, of a message, whether it was cut.
fn take(id: Id, into: &mut [u8], flags: c_int) -> (Result<usize, Errno>, Taken) {
    let mut taken = Taken::default();
    let peeks = flags & libc::MSG_PEEK != 0;
    let world = &mut network().world;
    let has_messages = match world.get(id) {
        Ok(socket) => socket.has_messages(),
        Err(e) => return (Err(e), taken),
    };
    let done = match has_messages {
        false => world.receive(id, into, peeks),
        true => world.receive_message(id, peeks).map(|message| {
            let Some(Message { from, data }) = message else {
                return 0;
            };
            let n = data.len().min(into.len());
            into[..n].copy_from_slice(&data[..n]);
            taken.from = from;
            taken.is_message = true;
            taken.is_cut = n < data.len();
            match flags & libc::MSG_TRUNC != 0 {
                true => data.len(),
                false => n,
            }
        }),
    };
    (done, taken)
}

/// What a call is told besides a number of bytes.
#[derive(Default)]
struct Taken {
    from: Option<Name>,
    is_message: bool,
    is_cut: bool,
}

/// The system call of this number, if the world makes it: the result and the error number.
pub(crate) fn call(cx: &mut Cx, number: u64, a: [u64; 6]) -> Option<(u64, u64)> {
    if !control::is_on() {
        return None;
    }
    files(cx, number as c_long, &a);
    let done = match number as c_long {
        libc::SYS_socket => socket(cx, a[0] as c_int, a[1] as c_int)?,
        libc::SYS_newfstatat => stat(&a)?,
        _ => {
            let id = socket_of(a[0] as c_int)?;
            on_socket(cx, id, number as c_long, &a)?
        }
    };
    tell(cx);
    Some(match done {
        Ok(r) => (r, 0),
        Err(e) => (u64::MAX, e as u64),
    })
}

/// Calls that change files, of which [`gate`] is to know.
fn files(cx: &mut Cx, number: c_long, a: &[u64; 6]) {
    if !control::is_gated() {
        return;
    }
    let mut changes = |folder: c_int, name: u64, is_removed: bool| {
        // SAFETY: B1.
        let path = unsafe { path_at(folder, name) };
        match is_removed {
            true => gate::removes(cx, &path),
            false => gate::writes(cx, &path),
        }
    };
    const HERE: c_int = libc::AT_FDCWD;
    let at = a[0] as c_int;
    match number {
        libc::SYS_execve | libc::SYS_execveat | libc::SYS_fork | libc::SYS_vfork => {
            gate::starts_process(cx);
        }
        libc::SYS_clone | libc::SYS_clone3 => gate::starts_process(cx),
        libc::SYS_open => {
            // SAFETY: B1.
            let path = unsafe { path_at(HERE, a[0]) };
            gate::opens(cx, &path, a[1] as i32);
        }
        libc::SYS_openat => {
            // SAFETY: B1.
            let path = unsafe { path_at(at, a[1]) };
            gate::opens(cx, &path, a[2] as i32);
        }
        libc::SYS_unlink | libc::SYS_rmdir => changes(HERE, a[0], true),
        libc::SYS_unlinkat => changes(at, a[1], true),
        libc::SYS_creat
        | libc::SYS_mkdir
        | libc::SYS_mknod
        | libc::SYS_truncate
        | libc::SYS_chmod
        | libc::SYS_chown
        | libc::SYS_lchown
        | libc::SYS_utimes => changes(HERE, a[0], false),
        libc::SYS_mkdirat
        | libc::SYS_mknodat
        | libc::SYS_fchmodat
        | libc::SYS_fchownat
        | libc::SYS_utimensat
            if a[1] != 0 =>
        {
            changes(at, a[1], false);
        }
        libc::SYS_link | libc::SYS_symlink => changes(HERE, a[1], false),
        libc::SYS_symlinkat => changes(a[1] as c_int, a[2], false),
        libc::SYS_linkat => changes(a[2] as c_int, a[3], false),
        libc::SYS_rename => {
            changes(HERE, a[0], true);
            changes(HERE, a[1], false);
        }
        libc::SYS_renameat | libc::SYS_renameat2 => {
            changes(at, a[1], true);
            changes(a[2] as c_int, a[3], false);
        }
        _ => {}
    }
}

/// The path that a call names, below an open folder.
///
/// # Safety
///
/// B1, for `name`.
unsafe fn path_at(folder: c_int, name: u64) -> Vec<u8> {
    // SAFETY: B1.
    let name = unsafe { std::ffi::CStr::from_ptr(name as *const _) }.to_bytes();
    if folder == libc::AT_FDCWD || name.first() == Some(&b'/') {
        return name.to_vec();
    }
    match std::fs::read_link(format!("/proc/self/fd/{folder}")) {
        Ok(folder) => [folder.as_os_str().as_bytes(), b"/", name].concat(),
        Err(_) => name.to_vec(),
    }
}

/// What the kernel would tell of a file that a socket has made.
fn stat(a: &[u64; 6]) -> Option<Result<u64, Errno>> {
    // SAFETY: B1.
    let path = unsafe { path_at(a[0] as c_int, a[1]) };
    if path.is_empty() || !has_made(&path) {
        return None;
    }
    // SAFETY: plain data; B1.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        stat.st_mode = libc::S_IFSOCK | 0o755;
        stat.st_nlink = 1;
        stat.st_uid = libc::getuid();
        stat.st_gid = libc::getgid();
        (a[2] as *mut libc::stat).write_unaligned(stat);
    }
    Some(Ok(0))
}

/// Makes a socket, if it is one for the world.
fn socket(cx: &mut Cx, family: c_int, kind: c_int) -> Option<Result<u64, Errno>> {
    const FLAGS: c_int = libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
    let is_unix = family == libc::AF_UNIX;
    let is_ours = match kind & !FLAGS {
        libc::SOCK_STREAM | libc::SOCK_DGRAM => true,
        libc::SOCK_SEQPACKET => is_unix,
        _ => false,
    };
    if family == libc::AF_NETLINK {
        // It tells of this machine.
        return None;
    }
    if !is_ours || !is_unix && family != libc::AF_INET && family != libc::AF_INET6 {
        gate::reaches(cx, Outside::Dial);
        return None;
    }
    // SAFETY: a plain call.
    let fd = unsafe { libc::socket(libc::AF_UNIX, kind, 0) };
    if fd < 0 {
        return Some(Err(last_error()));
    }
    let mut network = network();
    let id = network.world.socket(family, kind & !FLAGS);
    network.add(fd, id);
    Some(Ok(fd as u64))
}

fn last_error() -> Errno {
    let e = std::io::Error::last_os_error();
    e.raw_os_error().unwrap_or(libc::EIO)
}

impl Network {
    /// `fd` is a descriptor of the socket from now on.
    fn add(&mut self, fd: c_int, id: Id) {
        if let Ok(socket) = self.world.get(id) {
            socket.uses += 1;
        }
        let waits = Vec::new();
        self.descriptors.insert(fd, Descriptor { id, waits });
    }
}

/// A call on a socket of the world. `None`: the kernel is to make it.
fn on_socket(cx: &mut Cx, id: Id, number: c_long, a: &[u64; 6]) -> Option<Result<u64, Errno>> {
    let fd = a[0] as c_int;
    let ok = |()| 0;
    Some(match number {
        libc::SYS_close => {
            closes(cx, fd);
            return None;
        }
        libc::SYS_fcntl => match a[1] as c_int {
            libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => duplicate(cx, id, number, a),
            _ => return None,
        },
        libc::SYS_dup => duplicate(cx, id, number, a),
        libc::SYS_dup2 | libc::SYS_dup3 if a[1] as c_int != fd => {
            closes(cx, a[1] as c_int);
            duplicate(cx, id, number, a)
        }
        libc::SYS_bind => {
            // SAFETY: B1.
            let address = unsafe { bytes(a[1], a[2]) };
            bind(cx, fd, id, address)?.map(ok)
        }
        libc::SYS_connect => {
            // SAFETY: B1.
            let address = unsafe { bytes(a[1], a[2]) };
            edge(cx, Edge::Release);
            connect(cx, fd, id, address)?.map(ok)
        }
        libc::SYS_listen => network().world.listen(id).map(ok),
        libc::SYS_accept | libc::SYS_accept4 => {
            let flags = match number {
                libc::SYS_accept4 => a[3] as c_int,
                _ => 0,
            };
            let done = accept(id, flags).map(|(fd, peer)| {
                // SAFETY: B1.
                unsafe { put_name(&peer, a[1], a[2]) };
                fd as u64
            });
            edge(cx, Edge::Acquire);
            done
        }
        libc::SYS_getsockname | libc::SYS_getpeername => {
            let mut network = network();
            let socket = match network.world.get(id) {
                Ok(socket) => socket,
                Err(e) => return Some(Err(e)),
            };
            let name = match (number, &socket.peer) {
                (libc::SYS_getsockname, _) => socket.local.as_ref(),
                (_, None) if !socket.is_connected() => return Some(Err(libc::ENOTCONN)),
                (_, peer) => peer.as_ref(),
            };
            // SAFETY: B1.
            unsafe { put_name(&encode(name, socket.family), a[1], a[2]) };
            Ok(0)
        }
        libc::SYS_read => {
            // SAFETY: B1.
            let into = unsafe { bytes_mut(a[1], a[2]) };
            take(id, into, 0).0.map(|n| n as u64)
        }
        libc::SYS_write => {
            // SAFETY: B1.
            let data = unsafe { bytes(a[1], a[2]) };
            network().world.send(id, data, None).map(|n| n as u64)
        }
        libc::SYS_sendto => {
            // SAFETY: B1.
            let (data, to) = unsafe { (bytes(a[1], a[2]), bytes(a[4], a[5])) };
            send(cx, id, data, to).map(|n| n as u64)
        }
        libc::SYS_recvfrom => {
            // SAFETY: B1.
            let into = unsafe { bytes_mut(a[1], a[2]) };
            let (done, taken) = take(id, into, a[3] as c_int);
            edge(cx, Edge::Acquire);
            // SAFETY: B1.
            unsafe { put_name(&sender(id, &taken), a[4], a[5]) };
            done.map(|n| n as u64)
        }
        libc::SYS_sendmsg => {
            // SAFETY: B1.
            unsafe { send_message(cx, id, a[1] as *const libc::msghdr) }
        }
        libc::SYS_recvmsg => {
            // SAFETY: B1.
            unsafe { receive_message(cx, id, a[1] as *mut libc::msghdr, a[2] as c_int) }
        }
        libc::SYS_shutdown => {
            let how = a[1] as c_int;
            edge(cx, Edge::Release);
            let (reads, writes) = (how != libc::SHUT_WR, how != libc::SHUT_RD);
            network().world.shutdown(id, reads, writes).map(ok)
        }
        libc::SYS_setsockopt => {
            // SAFETY: B1.
            let value = unsafe { bytes(a[3], a[4]) };
            set_option(cx, fd, id, (a[1] as c_int, a[2] as c_int), value)?
        }
        libc::SYS_getsockopt => {
            let value = option(id, (a[1] as c_int, a[2] as c_int));
            // SAFETY: B1.
            value.map(|value| unsafe {
                put_name(&value, a[3], a[4]);
                0
            })
        }
        _ => return None,
    })
}

/// What lies at an address.
///
/// # Safety
///
/// B1.
unsafe fn bytes<'a>(at: u64, n: u64) -> &'a [u8] {
    match at {
        0 => &[],
        // SAFETY: B1.
        at => unsafe { std::slice::from_raw_parts(at as *const u8, n as usize) },
    }
}

/// Room at an address.
///
/// # Safety
///
/// B1.
unsafe fn bytes_mut<'a>(at: u64, n: u64) -> &'a mut [u8] {
    match at {
        0 => &mut [],
        // SAFETY: B1.
        at => unsafe { std::slice::from_raw_parts_mut(at as *mut u8, n as usize) },
    }
}

/// Writes `value` to `at`, cut to the number at `size`, which becomes its length.
///
/// # Safety
///
/// B1.
unsafe fn put_name(value: &[u8], at: u64, size: u64) {
    if at == 0 || size == 0 {
        return;
    }
    // SAFETY: B1.
    unsafe {
        let size = size as *mut u32;
        let n = value.len().min(size.read_unaligned() as usize);
        std::ptr::copy_nonoverlapping(value.as_ptr(), at as *mut u8, n);
        size.write_unaligned(value.len() as u32);
    }
}

/// Another descriptor of the same socket.
fn duplicate(cx: &mut Cx, id: Id, number: c_long, a: &[u64; 6]) -> Result<u64, Errno> {
    let (r, errno) = super::kernel::raw_call(number as u64, *a);
    if errno != 0 {
        return Err(errno as Errno);
    }
    closes(cx, r as c_int);
    network().add(r as c_int, id);
    Ok(r)
}

// ---- Names.

/// What a program has laid out as an address.
fn decode(family: c_int, b: &[u8]) -> Result<Name, Errno> {
    let word = |at: usize| b.get(at..at + 2).map(|w| u16::from_ne_bytes([w[0], w[1]]));
    let port = || b.get(2..4).map(|p| u16::from_be_bytes([p[0], p[1]]));
    let own = c_int::from(word(0).ok_or(libc::EINVAL)?);
    if own != family {
        return Err(libc::EAFNOSUPPORT);
    }
    let ip: IpAddr = match own {
        libc::AF_INET => {
            let ip: [u8; 4] = b
                .get(4..8)
                .and_then(|b| b.try_into().ok())
                .ok_or(libc::EINVAL)?;
            ip.into()
        }
        libc::AF_INET6 => {
            let ip = b.get(8..24).and_then(|b| b.try_into().ok());
            let ip: [u8; 16] = ip.ok_or(libc::EINVAL)?;
            Ipv6Addr::from(ip).to_canonical()
        }
        libc::AF_UNIX => {
            let said = &b[2..];
            if said.first() == Some(&0) {
                let path = said.to_vec();
                return Ok(Name::Unix {
                    said: path.clone(),
                    path,
                });
            }
            let said = said.split(|c| *c == 0).next().unwrap_or_default().to_vec();
            let path = key(&said);
            return Ok(Name::Unix { said, path });
        }
        _ => return Err(libc::EAFNOSUPPORT),
    };
    Ok(Name::Inet(SocketAddr::new(ip, port().ok_or(libc::EINVAL)?)))
}

/// An address as the kernel lays it out for a socket of `family`.
fn encode(name: Option<&Name>, family: c_int) -> Vec<u8> {
    let mut b = (family as u16).to_ne_bytes().to_vec();
    let port = |a: &SocketAddr| a.port().to_be_bytes();
    match name {
        Some(Name::Inet(a)) if family == libc::AF_INET => {
            b.extend(port(a));
            if let IpAddr::V4(ip) = a.ip() {
                b.extend(ip.octets());
            }
            b.resize(16, 0);
        }
        Some(Name::Inet(a)) => {
            b.extend(port(a));
            b.extend([0; 4]);
            b.extend(match a.ip() {
                IpAddr::V4(ip) => ip.to_ipv6_mapped().octets(),
                IpAddr::V6(ip) => ip.octets(),
            });
            b.resize(28, 0);
        }
        Some(Name::Unix { said, .. }) => {
            b.extend(said);
            if said.first() != Some(&0) {
                b.push(0);
            }
        }
        None => b.resize(
            match family {
                libc::AF_INET => 16,
                libc::AF_INET6 => 28,
                _ => 2,
            },
            0,
        ),
    }
    b
}

/// The encoded address of a message's sender; empty for a stream.
fn sender(id: Id, taken: &Taken) -> Vec<u8> {
    match network().world.get(id) {
        Ok(socket) if taken.is_message => encode(taken.from.as_ref(), socket.family),
        _ => Vec::new(),
    }
}

// ---- Calls.

fn family(id: Id) -> Result<c_int, Errno> {
    network().world.get(id).map(|s| s.family)
}

fn bind(cx: &mut Cx, fd: c_int, id: Id, address: &[u8]) -> Option<Result<(), Errno>> {
    let name = match family(id).and_then(|family| match (family, address.len()) {
        (libc::AF_UNIX, 2) => {
            let path = network().world.any_name();
            Ok(Name::Unix {
                said: path.clone(),
                path,
            })
        }
        _ => decode(family, address),
    }) {
        Ok(name) => name,
        Err(e) => return Some(Err(e)),
    };
    match &name {
        Name::Inet(a) if !is_ours(a.ip()) => {
            gate::reaches(cx, Outside::Listen);
            return leave(fd, id);
        }
        Name::Unix { path, .. } if path.first() != Some(&0) => {
            let path = std::path::Path::new(std::ffi::OsStr::from_bytes(path));
            let folder = path.parent().unwrap_or(path);
            let code = |e: std::io::Error| e.raw_os_error().unwrap_or(libc::EACCES);
            match (folder.metadata().map_err(code), path.symlink_metadata()) {
                (Err(e), _) => return Some(Err(e)),
                (Ok(folder), _) if !folder.is_dir() => return Some(Err(libc::ENOTDIR)),
                (_, Ok(_)) => return Some(Err(libc::EADDRINUSE)),
                _ => {}
            }
        }
        _ => {}
    }
    Some(network().world.bind(id, name))
}

fn connect(cx: &mut Cx, fd: c_int, id: Id, address: &[u8]) -> Option<Result<(), Errno>> {
    let name = match family(id).and_then(|family| decode(family, address)) {
        Ok(name) => name,
        Err(e) => return Some(Err(e)),
    };
    let is_outside = match &name {
        Name::Inet(a) => !is_ours(a.ip()),
        Name::Unix { path, .. } => {
            let file = std::path::Path::new(std::ffi::OsStr::from_bytes(path));
            path.first() != Some(&0) && !network().world.has_path(path) && file.exists()
        }
    };
    if is_outside {
        gate::reaches(cx, Outside::Dial);
        return leave(fd, id);
    }
    Some(network().world.connect(id, name))
}

/// Makes the descriptor a socket of the kernel's, which is to make the call. What it was told so
/// far it is told again.
fn leave(fd: c_int, id: Id) -> Option<Result<(), Errno>> {
    let mut network = network();
    let is_waited_for = |d: &Descriptor| !d.waits.is_empty();
    if network.descriptors.get(&fd).is_none_or(is_waited_for) {
        return Some(Err(libc::ENETUNREACH));
    }
    let socket = match network.world.get(id) {
        Ok(socket) if socket.uses == 1 => socket,
        _ => return Some(Err(libc::ENETUNREACH)),
    };
    // SAFETY: plain calls, and B1.
    let made = unsafe {
        let status = libc::fcntl(fd, libc::F_GETFL) & libc::O_NONBLOCK;
        let flags = libc::fcntl(fd, libc::F_GETFD);
        let real = libc::socket(socket.family, socket.kind | status | libc::SOCK_CLOEXEC, 0);
        if real < 0 {
            return Some(Err(last_error()));
        }
        for ((level, name), value) in &socket.options {
            let n = value.len() as libc::socklen_t;
            libc::setsockopt(real, *level, *name, value.as_ptr().cast(), n);
        }
        let own = socket
            .local
            .as_ref()
            .filter(|_| socket.family != libc::AF_UNIX);
        if let Some(name) = own {
            let address = encode(Some(name), socket.family);
            libc::bind(
                real,
                address.as_ptr().cast(),
                address.len() as libc::socklen_t,
            );
        }
        let made = libc::dup2(real, fd);
        libc::fcntl(fd, libc::F_SETFD, flags);
        libc::close(real);
        made
    };
    if made < 0 {
        return Some(Err(last_error()));
    }
    network.descriptors.remove(&fd);
    network.world.close(id);
    None
}

/// A server of names is to be asked, by the socket `fd` if there is one: it becomes one of the
/// kernel's.
pub(crate) fn asks_for_names(cx: &mut Cx, fd: c_int) {
    if !control::is_on() {
        return;
    }
    gate::reaches(cx, Outside::Name);
    if let Some(id) = socket_of(fd) {
        let _ = leave(fd, id);
    }
}

/// The next connection: its descriptor and the address of its peer.
fn accept(id: Id, flags: c_int) -> Result<(c_int, Vec<u8>), Errno> {
    let mut network = network();
    let accepted = network.world.accept(id)?;
    let socket = network.world.get(accepted)?;
    let peer = encode(socket.peer.as_ref(), socket.family);
    // SAFETY: a plain call.
    let fd = unsafe { libc::socket(libc::AF_UNIX, socket.kind | flags, 0) };
    if fd < 0 {
        let e = last_error();
        network.world.close(accepted);
        return Err(e);
    }
    network.add(fd, accepted);
    Ok((fd, peer))
}

fn send(cx: &mut Cx, id: Id, data: &[u8], to: &[u8]) -> Result<usize, Errno> {
    let to = match to {
        [] => None,
        to => Some(decode(family(id)?, to)?),
    };
    if let Some(Name::Inet(a)) = &to
        && !is_ours(a.ip())
    {
        gate::reaches(cx, Outside::Dial);
        return Err(libc::ENETUNREACH);
    }
    edge(cx, Edge::Release);
    network().world.send(id, data, to)
}

/// The parts of a message.
///
/// # Safety
///
/// B1.
unsafe fn parts<'a>(h: *const libc::msghdr) -> &'a [libc::iovec] {
    // SAFETY: B1.
    unsafe {
        match (*h).msg_iovlen {
            0 => &[],
            n => std::slice::from_raw_parts((*h).msg_iov, n),
        }
    }
}

/// # Safety
///
/// B1.
unsafe fn send_message(cx: &mut Cx, id: Id, h: *const libc::msghdr) -> Result<u64, Errno> {
    // SAFETY: B1.
    let (data, to) = unsafe {
        if (*h).msg_controllen != 0 && family(id)? == libc::AF_UNIX {
            return Err(libc::EOPNOTSUPP);
        }
        let all = parts(h).iter();
        let all = all.map(|part| bytes(part.iov_base as u64, part.iov_len as u64));
        let to = bytes((*h).msg_name as u64, (*h).msg_namelen.into());
        (all.collect::<Vec<_>>().concat(), to)
    };
    send(cx, id, &data, to).map(|n| n as u64)
}

/// # Safety
///
/// B1.
unsafe fn receive_message(
    cx: &mut Cx,
    id: Id,
    h: *mut libc::msghdr,
    flags: c_int,
) -> Result<u64, Errno> {
    // SAFETY: B1.
    unsafe {
        let all = parts(h);
        let mut into = vec![0; all.iter().map(|part| part.iov_len).sum()];
        let (done, taken) = take(id, &mut into, flags);
        edge(cx, Edge::Acquire);
        let n = done?;
        let mut rest = &into[..n.min(into.len())];
        for part in all {
            let (now, later) = rest.split_at(rest.len().min(part.iov_len));
            bytes_mut(part.iov_base as u64, now.len() as u64).copy_from_slice(now);
            rest = later;
        }
        let name = &raw mut (*h).msg_namelen;
        put_name(&sender(id, &taken), (*h).msg_name as u64, name as u64);
        (*h).msg_controllen = 0;
        let cut = match taken.is_cut {
            true => libc::MSG_TRUNC,
            false => 0,
        };
        (*h).msg_flags = flags & libc::MSG_CMSG_CLOEXEC | cut;
        Ok(n as u64)
    }
}

// ---- Options.

/// Sets an option. All are taken, and most mean nothing here. `None`: the kernel is to do it.
fn set_option(
    cx: &mut Cx,
    fd: c_int,
    id: Id,
    (level, name): (c_int, c_int),
    value: &[u8],
) -> Option<Result<u64, Errno>> {
    let joins = level == libc::IPPROTO_IP && name == libc::IP_ADD_MEMBERSHIP
        || level == libc::IPPROTO_IPV6 && name == libc::IPV6_ADD_MEMBERSHIP;
    if joins {
        gate::reaches(cx, Outside::Listen);
        return leave(fd, id).map(|done| done.map(|()| 0));
    }
    let word = |at: usize| {
        let word = value.get(at..at + 4).and_then(|w| w.try_into().ok());
        word.map_or(0, c_int::from_ne_bytes)
    };
    let mut network = network();
    let socket = match network.world.get(id) {
        Ok(socket) => socket,
        Err(e) => return Some(Err(e)),
    };
    // As the kernel, which wants the room for itself, too.
    let buffer = || {
        (word(0).max(0) as usize)
            .saturating_mul(2)
            .clamp(4608, 1 << 24)
    };
    match (level, name) {
        (libc::SOL_SOCKET, libc::SO_REUSEADDR) => socket.reuse = word(0) != 0,
        (libc::SOL_SOCKET, libc::SO_SNDBUF) => socket.buffers[0] = buffer(),
        (libc::SOL_SOCKET, libc::SO_RCVBUF) => socket.buffers[1] = buffer(),
        (libc::SOL_SOCKET, libc::SO_LINGER) => socket.resets = word(0) != 0 && word(4) == 0,
        (libc::IPPROTO_IPV6, libc::IPV6_V6ONLY) => socket.only6 = word(0) != 0,
        _ => {}
    }
    socket.options.insert((level, name), value.to_vec());
    Some(Ok(0))
}

/// The value of an option.
fn option(id: Id, (level, name): (c_int, c_int)) -> Result<Vec<u8>, Errno> {
    let mut network = network();
    let socket = network.world.get(id)?;
    if level == libc::SOL_SOCKET && name == libc::SO_PEERCRED {
        // SAFETY: plain calls.
        let (uid, gid) = unsafe { (libc::getuid(), libc::getgid()) };
        let own = [std::process::id(), uid, gid];
        return Ok(own.iter().flat_map(|n| n.to_ne_bytes()).collect());
    }
    let is_stream = !socket.has_messages();
    let value = match (level, name) {
        (libc::SOL_SOCKET, libc::SO_TYPE) => socket.kind,
        (libc::SOL_SOCKET, libc::SO_DOMAIN) => socket.family,
        (libc::SOL_SOCKET, libc::SO_PROTOCOL) if socket.family == libc::AF_UNIX => 0,
        (libc::SOL_SOCKET, libc::SO_PROTOCOL) if is_stream => libc::IPPROTO_TCP,
        (libc::SOL_SOCKET, libc::SO_PROTOCOL) => libc::IPPROTO_UDP,
        (libc::SOL_SOCKET, libc::SO_ERROR) => socket.take_error(),
        (libc::SOL_SOCKET, libc::SO_ACCEPTCONN) => socket.is_listening().into(),
        (libc::SOL_SOCKET, libc::SO_SNDBUF) => socket.buffers[0] as c_int,
        (libc::SOL_SOCKET, libc::SO_RCVBUF) => socket.buffers[1] as c_int,
        key => match socket.options.get(&key) {
            Some(value) => return Ok(value.clone()),
            None => 0,
        },
    };
    Ok(value.to_ne_bytes().to_vec())
}
