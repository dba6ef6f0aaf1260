//! Programs whose output depends on the order in which operands are evaluated where the language
//! leaves it open: that of Go's compiler.
//!
//! In the patterns `@I` stands for an int, `@S` for a string, `@B` for a condition and `@V` for a
//! variable that is assigned to.

use crate::program::Rng;
use crate::tree::{Node, Part, parts};

const LOCALS: &str = "\tl0, l1 := 3, 4
\tpart, many, four := pair{1, 2}, []int{9, 8, 7, 6}, [4]int{1, 2, 3, 4}
\tbig := wide{a: 7}
\tinner := func(n int) int { l0 += n & 3; part.a ^= l0 & 15; four[n&3]++; return l0 + n&7 }
\tshort := func(n int) int { l1 ^= n & 15; return l1 }
\tlong := func(n int) int {
\t\tl1 = (l1 + f(n)) & 0xfff
\t\tmany = append([]int{l1}, many[:3]...)
\t\tfmt.Print()
\t\tfmt.Print()
\t\treturn l1 & 255
\t}
\t_, _, _, _, _, _, _ = part, many, four, big, inner, short, long
";

const LEAVES: &[&str] = &[
    "g0",
    "g1",
    "l0",
    "l1",
    "list[g0&3]",
    "array[g1&3]",
    "list[2]",
    "array[1]",
    "table[g0&7]",
    "both.a",
    "both.b",
    "pointer.a",
    "pointer.b",
    "part.a",
    "part.b",
    "four[l0&3]",
    "four[2]",
    "many[1]",
    "many[l1&3]",
    "behind[1]",
    "behind[g0&3]",
    "1",
    "4",
    "7",
    "int(bytes[0])",
    "len(text)",
    "int(text[0])",
    "len(list)",
    "held.value(1)",
    "large.b",
    "large.d",
    "big.c",
    "int(ratio)",
    "nested[1][g0&1]",
    "lists[g0&1][1]",
    "byName[\"a\"].a",
    "boxed.v",
    "holder.a",
];

const INTS: &[&str] = &[
    "(@I + @I)",
    "(@I - @I)",
    "(@I * @I)",
    "(@I ^ @I)",
    "(@I & @I)",
    "(@I + @I)",
    "(@I - @I)",
    "f(@I)",
    "f(@I)",
    "f(@I)",
    "f(@I)",
    "small(@I)",
    "inner(@I)",
    "short(@I)",
    "long(@I)",
    "add(@I, @I, @I)",
    "sum(@I, @I, @I)",
    "list[@I&3]",
    "array[@I&3]",
    "table[@I]",
    "many[@I&3]",
    "pair{@I, @I}.value(@I)",
    "both.value(@I)",
    "pointer.value(@I)",
    "part.value(@I)",
    "held.value(@I)",
    "pointer.self(@I).value(@I)",
    "both.self(@I).change(@I)",
    "both.change(@I)",
    "pointer.change(@I)",
    "part.change(@I)",
    "call(@I)",
    "min(@I, @I)",
    "max(@I, @I)",
    "len(@S)",
    "(@I / (@I&7 + 1))",
    "(@I << uint(@I&7) & 0xffffff)",
    "-(@I)",
    "[]int{@I, @I, @I}[@I&1]",
    "[2]int{@I, @I}[@I&1]",
    "list[@I&1:][@I&1]",
    "empty.(int)",
    "first(@I, @I)",
    "func(a, b int) int { g1 += a; return a ^ b + g0 + l0 }(@I, @I)",
    "(<-queue & 255)",
    "int(uint8(@I + g0))",
    "(&pair{@I, @I}).b",
    "int(real(complex(float64(int(@I)), float64(int(@I)))))",
    "copy(list, many[@I&3:])",
    "large.total(@I)",
    "big.total(@I)",
    "widen(large, @I).total(@I)",
    "widen(big, @I).c",
    "wide{@I, @I, @I, 1, g0, l0, nil}.total(@I)",
    "int(real2(@I)*2)",
    "int(ratio*real2(@I)+ratio)",
    "nested[@I&1][@I&1]",
    "lists[@I&1][@I&1]",
    "byName[\"a\"].value(@I)",
    "byName[\"a\"].change(@I)",
    "apply(both.value, @I)",
    "apply(pointer.change, @I)",
    "apply(short, @I)",
    "apply(func(n int) int { g0 += n & 7; l1++; return n + l1 }, @I)",
    "adder(@I)(@I)",
    "boxed.swap(@I)",
    "holder.value(@I)",
    "holder.change(@I)",
    "(&holder).value(@I)",
    "first(big, @I).a",
    "(&big).total(@I)",
    "*(&array[@I&3])",
    "len(append(many[:1], @I, @I))",
];

const TEXTS: &[&str] = &[
    "text",
    "\"k\"",
    "string(bytes)",
    "text[1:]",
    "(@S + @S)",
    "(@S + @S)",
    "(@S + @S + @S)",
    "digits(@I)",
    "fmt.Sprint(@I)",
    "text[@I&1:]",
    "first(text, @I)",
];

const CONDITIONS: &[&str] = &[
    "@I < @I",
    "@I == @I",
    "@I != @I",
    "(@B && @B)",
    "(@B || @B)",
    "!(@B)",
    "even(@I)",
    "(both == pair{@I, @I})",
    "@S < @S",
    "@S == @S",
    "(empty == any(@I))",
    "(large == widen(big, @I))",
    "(ratio < real2(@I))",
    "(array == [4]int{@I, @I})",
    "(pointer == pointer.self(@I))",
];

