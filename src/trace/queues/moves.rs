//! How goroutines get from one queue to another.

use std::collections::VecDeque;

use super::{Checked, Item, Place, Queues};
use crate::seen::Seen;

/// More goroutines that are moved, after `stolen`, `fetched` or `overflow`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Moves {
    pub(super) by: Mover,
    pub(super) left: u64,
    pub(super) from: Place,
    /// Of a theft: those behind the first on the ring, which are the ones to be moved.
    pub(super) next: VecDeque<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    Thief,
    Fetcher,
    Overflow,
}

/// Who takes an item, and so which one it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Taker {
    /// The owner of the queue, in order.
    Owner,
    /// Another P.
    Thief,
    /// What takes all, in no order.
    Nobody,
}

impl Queues {
    pub(super) fn stolen(&mut self, v: &Seen<'_>) -> Checked {
        let (g, m, from) = (v.e.g, v.e.m, v.op("from") as i64);
        let source = match v.word("place") {
            "runnext" => Place::Runnext(from),
            _ => Place::Ring(from),
        };
        let left = v.op("n").checked_sub(1).ok_or("nothing is stolen")?;
        let ring = self.ps.entry(from).or_default().ring.iter();
        let behind = ring.skip_while(|i| i.g != g).skip(1);
        // A ring that is none is robbed of one item after another, and not by one thief alone.
        let next = match self.is_fifo {
            true => behind.take(left as usize).map(|i| i.g).collect(),
            false => VecDeque::new(),
        };
        let is_known = self.place(g)? != Place::Unknown;
        if self.is_fifo && is_known && next.len() as u64 != left && source == Place::Ring(from) {
            return Err(format!("{} goroutines are behind it", next.len()));
        }
        let at = self.take(g, source, Taker::Thief)?;
        if is_known && at != Some(v.at()) {
            return Err(format!("goroutine {g} had place {}", at.unwrap_or(0)));
        }
        self.goroutine(g)?.place = Place::Hand(m);
        self.announce(m, Mover::Thief, left, source, next)
    }

    pub(super) fn fetched(&mut self, v: &Seen<'_>) -> Checked {
        let (g, m) = (v.e.g, v.e.m);
        let (of, known) = (v.op("of"), self.global.len() as u64);
        if of < known || of > known && !self.is_partial {
            return Err(format!("{known} are on the global queue"));
        }
        let is_known = self.place(g)? != Place::Unknown;
        let at = self.take(g, Place::Global, Taker::Owner)?;
        if is_known && at != Some(v.at()) {
            return Err(format!("goroutine {g} had place {}", at.unwrap_or(0)));
        }
        self.goroutine(g)?.place = Place::Hand(m);
        let left = v.op("n").checked_sub(1).ok_or("nothing is fetched")?;
        self.announce(m, Mover::Fetcher, left, Place::Global, VecDeque::new())
    }

    pub(super) fn announce(
        &mut self,
        m: i64,
        by: Mover,
        left: u64,
        from: Place,
        next: VecDeque<u64>,
    ) -> Checked {
        let moves = Moves {
            by,
            left,
            from,
            next,
        };
        let thread = self.threads.entry(m).or_default();
        match thread.moves.replace(moves) {
            Some(before) if before.left > 0 => Err(format!("{} moves are missing", before.left)),
            _ => Ok(()),
        }
    }

    pub(super) fn queued(&mut self, v: &Seen<'_>) -> Checked {
        let (g, m, p, to) = (v.e.g, v.e.m, v.e.p, v.word("to"));
        let is = self.place(g)?;
        let thread = self.threads.entry(m).or_default();
        let moves = thread.moves.as_mut().filter(|moves| moves.left > 0);
        if let Some(moves) = moves {
            moves.left -= 1;
            let (by, from) = (moves.by, moves.from);
            let next = moves.next.pop_front();
            if by == Mover::Thief && next.is_some_and(|next| next != g) {
                return Err(format!("goroutine {} was next", next.unwrap_or(0)));
            }
            let source = match (by, is) {
                // The last of these is the one that found the ring full.
                (Mover::Overflow, Place::Limbo | Place::Runnext(_)) => is,
                _ => from,
            };
            let taker = match by {
                Mover::Thief => Taker::Thief,
                Mover::Fetcher => Taker::Owner,
                Mover::Overflow => Taker::Nobody,
            };
            self.take(g, source, taker)?;
        } else {
            let may = match is {
                Place::Limbo | Place::Unknown => true,
                // Another has come into its place.
                Place::Runnext(own) if own == p && to == "ring" => true,
                // A P is gone, with all threads stopped.
                Place::Runnext(_) | Place::Ring(_) if to == "global-front" => true,
                Place::Runnext(own) | Place::Ring(own) if to == "offered" => {
                    self.is_steered && own == p
                }
                Place::Hand(own) if to == "offered" => self.is_steered && own == m,
                Place::Runnext(own) | Place::Ring(own) if to == "global" => {
                    self.is_chaotic && own == p
                }
                Place::Offered => matches!(to, "wired" | "aside"),
                Place::Aside => to == "global",
                // Found, but not to be run here.
                Place::Hand(own) => own == m && matches!(to, "wired" | "aside"),
                Place::Runnext(own) | Place::Ring(own) => {
                    own == p && matches!(to, "wired" | "aside")
                }
                _ => false,
            };
            if !may {
                return Err(format!("goroutine {g} is {is}"));
            }
            let taker = match to {
                "wired" | "aside" | "offered" => Taker::Owner,
                "global" if self.is_chaotic => Taker::Owner,
                _ => Taker::Nobody,
            };
            if to == "wired" || to == "aside" {
                self.chosen.retain(|_, chosen| *chosen != g);
            }
            self.take(g, is, taker)?;
        }
        self.put(v, to)
    }

