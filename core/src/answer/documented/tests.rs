//! Differences between code and documentation are stated, and nothing is where they agree.

use crate::answer::tests::{index_of, statements_of};

/// Returns the statement about a difference that a question for `name` gets; empty if there is
/// none.
fn difference(path: &str, text: &str, name: &str) -> String {
    let index = index_of(&[(path, text)]);
    let said = statements_of(&index, &format!("What does `{name}` do?"));
    assert!(
        said.iter().any(|said| said.contains("is documented as “")),
        "{said:#?}"
    );
    let is_difference =
        |said: &&String| said.starts_with("The ") && !said.contains("is documented as");
    said.iter().find(is_difference).cloned().unwrap_or_default()
}

#[test]
fn a_body_that_does_nothing_of_its_documentation_is_described() {
    for (path, text, expected) in [
        (
            "a.py",
            "def encrypt(password):\n    \"\"\"Encrypts the password with AES-256.\"\"\"\n    return password\n",
            "The body of `encrypt` only returns `password`. [a.py:3]",
        ),
        (
            "a.py",
            "def encrypt(password):\n    \"\"\"Encrypts the password.\"\"\"\n",
            "The body of `encrypt` is empty. [a.py:2]",
        ),
        (
            "a.py",
            "def encrypt(password):\n    \"\"\"Encrypts the password.\"\"\"\n    raise NotImplementedError(\n        \"later\"\n    )\n",
            "The body of `encrypt` only raises `NotImplementedError`. [a.py:3]",
        ),
        (
            "a.ts",
            "/** Verifies the signature. */\nexport function encrypt(a: string): boolean {\n  return true;\n}\n",
            "The body of `encrypt` only returns `true`. [a.ts:3]",
        ),
        (
            "a.rs",
            "/// Encrypts the password.\npub fn encrypt(password: &str) -> &str {\n    password\n}\n",
            "The body of `encrypt` only returns `password`. [a.rs:3]",
        ),
        (
            "A.java",
            "class A {\n  /** Erases all the data. */\n  void encrypt() {\n  }\n}\n",
            "The body of `A.encrypt` is empty. [A.java:3-4]",
        ),
        (
            "a.go",
            "package a\n\n// encrypt hides the password.\nfunc encrypt(p string) string { return p }\n",
            "The body of `encrypt` only returns `p`. [a.go:4]",
        ),
        // A body that does something, or leaves it to others, is not mentioned.
        (
            "a.py",
            "def encrypt(password):\n    \"\"\"Encrypts the password.\"\"\"\n    return aes(password)\n",
            "",
        ),
        (
            "a.py",
            "class A:\n    @abstractmethod\n    def encrypt(self):\n        \"\"\"Encrypts the password.\"\"\"\n",
            "",
        ),
        (
            "a.ts",
            "interface A {\n  /** Encrypts the password. */\n  encrypt(): void;\n}\n",
            "",
        ),
    ] {
        assert_eq!(difference(path, text, "encrypt"), expected, "{text}");
    }
}