const PLACES: &[&str] = &[
    "g0",
    "g1",
    "l0",
    "l1",
    "list[@I&3]",
    "array[@I&3]",
    "table[@I]",
    "both.a",
    "pointer.a",
    "pointer.b",
    "part.b",
    "four[@I&3]",
    "many[@I&3]",
    "pointer.self(@I).a",
    "behind[@I&3]",
    "large.b",
    "big.d",
    "nested[@I&1][@I&1]",
    "lists[@I&1][@I&1]",
    "byName[\"a\"].b",
    "boxed.v",
];

const STATEMENTS: &[&str] = &[
    "show(@I, @I, @S)",
    "show(@I, @I, @S)",
    "show(@I, @B, both, @I, array, pointer.a, text, empty)",
    "show(@I, part, four, @I, list)",
    "show([]any{@I, @I, array}, pair{@I, @I}, @S)",
    "show(map[int]int{@I: @I, @I + 1_000_000: @I}, @I)",
    "@V = @I",
    "@V, @V = @I, @I",
    "@V += @I",
    "@V ^= @I",
    "@V, @V = two(@I)",
    "@V, _ = table[@I]",
    "@V++",
    "if (@B) {\n\t\tshow(\"yes\")\n\t}",
    "{\n\t\tx, y := @I, @I\n\t\tshow(x, y)\n\t}",
    "{\n\t\tvar x, y any = array, @I\n\t\tshow(x, y)\n\t}",
    "{\n\t\tr := func() (int, string, int) { return @I, @S, @I }\n\t\tx, y, z := r()\n\t\t\
     show(x, y, z)\n\t}",
    "switch (@I) {\n\tcase @I + g0, @I + g1:\n\t\tshow(\"one\")\n\tdefault:\n\t\tshow(g0)\n\t}",
    "func() {\n\t\tdefer show(@I, @I)\n\t\tdefer sum(@I, @I)\n\t}()",
    "queue <- @I",
    "big = widen(large, @I)",
    "big, both = widen(big, @I), pair{@I, @I}",
    "large.held, l0 = @I, @I",
    "show(large, @I, big, ratio, real2(@I))",
    "show(any(large), widen(big, @I), nested, lists[@I&1], *boxed, @I)",
    "show(real2(@I), ratio, complex(ratio, real2(@I)), @I)",
    "for v := range (upTo(@I)) {\n\t\tg1 += v + @I\n\t\tl0 ^= @I & 7\n\t}",
    "for range (upTo(@I)) {\n\t\tshow(@I, l0, short(@I), l1)\n\t}",
    "for i, v := range ([]int{@I, @I}) {\n\t\tshow(i, v, @I)\n\t}",
    "select {\n\tcase queue <- @I:\n\tdefault:\n\t\tshow(@I)\n\t}",
    "if x, y := (@I), (@I); x < (@I)+y {\n\t\tshow(x, y)\n\t}",
    "func() {\n\t\tl0, l1 := @I, @I\n\t\tshow(l0, l1, @I)\n\t}()",
    "func(a, b int, c any) { show(a, b, c, @I) }(@I, @I, big)",
];

/// The program of this seed, with so many statements.
pub(crate) fn program(seed: u64, statements: usize) -> Node {
    let mut rng = Rng(seed);
    let mut list = Vec::new();
    for n in 0..statements {
        let pattern = rng.of(STATEMENTS);
        let mut parts = parts!["\t"];
        parts.extend(fill(
            &mut rng,
            &pattern.replace("show(", &format!("fmt.Println({n}, ")),
            3,
        ));
        parts.push("\n".into());
        list.push(Node::item(parts));
        if n % 8 == 7 {
            let state = "\tfmt.Println(g0, g1, list, array, len(table), both, *pointer, text, l0, \
                         l1, part, many, four, big, large, ratio, nested, lists, string(bytes))\n";
            list.push(Node::item(parts![state]));
        }
    }
    Node::item(parts![
        include_str!("order.go"),
        "func body() {\n",
        LOCALS,
        list,
        "}\n"
    ])
}

/// The pattern with values in place of what stands for them, `depth` deep at most.
fn fill(rng: &mut Rng, pattern: &str, depth: usize) -> Vec<Part> {
    let mut pieces = pattern.split('@');
    let mut parts = parts![pieces.next().unwrap_or_default()];
    for piece in pieces {
        let (of, text) = piece.split_at(1);
        parts.push(value(rng, of, depth).into());
        parts.push(text.into());
    }
    parts
}

fn value(rng: &mut Rng, of: &str, depth: usize) -> Node {
    let is_leaf = depth == 0 || rng.one_in(4);
    let (ty, pattern) = match of {
        "I" if is_leaf => ("int", rng.of(LEAVES)),
        "I" => ("int", rng.of(INTS)),
        "S" if is_leaf => ("string", rng.of(&TEXTS[..4])),
        "S" => ("string", rng.of(TEXTS)),
        "B" if is_leaf => ("bool", "g0 < @I"),
        "B" => ("bool", rng.of(CONDITIONS)),
        _ => ("place", rng.of(PLACES)),
    };
    let parts = fill(rng, pattern, depth.saturating_sub(1));
    Node::expr(ty, parts)
}
