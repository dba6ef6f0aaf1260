//! The names every Go program knows.
//!
//! Go: go/types (universe.go). Spec: Predeclared identifiers, Package unsafe.

use super::*;

const TYPES: [(&str, TypeId); 20] = [
    ("bool", TypeId::BOOL),
    ("int", TypeId::INT),
    ("int8", TypeId::INT8),
    ("int16", TypeId::INT16),
    ("int32", TypeId::INT32),
    ("int64", TypeId::INT64),
    ("uint", TypeId::UINT),
    ("uint8", TypeId::UINT8),
    ("uint16", TypeId::UINT16),
    ("uint32", TypeId::UINT32),
    ("uint64", TypeId::UINT64),
    ("uintptr", TypeId::UINTPTR),
    ("float32", TypeId::FLOAT32),
    ("float64", TypeId::FLOAT64),
    ("complex64", TypeId::COMPLEX64),
    ("complex128", TypeId::COMPLEX128),
    ("string", TypeId::STRING),
    ("byte", TypeId::BYTE),
    ("rune", TypeId::RUNE),
    ("any", TypeId::ANY),
];

const BUILTINS: [(&str, Builtin); 18] = [
    ("append", Builtin::Append),
    ("cap", Builtin::Cap),
    ("clear", Builtin::Clear),
    ("close", Builtin::Close),
    ("complex", Builtin::Complex),
    ("copy", Builtin::Copy),
    ("delete", Builtin::Delete),
    ("imag", Builtin::Imag),
    ("len", Builtin::Len),
    ("make", Builtin::Make),
    ("max", Builtin::Max),
    ("min", Builtin::Min),
    ("new", Builtin::New),
    ("panic", Builtin::Panic),
    ("print", Builtin::Print),
    ("println", Builtin::Println),
    ("real", Builtin::Real),
    ("recover", Builtin::Recover),
];

const UNSAFE_BUILTINS: [(&str, Builtin); 8] = [
    ("Add", Builtin::UnsafeAdd),
    ("Alignof", Builtin::UnsafeAlignof),
    ("Offsetof", Builtin::UnsafeOffsetof),
    ("Sizeof", Builtin::UnsafeSizeof),
    ("Slice", Builtin::UnsafeSlice),
    ("SliceData", Builtin::UnsafeSliceData),
    ("String", Builtin::UnsafeString),
    ("StringData", Builtin::UnsafeStringData),
];

impl Builtin {
    /// As written in Go, without `unsafe.`.
    pub fn name(self) -> &'static str {
        BUILTINS
            .iter()
            .chain(&UNSAFE_BUILTINS)
            .find(|(_, b)| *b == self)
            .map_or("", |(n, _)| n)
    }
}

impl Program {
    fn universal(&mut self, name: &str, kind: ObjKind, ty: TypeId) -> ObjId {
        let name = Symbol::new(name);
        let obj = self.objs.add(Object {
            kind,
            name,
            pos: Pos::NONE,
            pkg: None,
            ty,
            parent: Some(ScopeId::UNIVERSE),
            color: Color::Black,
        });
        self.scopes.insert(ScopeId::UNIVERSE, name, obj);
        obj
    }

