"""What the stored vectors are made of: the published example, prose, code, other scripts and edge cases."""

CODE = '''class SessionRedirectMixin:
    def get_redirect_target(self, resp):
        """Receives a Response. Returns a redirect URI or ``None``"""
        if resp.is_redirect:
            location = resp.headers["location"]
            return to_native_string(location, "utf8")
        return None
'''

RUST = '''/// Scales `values` to length 1; a zero vector stays zero.
pub fn from_raw(mut values: Vec<f32>) -> Self {
    let norm = values.iter().map(|v| v * v).sum::<f32>().sqrt();
    for value in &mut values { *value /= norm; }
    Self(values)
}'''

TEXTS = [
    "That is a happy person",
    "That is a very happy person",
    "Today is a sunny day",
    "",
    " \t\n",
    "x",
    "where are redirects followed and how is the method changed",
    "How does the session keep cookies between requests?",
    "getHTTPResponseCode snake_case_name __init__ kMaxSize32 0xDEADBEEF",
    "Größe, naïve café, Ångström; ½ №",
    "日本語のテキスト と 中文 和 한국어",
    "Переводчик кода и тесты",
    "emoji 🦀 and 👩‍👩‍👧 joined",
    "[CLS] special [SEP] words [MASK] in a text",
    "a" * 150,
    "!= == <= >= && || -> => :: ?? ... /* */ // # <!-- -->",
    CODE,
    RUST,
    "def f" + "(x): return x + 1\n" * 8,
    CODE * 2,
    RUST * 3,
    "The quick brown fox jumps over the lazy dog. " * 40,
]
