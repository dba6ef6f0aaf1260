//! Tables of ways to touch memory, and the programs that are made of them: see `rows.txt`.
//!
//! All rows of a file are functions of one program, whose reports say of which row they are.

use std::collections::BTreeSet;
use std::path::Path;

/// A way to touch memory.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Real Go does not see it, or not always.
    pub(crate) is_ours: bool,
    /// The second side may not come first.
    is_in_order: bool,
    declarations: String,
    setup: String,
    sides: [String; 2],
}

/// What orders the sides of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Nothing.
    None,
    /// The first comes first.
    First,
    /// A lock.
    Lock,
}

impl Order {
    pub(crate) const ALL: [Order; 3] = [Order::None, Order::First, Order::Lock];
}

/// The rows of a file, one for each of the types that they are for.
pub(crate) fn rows(file: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut rows = Vec::new();
    for part in text.split("\n== ").skip(1) {
        let (title, body) = part.split_once('\n').unwrap();
        match title.split_once(": ") {
            Some((title, types)) => {
                for of in apart(types) {
                    rows.push(row(title, body, rows.len(), Some(&of)));
                }
            }
            None => rows.push(row(title, body, rows.len(), None)),
        }
    }
    rows
}

fn row(title: &str, body: &str, number: usize, of: Option<&str>) -> Row {
    let line = |line: &str| {
        let line = line.replace('@', &number.to_string());
        of.map_or(line.clone(), |of| with_type(&line, of))
    };
    let lines = |begin: &str| {
        let of = body.lines().filter_map(|l| l.strip_prefix(begin));
        of.map(line).collect::<Vec<_>>()
    };
    let setup = body.lines().filter(|l| !l.starts_with(['|', '!']));
    let sides = lines("| ").try_into();
    let (title, is_ours) = cut(title, ", ours");
    let (title, is_in_order) = cut(title, ", in order");
    Row {
        name: of.map_or(title.into(), |of| format!("{title}: {of}")),
        is_ours,
        is_in_order,
        declarations: lines("! ").join("\n"),
        setup: setup.map(line).collect::<Vec<_>>().join("\n"),
        sides: sides.unwrap_or_else(|sides| panic!("{title}: {sides:?}")),
    }
}

/// A text without its end, and whether it had that.
fn cut<'a>(text: &'a str, end: &str) -> (&'a str, bool) {
    let without = text.strip_suffix(end);
    (without.unwrap_or(text), without.is_some())
}

/// A list's items: its commas, but not those in braces and parentheses.
fn apart(list: &str) -> Vec<String> {
    let (mut items, mut depth) = (vec![String::new()], 0);
    for c in list.chars() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                items.push(String::new());
                continue;
            }
            _ => {}
        }
        items.last_mut().unwrap().push(c);
    }
    items.iter().map(|item| item.trim().to_string()).collect()
}

/// A line with the type in place of each word `T`.
fn with_type(line: &str, of: &str) -> String {
    let mut with = String::new();
    let mut chars = line.char_indices().peekable();
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    while let Some((at, c)) = chars.next() {
        let is_alone =
            !is_word(line[..at].chars().last()) && !is_word(chars.peek().map(|(_, c)| *c));
        match c == 'T' && is_alone {
            true => with += of,
            false => with.push(c),
        }
    }
    with
}

/// The program of some rows, without its imports.
pub(crate) fn program(rows: &[(usize, &Row)], order: Order) -> String {
    let mut code = "var got any\n".to_string();
    let mut calls = String::new();
    for (number, row) in rows {
        if order == Order::Lock && row.is_in_order {
            continue;
        }
        let [one, other] = &row.sides;
        let (setup, declarations) = (&row.setup, &row.declarations);
        let (held, given) = match order {
            Order::Lock => ("lock.Lock()", "lock.Unlock()"),
            _ => ("", ""),
        };
        let (before, after) = match order {
            Order::First => ("<-ended", ""),
            // It comes first, though nothing says so.
            Order::None if row.is_in_order => ("time.Sleep(10 * time.Millisecond)", "<-ended"),
            _ => ("", "<-ended"),
        };
        code += &format!(
            "{declarations}
func row{number}() {{
{setup}
ended := make(chan bool)
go func() {{
{held}
{one}
{given}
ended <- true
}}()
{before}
{held}
{other}
{given}
{after}
}}
"
        );
        calls += &format!("row{number}()\n");
    }
    if order == Order::Lock {
        code += "var lock sync.Mutex\n";
    }
    code + &format!("func main() {{\n_ = got\n{calls}}}\n")
}

/// The program of lines of a file, each of which several goroutines do at once: the packages that
/// the lines are of, and the code without imports.
pub(crate) fn together(file: &Path, of: &dyn Fn(&str) -> bool) -> (Vec<String>, String) {
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text
        .lines()
        .skip(2)
        .filter_map(|line| line.split_once(" | "));
    let (mut packages, mut code, mut calls) = (Vec::new(), String::new(), String::new());
    for (shared, each) in lines.filter(|(shared, _)| of(shared.split(' ').next().unwrap())) {
        let (package, shared) = shared.split_once(' ').unwrap_or((shared, ""));
        let number = packages.len();
        code += &format!(
            "func row{number}() {{
{shared}
var ended sync.WaitGroup
for range 4 {{
ended.Go(func() {{ {each} }})
}}
ended.Wait()
}}
"
        );
        calls += &format!("row{number}()\n");
        packages.push(package.to_string());
    }
    (packages, code + &format!("func main() {{\n{calls}}}\n"))
}

/// The rows that reports are of.
pub(crate) fn reported(reports: &str) -> BTreeSet<usize> {
    let names = reports.split("main.row").skip(1);
    let digits = names.map(|name| name.chars().take_while(char::is_ascii_digit));
    digits
        .filter_map(|d| d.collect::<String>().parse().ok())
        .collect()
}
