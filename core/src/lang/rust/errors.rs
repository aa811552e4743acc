//! The errors that signatures declare.

/// Returns the error of `-> Result<T, E>`; of an alias such as `io::Result<T>`, the alias.
pub(super) fn declared(signature: &str) -> Vec<String> {
    let returned = match (signature.rsplit_once("->"), signature.split_once('=')) {
        (Some((_, returned)), _) => returned,
        // `type Result<T> = std::result::Result<T, Error>;`
        (None, Some((before, aliased))) if before.contains("type ") => aliased,
        _ => return Vec::new(),
    };
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

/// Returns the type arguments that a text begins with: `T` and `Vec<E>` of `<T, Vec<E>>`.
fn arguments(text: &str) -> Vec<&str> {
    let Some(inner) = text.strip_prefix('<') else {
        return Vec::new();
    };
    let (mut found, mut depth, mut start) = (Vec::new(), 0i32, 0);
    let mut before = ' ';
    for (at, sign) in inner.char_indices() {
        let is_end = depth == 0 && matches!(sign, ',' | '>');
        if is_end {
            found.extend(inner.get(start..at).map(str::trim));
            start = at + 1;
        }
        match sign {
            '>' if depth == 0 => break,
            '<' | '(' | '[' => depth += 1,
            // Not the arrow of a function.
            '>' if before != '-' => depth -= 1,
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
            ("fn f() -> Result<impl Fn(A) -> B, E>", &["E"]),
        ] {
            assert_eq!(declared(signature), expected, "{signature}");
        }
    }
}