    /// Fills scope 0, and package `unsafe`.
    pub(super) fn declare_universe(&mut self) {
        assert_eq!(self.scopes.add(None), ScopeId::UNIVERSE);
        let any_obj = self.universal("any", ObjKind::TypeName { is_alias: true }, TypeId::ANY);
        let any = self.types.add(Type::Alias {
            obj: any_obj,
            target: TypeId::EMPTY_INTERFACE,
            targs: Vec::new(),
        });
        assert_eq!(any, TypeId::ANY);
        for (name, ty) in TYPES {
            self.universal(name, ObjKind::TypeName { is_alias: false }, ty);
        }
        let type_name = ObjKind::TypeName { is_alias: false };
        let error_obj = self.universal("error", type_name.clone(), TypeId::ERROR);
        let comparable_obj = self.universal("comparable", type_name.clone(), TypeId::COMPARABLE);
        let named = |obj| {
            Type::Named(Box::new(Named {
                obj,
                underlying: TypeId::INVALID,
                methods: Vec::new(),
                tparams: Vec::new(),
                targs: Vec::new(),
                origin: None,
                local_index: 0,
                outer: Vec::new(),
                complete: true,
            }))
        };
        assert_eq!(self.types.add(named(error_obj)), TypeId::ERROR);
        assert_eq!(self.types.add(named(comparable_obj)), TypeId::COMPARABLE);
        assert_eq!(self.types.tuple(Vec::new()), TypeId::EMPTY_TUPLE);

        // type error interface { Error() string }
        let mut var = |name: &str, ty| {
            self.objs.add(Object {
                kind: ObjKind::Var(VarInfo {
                    is_param: true,
                    ..VarInfo::default()
                }),
                name: Symbol::new(name),
                pos: Pos::NONE,
                pkg: None,
                ty,
                parent: None,
                color: Color::Black,
            })
        };
        let result = var("", TypeId::STRING);
        let recv = var("", TypeId::ERROR);
        let sig = self.types.add(Type::Signature(Box::new(Signature {
            recv: Some(recv),
            results: vec![result],
            ..Signature::default()
        })));
        let method = self.objs.add(Object {
            kind: ObjKind::Func(FuncInfo {
                recv_named: Some(TypeId::ERROR),
                ..FuncInfo::default()
            }),
            name: Symbol::new("Error"),
            pos: Pos::NONE,
            pkg: None,
            ty: sig,
            parent: None,
            color: Color::Black,
        });
        let iface = self.types.add(Type::Interface(Box::new(Interface {
            methods: vec![method],
            complete: true,
            ..Interface::default()
        })));
        self.types.named_mut(TypeId::ERROR).underlying = iface;
        let set = TypeSet {
            comparable: true,
            ..TypeSet::default()
        };
        let comparable = self.types.add(Type::Interface(Box::new(Interface {
            complete: true,
            type_set: OnceCell::from(Rc::new(set)),
            ..Interface::default()
        })));
        self.types.named_mut(TypeId::COMPARABLE).underlying = comparable;

        for (name, value) in [("true", true), ("false", false)] {
            self.universal(
                name,
                ObjKind::Const(ConstValue::Bool(value)),
                TypeId::UNTYPED_BOOL,
            );
        }
        self.universal(
            "iota",
            ObjKind::Const(ConstValue::Int(0)),
            TypeId::UNTYPED_INT,
        );
        self.universal("nil", ObjKind::Nil, TypeId::UNTYPED_NIL);
        for (name, b) in BUILTINS {
            self.universal(name, ObjKind::Builtin(b), TypeId::INVALID);
        }

        let scope = self.scopes.add(Some(ScopeId::UNIVERSE));
        let pkg = PkgId(self.packages.len());
        self.packages.push(Package {
            path: "unsafe".into(),
            name: Symbol::new("unsafe"),
            files: Vec::new(),
            scope,
            imports: Vec::new(),
            init_order: Vec::new(),
            inits: Vec::new(),
            effects: Vec::new(),
            is_std: true,
        });
        self.loaded.insert(pkg);
        self.by_path.insert("unsafe".into(), pkg);
        let mut add = |name: &str, kind, ty| {
            let name = Symbol::new(name);
            let obj = self.objs.add(Object {
                kind,
                name,
                pos: Pos::NONE,
                pkg: Some(pkg),
                ty,
                parent: Some(scope),
                color: Color::Black,
            });
            self.scopes.insert(scope, name, obj);
        };
        add("Pointer", type_name, TypeId::UNSAFE_POINTER);
        for (name, b) in UNSAFE_BUILTINS {
            add(name, ObjKind::Builtin(b), TypeId::INVALID);
        }
    }
}