#[test]
fn parameters_that_only_code_or_documentation_has_are_named() {
    for (path, text, expected) in [
        (
            "a.py",
            "def encrypt(text, salt):\n    \"\"\"Encrypts the text.\n\n    :param text: what\n    :param key: by\n    \"\"\"\n    return aes(text, salt)\n",
            "The documentation of `encrypt` describes a parameter `key` that the signature does not have; its signature has `salt`, which the documentation does not describe. [a.py:5 a.py:1 a.py:2-6]",
        ),
        (
            "a.py",
            "def encrypt(text, salt):\n    \"\"\"Encrypts the text.\n\n    Args:\n        text (str): what\n        salt: by\n    \"\"\"\n    return aes(text, salt)\n",
            "",
        ),
        (
            "a.py",
            "def encrypt(text, **more):\n    \"\"\"Encrypts the text.\n\n    :param text: what\n    :param key: by\n    \"\"\"\n    return aes(text, **more)\n",
            "",
        ),
        (
            "a.py",
            "def encrypt(text, salt):\n    \"\"\"Encrypts the text.\"\"\"\n    return aes(text, salt)\n",
            "",
        ),
        (
            "a.js",
            "/**\n * Encrypts the text.\n * @param {string} text what\n * @param {string} key by\n */\nfunction encrypt(text) {\n  return aes(text);\n}\n",
            "The documentation of `encrypt` describes a parameter `key` that the signature does not have. [a.js:4 a.js:6]",
        ),
        (
            "a.js",
            "/**\n * Encrypts the text.\n * @param {string} text what\n */\nfunction encrypt({ text }) {\n  return aes(text);\n}\n",
            "",
        ),
        (
            "A.java",
            "class A {\n  /**\n   * Encrypts the text.\n   * @param text what\n   */\n  String encrypt(String text, int n) {\n    return aes(text, n);\n  }\n}\n",
            "The signature of `A.encrypt` has `n`, which the documentation does not describe. [A.java:6 A.java:3-4]",
        ),
        (
            "a.rs",
            "/// Encrypts the text.\n///\n/// # Arguments\n///\n/// * `words` - what\nfn encrypt(text: &str) -> String {\n    aes(text)\n}\n",
            "The documentation of `encrypt` describes a parameter `words` that the signature does not have; its signature has `text`, which the documentation does not describe. [a.rs:5 a.rs:6 a.rs:1-5]",
        ),
        (
            "a.py",
            "class encrypt:\n    \"\"\"Encrypts the text.\n\n    :param key: by\n    :param mode: how\n    \"\"\"\n\n    def __init__(self, key):\n        self.key = key\n",
            "The documentation of `encrypt` describes a parameter `mode` that the signature does not have. [a.py:5 a.py:8]",
        ),
    ] {
        assert_eq!(difference(path, text, "encrypt"), expected, "{text}");
    }
}

#[test]
fn exceptions_that_a_body_does_not_raise_itself_are_named() {
    let python = |says: &str, body: &str| {
        format!(
            "def encrypt(text):\n    \"\"\"Encrypts the text.\n\n    {says}\n    \"\"\"\n    {body}\n    return aes(text)\n"
        )
    };
    let missing = "The documentation of `encrypt` says that it raises `KeyError`, but the body raises no `KeyError` itself. [a.py:4 a.py:2-7]";
    for (says, body, expected) in [
        (":raises KeyError: if", "check(text)", missing),
        (
            ":raises KeyError: if",
            "if not text: raise ValueError(text)",
            missing,
        ),
        (
            ":raises KeyError: if",
            "if not text: raise KeyError(text)",
            "",
        ),
        (
            ":raises app.KeyError: if",
            "if not text: raise errors.KeyError",
            "",
        ),
        // What a variable holds is unknown.
        (":raises KeyError: if", "if not text: raise error", ""),
        (":raises KeyError: if", "if not text: raise", ""),
        (":raises KeyError: if", "error = KeyError(text)", ""),
        ("Raises nothing.", "check(text)", ""),
    ] {
        let text = python(says, body);
        assert_eq!(difference("a.py", &text, "encrypt"), expected, "{text}");
    }
    let text = "/**\n * Encrypts the text.\n * @throws {RangeError} if\n */\nfunction encrypt(text) {\n  return aes(text);\n}\n";
    assert_eq!(
        difference("a.js", text, "encrypt"),
        "The documentation of `encrypt` says that it raises `RangeError`, but the body raises no `RangeError` itself. [a.js:3 a.js:5-7]"
    );
    // Ruby raises with a call, which is not recognised here.
    let text =
        "# Encrypts the text.\n# @raise [KeyError] if\ndef encrypt(text)\n  aes(text)\nend\n";
    assert_eq!(difference("a.rb", text, "encrypt"), "");
}
