//! Numbers with their nouns, and paths in addresses, as the page and the engine write them.

/// `11120` → `11,120`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A text of the engine, its numbers written as by [`thousands`].
pub fn with_thousands(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.parse() {
        Ok(number) => thousands(number),
        Err(_) => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// `1 file`, `1,200 files`, `20 repositories`; only for nouns whose plural ends in `s`.
pub fn count(number: u64, noun: &str) -> String {
    let number_of = thousands(number);
    let stem = noun.strip_suffix('y');
    match (
        number,
        stem.filter(|it| !it.ends_with(['a', 'e', 'o', 'u'])),
    ) {
        (1, _) => format!("{number_of} {noun}"),
        (_, Some(stem)) => format!("{number_of} {stem}ies"),
        (_, None) => format!("{number_of} {noun}s"),
    }
}

/// A path as it stands in an address.
pub fn in_address(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => escaped.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => escaped.push(char::from(byte)),
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}