    /// Puts the goroutine of the event where that says.
    fn put(&mut self, v: &Seen<'_>, to: &str) -> Checked {
        let (g, p, at) = (v.e.g, v.e.p, v.at());
        let item = Item {
            g,
            at,
            is_owed: false,
        };
        let processor = self.ps.entry(p).or_default();
        let is_partial = self.is_partial;
        let follows = |last: &mut i64| match std::mem::replace(last, at) {
            before if before + 1 == at => Ok(()),
            0 if is_partial => Ok(()),
            before => Err(format!("place {} is the next of P{p}", before + 1)),
        };
        let place = match to {
            "runnext" => {
                follows(&mut processor.next_at)?;
                // A thief may have had it since.
                let out = v.op("out");
                let newest = processor.runnext.last().map_or(0, |i| i.g);
                if out != 0 && newest != 0 && out != newest {
                    return Err(format!("goroutine {newest} is in runnext of P{p}"));
                }
                processor.runnext.push(item);
                Place::Runnext(p)
            }
            "ring" => {
                follows(&mut processor.ring_at)?;
                processor.ring.push_back(item);
                Place::Ring(p)
            }
            "global" => {
                if self.global.back().is_some_and(|last| last.at >= at) {
                    return Err("the global queue has a later place already".into());
                }
                self.global.push_back(item);
                Place::Global
            }
            "global-front" => {
                if self.global.front().is_some_and(|first| first.at <= at) {
                    return Err("the global queue has an earlier place already".into());
                }
                self.global.push_front(item);
                Place::Global
            }
            "aside" => Place::Aside,
            "wired" => Place::Wired,
            "offered" => {
                self.offered += self.counts(g);
                Place::Offered
            }
            _ => return Err(format!("there is no place {to:?}")),
        };
        self.goroutine(g)?.place = place;
        Ok(())
    }

    /// How much the goroutine counts among those to be chosen from: the runtime's own does not.
    fn counts(&self, g: u64) -> u64 {
        let goroutine = self.goroutines.get(&g);
        u64::from(goroutine.is_none_or(|g| !g.is_system))
    }

    /// Takes a goroutine from where it must be; the number of its place, if it had one.
    pub(super) fn take(&mut self, g: u64, from: Place, by: Taker) -> Checked<Option<i64>> {
        if self.expect(g, from)? == Place::Unknown && from != Place::Unknown {
            return Ok(None);
        }
        let item = match from {
            Place::Global => match self.global.front() {
                Some(first) if first.g == g => self.global.pop_front(),
                Some(first) => return Err(format!("goroutine {} comes first", first.g)),
                None => None,
            },
            Place::Runnext(p) => {
                let next = &mut self.ps.entry(p).or_default().runnext;
                let i = next.iter().position(|i| i.g == g);
                let i = i.ok_or_else(|| format!("goroutine {g} is not in runnext of P{p}"))?;
                // The owner takes the newest; what is older is a thief's.
                if by == Taker::Owner && i + 1 != next.len() {
                    return Err(format!(
                        "goroutine {} came into runnext later",
                        next[i + 1].g
                    ));
                }
                Some(next.remove(i))
            }
            Place::Ring(p) => Some(self.take_from_ring(g, p, by)?),
            Place::Offered => {
                self.offered = self.offered.saturating_sub(self.counts(g));
                None
            }
            _ => None,
        };
        Ok(item.map(|i| i.at))
    }

    fn take_from_ring(&mut self, g: u64, p: i64, by: Taker) -> Checked<Item> {
        let is_fifo = self.is_fifo;
        let ring = &mut self.ps.entry(p).or_default().ring;
        let none = || format!("goroutine {g} is not on the ring of P{p}");
        let i = ring.iter().position(|i| i.g == g).ok_or_else(none)?;
        let is_last = i + 1 == ring.len();
        let item = ring.remove(i).ok_or_else(none)?;
        if by != Taker::Owner {
            return Ok(item);
        }
        if item.is_owed {
            return Err(format!("goroutine {g} was in front of one that P{p} took"));
        }
        if is_fifo {
            ring.iter_mut().take(i).for_each(|i| i.is_owed = true);
        } else if !is_last {
            return Err(format!(
                "goroutine {g} is not the newest on the ring of P{p}"
            ));
        }
        Ok(item)
    }
}
