//! `a` calls `b`.

use super::{Part, Relation, each, is_when, last_part};
use crate::cite::attributed::is_owner;
use crate::cite::facts::grammar::{Fact, Thing};
use crate::cite::facts::names::{is_same, parts};
use crate::cite::facts::scene::Scene;
use crate::cite::facts::{Proof, Truth};
use crate::index::graph::{CallLink, SymbolId};
use crate::lang::Call;
use crate::lines::Line;
use crate::parse::shape::Called;

pub(crate) static CALLS: Relation = Relation {
    active: &[
        "calls",
        "call",
        "invokes",
        "invoke",
        "calls into",
        "calls out to",
        "delegates to",
        "delegate to",
        "forwards to",
        "makes a call to",
        "makes calls to",
        "calls on",
        "constructs",
        "instantiates",
    ],
    passive: &[
        "called by",
        "called from",
        "called in",
        "called inside",
        "called within",
        "invoked by",
        "invoked from",
        "invoked in",
    ],
    reads: &[
        Part::With,
        Part::Role,
        Part::Condition,
        Part::Order,
        Part::Owner,
    ],
    holds,
};

fn holds(scene: &mut Scene<'_>, fact: &Fact) -> Truth {
    let callers = scene.definitions(&fact.subject);
    if callers.is_empty() {
        return Truth::Unknown;
    }
    each(scene, fact, |scene, object| {
        let truths: Vec<Truth> = callers
            .iter()
            .map(|caller| calls(scene, fact, *caller, object))
            .collect();
        Truth::any(truths)
    })
}

fn calls(scene: &mut Scene<'_>, fact: &Fact, caller: SymbolId, object: &Thing) -> Truth {
    let Some((name, owners)) = last_part(object) else {
        return Truth::Unknown;
    };
    let made: Vec<&Call> = scene.calls(caller);
    let lines: Vec<Line> = made
        .iter()
        .filter(|call| call.name == name && is_on(scene, caller, call, object, &owners))
        .map(|call| call.line)
        .collect();
    if lines.is_empty() {
        // It may be called under another name: an import with an alias, `super()`.
        let links = scene.index.graph.callees(caller);
        let is_it = |link: &&CallLink| {
            scene
                .symbol(link.callee)
                .is_some_and(|symbol| symbol.name == name)
        };
        if let Some(link) = links.iter().find(is_it) {
            return match link.is_certain() && fact.with.is_empty() && fact.condition.is_none() {
                true => Truth::Yes(vec![Proof::line(caller.file, link.line, "call")]),
                false => Truth::Unknown,
            };
        }
        let shape = scene.shape(caller);
        let is_elsewhere = made.iter().any(|call| call.name == name);
        if is_elsewhere || !shape.has_body || shape.names.contains_key(&name) {
            return Truth::Unknown;
        }
        let mut others: Vec<String> = made.iter().map(|call| format!("`{}`", call.name)).collect();
        others.dedup();
        others.truncate(6);
        return Truth::No(match others.is_empty() {
            true => format!("It calls nothing by the name `{name}`."),
            false => format!("It calls {}, not `{name}`.", others.join(", ")),
        });
    }
    if fact.role.is_some() && fact.with.is_empty() {
        return Truth::Unknown;
    }
    if fact.with.is_empty() && fact.condition.is_none() {
        let proof = lines
            .first()
            .map(|line| Proof::line(caller.file, *line, "call"));
        // Of several calls, the cited one proves it.
        let cited = lines
            .iter()
            .map(|line| Proof::line(caller.file, *line, "call"));
        let cited = cited
            .into_iter()
            .find(|proof| scene.is_cited(proof.file, proof.lines));
        return cited
            .or(proof)
            .map_or(Truth::Unknown, |proof| Truth::Yes(vec![proof]));
    }
    let shape = scene.shape(caller);
    let fits = |called: &&Called| {
        parts(&called.path).last().is_some_and(|last| *last == name)
            && lines.contains(&called.line)
            && fact
                .with
                .iter()
                .all(|with| takes(called, with, fact.role.as_ref()))
            && is_when(fact, &called.when)
    };
    match shape.called.iter().find(fits) {
        Some(called) => Truth::Yes(vec![Proof::line(caller.file, called.line, "call")]),
        None => Truth::Unknown,
    }
}

/// Whether a call passes this argument.
fn takes(called: &Called, with: &Thing, role: Option<&Thing>) -> bool {
    let Some(term) = &with.term else {
        return false;
    };
    let role = role.map(|role| role.term.as_ref().map_or("", |term| term.text.as_str()));
    called.arguments.iter().any(|argument| {
        if let Some(role) = role {
            let named = argument.split_once(['=', ':']);
            return named
                .is_some_and(|(name, value)| name.trim() == role && is_same(value, &term.text));
        }
        let value = argument
            .split_once('=')
            .map_or(argument.as_str(), |(_, value)| value);
        is_same(argument, &term.text) || is_same(value, &term.text)
    })
}

/// Whether the call goes to the definition that a reader understands by the name. If the repository
/// defines the name, the graph must lead there; `rows.get()` is not a call of the `get` defined
/// here.
fn is_meant(scene: &Scene<'_>, caller: SymbolId, call: &Call) -> bool {
    let is_led = || {
        let links = scene.index.graph.callees(caller);
        links.iter().any(|link| {
            link.is_certain()
                && link.line == call.line
                && scene
                    .symbol(link.callee)
                    .is_some_and(|symbol| symbol.name == call.name)
        })
    };
    !scene.is_defined(&call.name) || is_led()
}

/// Whether the callee belongs to the owner that the sentence names.
fn is_on(
    scene: &Scene<'_>,
    caller: SymbolId,
    call: &Call,
    object: &Thing,
    owners: &[String],
) -> bool {
    let owner = owners.iter().rev().find(|owner| !is_owner(owner)).cloned();
    let owner = owner.or_else(|| {
        let owner = object.owner.as_deref()?;
        last_part(owner).map(|(name, _)| name)
    });
    let Some(owner) = owner else {
        return is_meant(scene, caller, call);
    };
    let receiver = call.receiver.as_deref().unwrap_or_default();
    let last = parts(receiver).last().copied().unwrap_or_default();
    if last.eq_ignore_ascii_case(&owner) {
        return true;
    }
    // If the object does not tell, the graph may know which definition is called.
    let links = scene.index.graph.callees(caller);
    links.iter().any(|link| {
        link.is_certain()
            && link.line == call.line
            && scene.symbol(link.callee).is_some_and(|symbol| {
                symbol.name == call.name
                    && symbol.qualified.rsplit('.').nth(1) == Some(owner.as_str())
            })
    })
}
