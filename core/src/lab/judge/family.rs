//! Which family of models a name belongs to. A judge tends to prefer what its own family writes
//! (Zheng et al. 2023, self-enhancement bias), so the report says when the two seem related.

/// A family and the words that name it, in lower case.
const FAMILIES: &[(&str, &[&str])] = &[
    ("gpt", &["gpt", "chatgpt", "davinci", "o1", "o3", "o4"]),
    ("claude", &["claude"]),
    ("gemini", &["gemini", "gemma", "codegemma", "palm"]),
    ("qwen", &["qwen", "qwq", "codeqwen"]),
    (
        "llama",
        &["llama", "codellama", "tinyllama", "vicuna", "alpaca"],
    ),
    (
        "mistral",
        &[
            "mistral",
            "mixtral",
            "codestral",
            "devstral",
            "ministral",
            "magistral",
            "pixtral",
        ],
    ),
    ("deepseek", &["deepseek"]),
    ("phi", &["phi"]),
    ("granite", &["granite"]),
    ("starcoder", &["starcoder"]),
    ("smollm", &["smollm"]),
    ("command", &["command", "aya"]),
    ("grok", &["grok"]),
    ("kimi", &["kimi", "moonshot"]),
    ("glm", &["glm", "chatglm"]),
    ("yi", &["yi"]),
    ("olmo", &["olmo"]),
    ("nemotron", &["nemotron"]),
    ("minimax", &["minimax"]),
];

/// The family that two names have in common, if any. A model tuned or distilled from another, such
/// as `deepseek-r1-distill-qwen-7b`, belongs to both families; equal names of no known family form
/// their own. Names can mislead, so this is a reason to warn, never to refuse.
pub fn shared_family(one: &str, two: &str) -> Option<String> {
    let (one, two) = (one.trim().to_lowercase(), two.trim().to_lowercase());
    let shared = FAMILIES.iter().find(|(_, words)| {
        let is_of = |name: &str| name_words(name).any(|word| words.contains(&word));
        is_of(&one) && is_of(&two)
    });
    match shared {
        Some((family, _)) => Some((*family).to_owned()),
        None => (!one.is_empty() && one == two).then_some(one),
    }
}

/// The words of a name, each also without its version: `qwen2.5-coder` has `qwen`, `ollama/phi3`
/// has `phi`, and `ollama` is not `llama`.
fn name_words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphanumeric()).flat_map(|word| {
        let end = word.find(|c: char| c.is_ascii_digit());
        [Some(word), end.and_then(|end| word.get(..end))]
            .into_iter()
            .flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_recognised_in_the_names_that_services_use() {
        for (one, two, expected) in [
            ("gpt-4o-mini", "openai/gpt-oss-20b", Some("gpt")),
            ("o3-mini", "GPT-4.1", Some("gpt")),
            (
                "claude-sonnet-4-5",
                "anthropic/claude-3-haiku",
                Some("claude"),
            ),
            ("qwen2.5-coder:7b", "Qwen/Qwen3-4B-Instruct", Some("qwen")),
            ("codellama:13b", "meta-llama/Llama-3.1-8B", Some("llama")),
            ("deepseek-r1-distill-qwen-7b", "qwen3:4b", Some("qwen")),
            ("devstral", "mistral-small", Some("mistral")),
            ("phi3", "microsoft/phi-4", Some("phi")),
            ("house-model", "House-Model ", Some("house-model")),
            ("ollama/qwen3", "llama3", None),
            ("dolphin", "phi-4", None),
            ("claude-opus", "gpt-5", None),
            ("", "", None),
        ] {
            assert_eq!(shared_family(one, two).as_deref(), expected, "{one} {two}");
            assert_eq!(shared_family(two, one).as_deref(), expected, "{two} {one}");
        }
    }
}
