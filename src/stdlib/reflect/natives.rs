//! Package `reflect`: what its Go text cannot do with loads and stores.
//!
//! Go: reflect.

use bytecode::rtype::{self, Ty};
use vm::native::{FuncVal, GoStr, Ptr, Slice};
use vm::reflect::{self, Case, NewField, Value};
use vm::value::Iface;

natives! {
    "DeepEqual" => polling follows |cx, x: Iface, y: Iface| reflect::deep_equal(cx, x, y)
    "allZero" => fenced follows(p) |cx, p: Ptr, n: usize| {
        reflect::all_zero(cx, p, n)
    }
    "arrayOf" => |cx, n: i64, t: Ty| rtype::array_of(t, n as usize)
    "boundMethod" => untouched |cx, v: Value, t: Ty| reflect::bound_method(cx, v, t)
    "callFunc" => polling untouched |cx, v: Value, t: Ty, args: Slice<Value>, out: Slice<Value>| {
        reflect::call(cx, v, t, args, out)
    }
    "chanCap" => untouched |cx, c: Ptr| reflect::chan_cap(c)
    "chanLen" => point(Look) untouched |cx, c: Ptr| reflect::chan_len(c)
    "chanOf" => |cx, t: Ty, dir: u8| rtype::chan_of(t, dir)
    "checkSlice" => untouched |cx, t: Ty, p: Ptr, n: i64| reflect::check_slice(cx, t, p, n)
    "choose" => short point(Select) follows |cx, cases: Slice<Case>, waits: bool| {
        reflect::choose(cx, cases, waits)
    }
    "clearObjects" => polling follows(p) |cx, t: Ty, p: Ptr, n: i64| {
        reflect::clear_objects(cx, t, p, n)
    }
    "closeChan" => point(Close) follows(c) |cx, c: Ptr| reflect::close(cx, c)
    "codeOf" => untouched |cx, f: Ptr| reflect::code_of(f)
    "copyObjects" => polling follows |cx, t: Ty, to: Ptr, from: Ptr, n: i64| {
        reflect::copy_objects(cx, t, to, from, n)
    }
    "float32Bits" => |cx, x: f32| u64::from(x.to_bits())
    "float32From" => |cx, bits: u32| f32::from_bits(bits)
    "float64Bits" => |cx, x: f64| x.to_bits()
    "float64From" => |cx, bits: u64| f64::from_bits(bits)
    "funcOf" => short untouched |cx, ins: Slice<Ty>, outs: Slice<Ty>, is_variadic: bool| {
        reflect::func_of(ins, outs, is_variadic)
    }
    "growSlice" => polling follows(p) |cx, t: Ty, p: Ptr, n: i64| reflect::grow_slice(cx, t, p, n)
    "implements" => |cx, inter: Ty, t: Ty| reflect::implements(inter, t)
    "load" => follows(p) |cx, t: Ty, p: Ptr| reflect::load(cx, t, p)
    "lookupTag" => short |cx, tag: GoStr, key: GoStr| reflect::lookup_tag(tag, key)
    "makeChan" => |cx, t: Ty, n: i64| reflect::make_chan(cx, t, n)
    "makeFunc" => short untouched |cx, t: Ty, data: Ptr, call: FuncVal| {
        reflect::make_func(cx, t, data, call)
    }
    "makeMap" => |cx, t: Ty, n: i64| reflect::make_map(cx, t, n)
    "makeMethodExpr" => |cx, t: Ty, i: i64, ft: Ty| reflect::method_expr(cx, t, i, ft)
    "mapBegin" => follows |cx, m: Ptr, it: Ptr| reflect::map_begin(cx, m, it)
    "mapClear" => follows(m) |cx, m: Ptr| reflect::map_clear(cx, m)
    "mapDelete" => follows |cx, t: Ty, m: Ptr, key: Value| reflect::map_delete(cx, t, m, key)
    "mapGet" => follows |cx, t: Ty, m: Ptr, key: Value| reflect::map_get(cx, t, m, key)
    "mapLen" => follows(m) |cx, m: Ptr| reflect::map_len(cx, m)
    "mapNext" => follows(it) |cx, t: Ty, it: Ptr| reflect::map_next(cx, t, it)
    "mapOf" => |cx, key: Ty, elem: Ty| rtype::map_of(key, elem)
    "mapSet" => follows |cx, t: Ty, m: Ptr, key: Value, elem: Value| {
        reflect::map_set(cx, t, m, key, elem)
    }
    "methodAt" => |cx, t: Ty, i: i64| reflect::method_at(t, i)
    "methodCount" => |cx, t: Ty| reflect::method_count(t)
    "methodNamed" => short |cx, t: Ty, name: GoStr| reflect::method_named(t, name)
    "methodStub" => |cx| reflect::stub_address()
    "needBodies" => |cx| ()
    "newElement" => |cx, t: Ty| reflect::new_element(cx, t)
    "newObjects" => |cx, t: Ty, n: i64| reflect::new_objects(cx, t, n)
    "packElement" => follows(p) |cx, t: Ty, p: Ptr| reflect::pack_element(t, p)
    "pointerTo" => |cx, t: Ty| rtype::pointer_to(t)
    "putElement" => follows |cx, p: Ptr, v: Value| reflect::put_element(cx, p, v)
    "putInterface" => short follows |cx, t: Ty, p: Ptr, x: Iface| {
        reflect::put_interface(cx, t, p, x)
    }
    "sameUnderlying" => |cx, t: Ty, u: Ty, with_tags: bool| {
        reflect::same_underlying(t, u, with_tags)
    }
    "sliceOf" => |cx, t: Ty| rtype::slice_of(t)
    "store" => follows |cx, p: Ptr, v: Value| reflect::store(cx, p, v)
    "structOf" => short untouched |cx, fields: Slice<NewField>| reflect::struct_of(fields)
    "swap" => follows |cx, v: Value, i: i64, j: i64| reflect::swap(cx, v, i, j)
}
