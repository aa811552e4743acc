//! Bytes of a file → text, unless it is binary.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How far to look for a NUL byte, as git does.
const PROBE_BYTES: usize = 8000;

/// The text of `bytes`, without byte-order mark and with line ends unchanged; `None` for binary
/// files. Tries in this order: byte-order marks (UTF-8, UTF-16), UTF-8, an encoding that the file
/// itself declares, Latin-1 (as browsers read it: windows-1252).
pub(super) fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        let rest = bytes.get(mark..).unwrap_or_default();
        let (text, broken) = encoding.decode_without_bom_handling(rest);
        let readable = encoding == UTF_8 || (is_utf16(encoding) && !broken);
        return (readable && !text.contains('\0')).then_some(text);
    }
    let probe = bytes.get(..PROBE_BYTES).unwrap_or(bytes);
    if probe.contains(&0) || is_mostly_control(bytes) {
        return None;
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    if bytes.contains(&0) {
        return None;
    }
    if let Some(encoding) = declared(bytes) {
        let (text, broken) = encoding.decode_without_bom_handling(bytes);
        if !broken {
            return Some(text);
        }
    }
    if is_mostly_utf8(bytes) {
        return Some(String::from_utf8_lossy(bytes));
    }
    Some(WINDOWS_1252.decode_without_bom_handling(bytes).0)
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// Whether more than one byte in fifty is a control character that no text editor writes.
fn is_mostly_control(bytes: &[u8]) -> bool {
    let odd = bytes
        .iter()
        .filter(|&&byte| byte < 0x20 && !matches!(byte, 0x08..=0x0d | 0x1b) || byte == 0x7f)
        .count();
    odd * 50 > bytes.len()
}

/// The encoding that the first two lines declare, as in Python (PEP 263), Ruby and XML files.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head: Vec<u8> = bytes
        .split(|&byte| byte == b'\n')
        .take(2)
        .flat_map(|line| {
            line.get(..200)
                .unwrap_or(line)
                .iter()
                .copied()
                .chain([b'\n'])
        })
        .collect();
    let head = String::from_utf8_lossy(&head);
    let at = head.find("coding")? + "coding".len();
    let label: String = head
        .get(at..)?
        .trim_start_matches([':', '=', ' ', '"', '\''])
        .chars()
        .take_while(|character| character.is_ascii_alphanumeric() || "-_.".contains(*character))
        .collect();
    Encoding::for_label(label.replace('_', "-").as_bytes()).filter(|found| *found != UTF_8)
}

/// Whether most bytes above ASCII form UTF-8 sequences: such a file is UTF-8 with a few broken
/// places, and reading it as Latin-1 would garble every other letter.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut sequences, mut broken) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        sequences += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    sequences > broken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, mark: [u8; 2], bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        mark.into_iter()
            .chain(text.encode_utf16().flat_map(bytes))
            .collect()
    }

    #[test]
    fn text_is_read_in_each_encoding() {
        let cases: [(&str, Vec<u8>, &str); 9] = [
            ("utf-8", "naïve\r\n".into(), "naïve\r\n"),
            (
                "utf-8 with mark",
                b"\xef\xbb\xbfa = 1\n".to_vec(),
                "a = 1\n",
            ),
            (
                "utf-16 le",
                utf16("déjà\n", [0xff, 0xfe], u16::to_le_bytes),
                "déjà\n",
            ),
            (
                "utf-16 be",
                utf16("déjà\n", [0xfe, 0xff], u16::to_be_bytes),
                "déjà\n",
            ),
            ("latin-1", b"caf\xe9 = 1\n".to_vec(), "café = 1\n"),
            ("one stray byte", b"x = '\xff'\n".to_vec(), "x = 'ÿ'\n"),
            (
                "declared",
                b"# -*- coding: koi8-r -*-\ns = '\xc1'\n".to_vec(),
                "# -*- coding: koi8-r -*-\ns = 'а'\n",
            ),
            (
                "utf-8 with one broken byte",
                "über größer schön \u{1}"
                    .replace('\u{1}', "")
                    .into_bytes()
                    .into_iter()
                    .chain([0xff])
                    .collect(),
                "über größer schön \u{fffd}",
            ),
            ("empty", Vec::new(), ""),
        ];
        for (name, bytes, text) in cases {
            assert_eq!(decode(&bytes).as_deref(), Some(text), "{name}");
        }
    }

    #[test]
    fn binary_files_are_not_text() {
        let noise: Vec<u8> = (0..4096_u32).map(|n| ((n * 7919) >> 3) as u8 | 1).collect();
        let cases: [(&str, &[u8]); 5] = [
            ("nul", b"MZ\0\0text"),
            ("png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
            ("odd utf-16", b"\xff\xfea\0b"),
            ("control characters", b"\x01\x02\x03\x04abc\x05\x06"),
            ("noise", &noise),
        ];
        for (name, bytes) in cases {
            assert_eq!(decode(bytes), None, "{name}");
        }
    }
}
