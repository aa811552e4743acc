//! False documentation is quoted, never asserted, in every form of an answer.

use super::{ask, index_of, statements, statements_of};
use crate::index::Index;

const FALSE_CLAIMS: &str = r#""""Passwords."""

# Keeps every secret for ever.
VAULT = 3


class Vault:
    """Stores secrets that nobody can read."""

    def open(self, password):
        """Opens the vault in no time."""
        return encrypt_password(password)


def encrypt_password(password):
    """Encrypts the password with AES-256 and returns the cipher text.

    :param password: what to hide
    :param key: the key
    :raises KeyError: without a key
    """
    return password


def shout(word):
    """Erases `word` from the disk."""
    pass
"#;

const FALSE_README: &str = "# Vault\n\n## Passwords\n\nThe function encrypt_password encrypts every password with AES-256. This is not\ndone for short ones.\n";
const FALSE_CHANGES: &str =
    "# Changelog\n\n## 2.0\n\n- encrypt_password now hashes passwords with Argon2.\n";
const FALSE_MANIFEST: &str =
    "[project]\nname = \"vault\"\nversion = \"1.0\"\ndescription = \"Encrypts the whole disk.\"\n";

/// Words in [`FALSE_CLAIMS`] and the documents beside it that are not true of the code.
const CLAIMED: [&str; 9] = [
    "ncrypts the password",
    "ncrypts every password",
    "AES-256",
    "nobody can read",
    "in no time",
    "rases",
    "for ever",
    "Argon2",
    "whole disk",
];

fn index() -> Index {
    index_of(&[
        ("CHANGELOG.md", FALSE_CHANGES),
        ("README.md", FALSE_README),
        ("pyproject.toml", FALSE_MANIFEST),
        ("src/vault.py", FALSE_CLAIMS),
    ])
}

/// Removes what stands between quotation marks from a sentence.
fn unquoted(said: &str) -> String {
    let mut depth = 0;
    said.chars()
        .filter(|&c| {
            depth += i32::from(c == '“') - i32::from(c == '”');
            depth == 0
        })
        .collect()
}

#[test]
fn claims_of_documentation_are_quoted_and_never_asserted() {
    let index = index();
    let mut n_quoted = 0;
    for question in [
        "Where is encrypt_password defined?",
        "What does encrypt_password do?",
        "Which function encrypts the password with AES-256?",
        "What is Vault for?",
        "Who calls encrypt_password?",
        "What does Vault.open call?",
        "And what does open do?",
        "What is VAULT?",
        "What does shout do?",
        "Are passwords encrypted with AES-256 according to the README?",
        "How are passwords encrypted?",
        "What changed in version 2.0 of encrypt_password, by the changelog?",
        "What is this project about?",
    ] {
        let said = statements(&ask(&index, question));
        for said in &said {
            let own = unquoted(said);
            assert!(
                CLAIMED.iter().all(|claim| !own.contains(claim)),
                "{question}: {said}"
            );
            n_quoted += usize::from(CLAIMED.iter().any(|claim| said.contains(claim)));
        }
    }
    assert!(n_quoted > 12, "{n_quoted}");
}

#[test]
fn each_form_of_a_claim_is_quoted_word_for_word() {
    let index = index();
    for (question, expected) in [
        (
            "What does encrypt_password do?",
            "`encrypt_password`, a function in `src/vault.py` that takes `password`, is documented as “Encrypts the password with AES-256 and returns the cipher text.” [src/vault.py:15-22]",
        ),
        (
            "What does encrypt_password do?",
            "The body of `encrypt_password` only returns `password`; its documentation describes a parameter `key` that the signature does not have, and says that it raises `KeyError`, but the body raises no `KeyError` itself. [src/vault.py:22 src/vault.py:19 src/vault.py:15 src/vault.py:20 src/vault.py:16-22]",
        ),
        (
            "What does encrypt_password do?",
            "`encrypt_password` is called by `Vault.open`, which is documented as “Opens the vault in no time.” [src/vault.py:12 src/vault.py:10-12]",
        ),
        (
            "What does shout do?",
            "`shout`, a function in `src/vault.py` that takes `word`, is documented as “Erases `word` from the disk.” [src/vault.py:25-27]",
        ),
        (
            "What does shout do?",
            "The body of `shout` is empty. [src/vault.py:26-27]",
        ),
        (
            "What is VAULT?",
            "`VAULT` in `src/vault.py` is set to `3` and is documented as “Keeps every secret for ever.” [src/vault.py:3-4]",
        ),
        (
            "Are passwords encrypted with AES-256 according to the README?",
            "`README.md` says under “Passwords”: “The function encrypt_password encrypts every password with AES-256. This is not done for short ones.” [README.md:3-6]",
        ),
        (
            "What changed in version 2.0 of encrypt_password, by the changelog?",
            "`CHANGELOG.md` says under “2.0”: “encrypt_password now hashes passwords with Argon2.” [CHANGELOG.md:3-5]",
        ),
        (
            "What is this project about?",
            "According to `pyproject.toml`, the project describes itself as “Encrypts the whole disk.” [pyproject.toml:4]",
        ),
    ] {
        let said = statements_of(&index, question);
        assert!(
            said.iter().any(|said| said == expected),
            "{question}: {said:#?}"
        );
    }
}
