//! Tells C++ from C: both name their headers `.h`.

/// Whether a `.h` file is C++: it uses a construct that C lacks, outside comments and outside code
/// that only a C++ compiler sees (`#ifdef __cplusplus`, the usual guard of a C header).
pub(super) fn looks_like_cpp(text: &str) -> bool {
    let mut guarded = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('#') {
            if line.starts_with("#if") && line.contains("__cplusplus") {
                guarded = true;
            } else if line.starts_with("#e") {
                guarded = false;
            }
            if is_cpp_include(line) {
                return true;
            }
            continue;
        }
        let is_comment = line.starts_with("//") || line.starts_with('*') || line.starts_with("/*");
        if !guarded && !is_comment && is_cpp_line(line) {
            return true;
        }
    }
    false
}

/// Whether a line is like `#include <vector>`: C++ library headers have no extension.
fn is_cpp_include(line: &str) -> bool {
    line.strip_prefix("#include <")
        .and_then(|rest| rest.split_once('>'))
        .is_some_and(|(header, _)| !header.contains(['.', '/']))
}

fn is_cpp_line(line: &str) -> bool {
    const STARTS: [&str; 12] = [
        "class ",
        "namespace ",
        "namespace{",
        "inline namespace ",
        "template <",
        "template<",
        "using ",
        "public:",
        "private:",
        "protected:",
        "virtual ",
        "constexpr ",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
        || line.contains("std::")
        || line.contains("operator==")
        || line.contains("= delete;")
        || line.contains("= default;")
}
