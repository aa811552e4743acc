"""What the stored vectors are made of: names in every style, other scripts, long words, code, and texts that end early."""

PYTHON = '''class SessionRedirectMixin:
    def get_redirect_target(self, resp):
        """Receives a Response. Returns a redirect URI or ``None``"""
        if resp.is_redirect:
            location = resp.headers["location"]
            return to_native_string(location, "utf8")
        return None
'''

RUST = """/// Scales `values` to length 1; a zero vector stays zero.
pub fn from_raw(mut values: Vec<f32>) -> Self {
    let norm = values.iter().map(|v| v * v).sum::<f32>().sqrt();
    for value in &mut values { *value /= norm; }
    Self(values)
}"""

TEXTS = [
    "",
    " \t\n!= == <= && -> :: /* */ // #",
    "x",
    "where are redirects followed and how is the method changed",
    "HTTPServer2",
    "getHTTPResponseCode fooBar XMLHttpRequest aB ABc",
    "snake_case_name __init__ SCREAMING_SNAKE_CASE kebab-case dotted.path.name",
    "kMaxSize32 0xDEADBEEF utf8 2to3 1234567890 v1.22.333",
    "Größe, naïve café, Ångström; ½ № e\u0301",
    "ΣΊΣΥΦΟΣ İstanbul ﬁne Ǆ",
    "日本語のテキスト と 中文 和 한국어",
    "Переводчик кода и тесты, नमस्ते",
    "emoji 🦀 and 👩‍👩‍👧 joined",
    "[UNK] [CLS] ##ing unk",
    "a" * 40,
    "a" * 41 + " b",
    "word " * 30,
    "src/requests/sessions.py\nclass SessionRedirectMixin\n" + PYTHON,
    RUST,
    PYTHON * 3 + RUST * 4,
    "The quick brown fox jumps over the lazy dog. " * 111,
    "é" * 10 + " " + "ab " * 1328 + "tail never read",
]
