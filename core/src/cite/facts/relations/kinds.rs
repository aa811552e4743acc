//! What members are called, and how many there are.

use crate::cite::facts::grammar::Fact;
use crate::cite::facts::scene::{Scene, is_kind};
use crate::cite::facts::words::Noun;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::SymbolId;
use crate::lines::LineRange;
use crate::parse::shape::Member;

/// Whether a noun fits a member.
pub(super) fn is_member(member: &Member, noun: Noun) -> bool {
    let kind = member.kind.as_str();
    let is_function = kind.contains("function") || kind.contains("method");
    match noun {
        Noun::Variant => kind.contains("variant") || kind.contains("enum") || kind.contains("case"),
        Noun::Field | Noun::Variable | Noun::Constant => {
            let is_type = ["class", "interface", "type_alias", "enum"];
            !is_function && !is_type.iter().any(|word| kind.contains(word))
        }
        Noun::Method | Noun::Function => is_function,
        Noun::Member | Noun::Any => true,
        _ => false,
    }
}

/// Whether a definition has as many members as a fact says.
pub(super) fn count(scene: &mut Scene<'_>, owner: SymbolId, fact: &Fact) -> Truth {
    let (Some(wanted), Some(noun), Some(symbol)) = (fact.count, fact.noun, scene.symbol(owner))
    else {
        return Truth::Unknown;
    };
    let shape = scene.shape(owner);
    let declared: Vec<&str> = shape
        .members
        .iter()
        .filter(|member| is_member(member, noun))
        .map(|member| member.name.as_str())
        .collect();
    let members = scene.members(owner);
    let defined: Vec<&str> = members
        .filter(|(_, symbol)| is_kind(symbol.kind, noun))
        .map(|(_, symbol)| symbol.name.as_str())
        .collect();
    let mut names = declared;
    for name in defined {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() && shape.members.is_empty() && !shape.has_body {
        return Truth::Unknown;
    }
    match names.len() as u32 == wanted {
        true => Truth::Yes(vec![Proof {
            file: owner.file,
            lines: LineRange::new(symbol.name_line, symbol.lines.end()),
            what: "definition",
        }]),
        false => Truth::No(format!("It has {}: {}.", names.len(), names.join(", "))),
    }
}
