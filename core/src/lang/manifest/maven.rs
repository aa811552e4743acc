//! pom.xml. A scanner for tags and text is enough: entities, attributes and namespaces contain
//! nothing of interest.

use super::{FactKind, Found};
use crate::lines::LineRange;

/// A dependency whose element is open.
#[derive(Default)]
struct Dependency {
    group: String,
    artifact: String,
    version: String,
    scope: String,
    start: usize,
}

/// Maximum nesting that is followed; deeper elements hold no facts.
const MAX_DEPTH: usize = 64;

pub(super) fn pom(found: &mut Found<'_>) {
    let text = found.text;
    let mut path: Vec<&str> = Vec::new();
    let mut dependency = Dependency::default();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('<')) {
        let tag_at = at + open;
        let content = text.get(at..tag_at).unwrap_or("").trim();
        if !content.is_empty() {
            content_fact(found, &path, content, at, &mut dependency);
        }
        let rest = text.get(tag_at..).unwrap_or("");
        let (tag, length) = tag(rest);
        at = tag_at + length;
        if let Some(name) = tag.strip_prefix('/') {
            if name.trim() == "dependency" && is_project_dependency(&path) {
                add_dependency(found, &dependency, tag_at);
            }
            path.pop();
        } else if !tag.ends_with('/') && !tag.starts_with(['!', '?']) && path.len() < MAX_DEPTH {
            let name = tag.split_whitespace().next().unwrap_or("");
            path.push(name);
            if name == "dependency" {
                dependency = Dependency {
                    start: tag_at,
                    ..Dependency::default()
                };
            }
        }
    }
}

/// Returns the inside of the tag at the start of `rest`, and the tag's length.
fn tag(rest: &str) -> (&str, usize) {
    if rest.starts_with("<!--") {
        return ("!", rest.find("-->").map_or(rest.len(), |end| end + 3));
    }
    match rest.find('>') {
        Some(end) => (rest.get(1..end).unwrap_or(""), end + 1),
        None => ("!", rest.len()),
    }
}

fn is_project_dependency(path: &[&str]) -> bool {
    matches!(path, ["project", "dependencies", "dependency"])
}

/// Adds the fact in the text of the element at `path`.
fn content_fact(
    found: &mut Found<'_>,
    path: &[&str],
    content: &str,
    at: usize,
    dependency: &mut Dependency,
) {
    let text = found.text.get(at..).unwrap_or("");
    let at = at + (text.len() - text.trim_start().len());
    let what = match path {
        ["project", "artifactId"] => FactKind::Name,
        ["project", "version"] => FactKind::Version,
        ["project", "description"] => FactKind::Description,
        ["project", "url"] => FactKind::Url,
        ["project", "licenses", "license", "name"] => FactKind::License,
        ["project", "developers", "developer", "name"] => FactKind::Author,
        ["project", "modules", "module"] => return,
        [
            "project",
            "properties",
            "java.version" | "maven.compiler.release" | "maven.compiler.source",
        ] => {
            return found.add_at(FactKind::RequiresLanguage, &format!("Java {content}"), at);
        }
        ["project", "dependencies", "dependency", field] => {
            match *field {
                "groupId" => dependency.group = content.to_string(),
                "artifactId" => dependency.artifact = content.to_string(),
                "version" => dependency.version = content.to_string(),
                "scope" => dependency.scope = content.to_string(),
                _ => {}
            }
            return;
        }
        _ => return,
    };
    found.add_at(what, content, at);
}

fn add_dependency(found: &mut Found<'_>, dependency: &Dependency, end: usize) {
    let what = match dependency.scope.as_str() {
        "test" => FactKind::DevDependency,
        _ => FactKind::Dependency,
    };
    let lines = LineRange::new(
        found.index.line_of(dependency.start),
        found.index.line_of(end),
    );
    let Dependency {
        group,
        artifact,
        version,
        ..
    } = dependency;
    found.add(what, &format!("{group}:{artifact} {version}"), lines);
}
