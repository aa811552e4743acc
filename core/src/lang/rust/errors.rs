//! The errors that signatures declare.

/// Returns the error of `-> Result<T, E>`; of an alias such as `io::Result<T>`, the alias.
pub(super) fn declared(signature: &str) -> Vec<String> {
    if let Some((before, aliased)) = signature.split_once('=')
        && before.contains("type ")
    {
        return of_alias(aliased);
    }
    let returned = returned(signature);
    let returned = returned.split(" where ").next().unwrap_or(returned);
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let Some(at) = returned.find("Result") else {
        return Vec::new();
    };
    let before = returned.get(..at).unwrap_or_default();
    let start = before.rfind(|c| !is_path(c)).map_or(0, |at| at + 1);
    let rest = returned.get(start..).unwrap_or_default();
    let (path, behind) = rest.split_at(rest.find(|c| !is_path(c)).unwrap_or(rest.len()));
    if path.rsplit("::").next() != Some("Result") {
        return Vec::new();
    }
    let arguments = arguments(behind);
    match arguments.as_slice() {
        [_, error] => vec![plain(error)],
        _ => vec![path.to_owned()],
    }
}

/// Returns what follows the arrow of the function itself, not of a function that it takes.
fn returned(signature: &str) -> &str {
    let (mut depth, mut before) = (0i32, ' ');
    for (at, sign) in signature.char_indices() {
        match sign {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' && depth == 0 => {
                return signature.get(at + 1..).unwrap_or_default();
            }
            '>' if before == '-' => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        before = sign;
    }
    ""
}

/// Returns the error of `std::result::Result<T, Error>`, by whatever name it is imported.
fn of_alias(aliased: &str) -> Vec<String> {
    let at = aliased.find('<').unwrap_or(aliased.len());
    match arguments(aliased.get(at..).unwrap_or_default()).as_slice() {
        [_, error] => vec![plain(error)],
        _ => Vec::new(),
    }
}

/// Returns the type arguments that a text begins with: `T` and `Vec<E>` of `<T, Vec<E>>`.
fn arguments(text: &str) -> Vec<&str> {
    let Some(inner) = text.strip_prefix('<') else {
        return Vec::new();
    };
    let (mut found, mut depth, mut start) = (Vec::new(), 0i32, 0);
    let mut before = ' ';
    for (at, sign) in inner.char_indices() {
        // Not the arrow of a function.
        let closes = sign == '>' && before != '-';
        if depth == 0 && (closes || sign == ',') {
            found.extend(inner.get(start..at).map(str::trim));
            start = at + 1;
        }
        match sign {
            '>' if closes && depth == 0 => break,
            '<' | '(' | '[' => depth += 1,
            '>' if closes => depth -= 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        before = sign;
    }
    found.retain(|it| !it.is_empty());
    found
}

/// Returns a type without its own arguments: `SendError` of `SendError<T>`.
fn plain(written: &str) -> String {
    let is_boxed = written.starts_with("Box<") || written.starts_with('&');
    match written.split_once('<') {
        Some((name, _)) if !is_boxed => name.to_owned(),
        _ => written.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_result_is_read() {
        for (signature, expected) in [
            (
                "pub fn f(&self) -> Result<T, RecvError>",
                &["RecvError"][..],
            ),
            (
                "fn f<F: Fn() -> u8>(f: F) -> Result<Vec<(A, B)>, SendError<T>> where T: A",
                &["SendError"],
            ),
            ("fn f() -> io::Result<()>", &["io::Result"]),
            ("fn f() -> Result<()>", &["Result"]),
            ("fn f() -> Option<Result<u8, err::E>>", &["err::E"]),
            ("fn f() -> Result<(), Box<dyn Error>>", &["Box<dyn Error>"]),
            ("fn f() -> FileResult<u8>", &[]),
            ("fn f(a: Result<A, B>)", &[]),
            (
                "pub type Result<T> = std::result::Result<T, Error>;",
                &["Error"],
            ),
            ("pub type Result<T> = StdResult<T, Error>;", &["Error"]),
            ("fn f() -> Result<impl Fn(A) -> B, E>", &["E"]),
        ] {
            assert_eq!(declared(signature), expected, "{signature}");
        }
    }
}
