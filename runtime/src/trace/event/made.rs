//! What is made of the list of events: their type, how they are written, the schema.

use ::trace::schema::{Form, List, Rule, Slot};

use super::operand::Operand;

/// How the values of these forms are written.
pub(super) const fn rules<const N: usize>(parts: &[&[Form]]) -> [Rule; N] {
    let mut all = [Form::Number.rule(); N];
    let (mut part, mut n) = (0, 0);
    while part < parts.len() {
        let mut i = 0;
        while i < parts[part].len() {
            all[n] = parts[part][i].rule();
            n += 1;
            i += 1;
        }
        part += 1;
    }
    all
}

/// The lists of words so far, each with the type whose words these are.
pub(super) type Lists = Vec<(&'static str, List)>;

/// The slots of an operand of type `T`, whose values have these forms.
pub(super) fn slots<T: Operand>(name: &str, forms: &[Form], lists: &mut Lists) -> Vec<Slot> {
    let own = forms.iter().map(|&form| match form {
        Form::Word(_) => {
            let ty = std::any::type_name::<T>();
            let known = lists.iter().position(|l| l.0 == ty);
            let at = known.unwrap_or_else(|| {
                lists.push((ty, T::list().unwrap_or_default()));
                lists.len() - 1
            });
            (name, Form::Word(at as u8))
        }
        Form::Member => ("", form),
        _ => (name, form),
    });
    let slot = |(name, form): (&str, Form)| Slot {
        name: name.into(),
        form,
    };
    own.map(slot).collect()
}

macro_rules! forms {
    ($ty:ty) => {
        <$ty as Operand>::FORMS
    };
    ($ty:ty, $form:ident) => {
        &[Form::$form]
    };
}

macro_rules! events {
    ($(
        $(#[$doc:meta])*
        $id:ident = $name:literal { $($(#[$odoc:meta])* $op:ident: $ty:ty $(as $form:ident)?,)* }
    )*) => {
        /// What happened. The G, M and P of the event are those it is about.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum What { $($(#[$doc])* $id { $($(#[$odoc])* $op: $ty),* }),* }

        #[derive(Clone, Copy)]
        #[repr(u8)]
        enum Kind { $($id),* }

        /// How many events there are.
        pub(super) const KINDS: usize = [$(Kind::$id),*].len();

        /// The names of events, with those of their operands.
        #[cfg(test)]
        const NAMES: &[(&str, &[&str])] = &[$(($name, &[$(stringify!($op)),*])),*];

        /// How each event's values are written.
        pub(super) static RULES: [&[Rule]; KINDS] = [$({
            const N: usize = 0 $(+ <$ty as Operand>::FORMS.len())*;
            const ALL: [Rule; N] = rules(&[$(forms!($ty $(, $form)?)),*]);
            &ALL
        }),*];

        /// What stands in each trace about its events.
        pub(crate) fn schema() -> Schema {
            let mut lists = Lists::new();
            let kinds = vec![$(schema::Kind {
                name: $name.into(),
                slots: [
                    $(slots::<$ty>(
                        stringify!($op),
                        forms!($ty $(, $form)?),
                        &mut lists,
                    )),*
                ]
                .into_iter()
                .collect::<Vec<Vec<Slot>>>()
                .concat(),
            }),*];
            Schema { kinds, lists: lists.into_iter().map(|l| l.1).collect() }
        }

        impl Values for What {
            #[inline(always)]
            fn put_all(&self, _to: &mut impl Put) {
                match self {
                    $(What::$id { $($op),* } => {
                        const N: usize = 0 $(+ <$ty as Operand>::FORMS.len())*;
                        let _all: [Rule; N] = const { rules(&[$(forms!($ty $(, $form)?)),*]) };
                        const { assert!(N <= SLOTS) };
                        let mut _i = 0;
                        $(
                            $op.put(_to, &_all[_i..]);
                            _i += <$ty as Operand>::FORMS.len();
                        )*
                    })*
                }
            }
        }

        impl What {
            /// The kind's number.
            #[inline(always)]
            pub(super) fn kind(&self) -> u8 {
                match self {
                    $(What::$id { .. } => Kind::$id as u8),*
                }
            }

            pub(super) fn decode(kind: u8, from: &[u64]) -> What {
                $(if kind == Kind::$id as u8 {
                    let mut _at = 0;
                    $(
                        let $op = <$ty as Operand>::get(&from[_at..]);
                        _at += <$ty as Operand>::FORMS.len();
                    )*
                    return What::$id { $($op),* };
                })*
                unreachable!("an event of kind {kind}")
            }
        }
    };
}
