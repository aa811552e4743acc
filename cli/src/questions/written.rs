//! Questions that a language model writes, asked by the program itself.

use std::io::Write;
use std::process::ExitCode;

use footnote_core::index::Index;
use footnote_core::lab::questions::{
    Budget, Estimate, Reply, Writing, WrittenCount, WrittenMade, WrittenOrder,
};

use super::{Args, STRATEGIES, write};
use crate::service::{self, NoReply, Outlook};
use crate::{Result, model};

/// Exit status 1 if the model gives no question, 2 if the run could not go on. What was made is written
/// in either case.
pub fn run(args: &Args, index: Index, out: &mut impl Write) -> Result<ExitCode> {
    let mut asker = args.service.open(args.cache.as_deref())?;
    let usual = WrittenOrder::new(&index.repo.name);
    let room = asker.assumed_window().saturating_sub(asker.answer_tokens());
    let order = WrittenOrder {
        count: args.count,
        seed: args.seed,
        strategies: args.strategies.clone(),
        near: args.near,
        window: args.window.unwrap_or(usual.window.min(room as usize)),
        ..usual
    };
    if let Some(name) = order.unknown().next() {
        let known: Vec<&str> = STRATEGIES.iter().map(|it| it.name).collect();
        let known = known.join(", ");
        return Err(format!("there is no strategy {name}; known are {known}").into());
    }
    let mut writing = Writing::new(model::with_table(index)?, order);
    let estimate = writing.estimate();
    let most = budget(&args.service, &estimate);
    writing.allow(most);
    asker.confirm(
        &args.service,
        Outlook {
            requests: estimate.requests as usize,
            prompt_tokens: estimate.prompt_tokens,
            answer_tokens: estimate.answer_tokens,
            most: Some((most.requests, most.tokens)),
        },
    )?;
    let name = args.service.model.as_deref().unwrap_or_default();
    let mut end: Result<()> = Ok(());
    while let Some(ask) = writing.request(name) {
        match asker.ask(&ask.chat, &ask.key) {
            Ok(reply) => writing.answer(Reply {
                text: &reply.text,
                answer_tokens: reply.answer_tokens,
                from_cache: reply.from_cache,
            }),
            Err(NoReply::Failed) => writing.fail("the service did not answer"),
            Err(NoReply::Spent(why)) => {
                asker.say(&why);
                break;
            }
            Err(NoReply::Over(why)) => {
                end = Err(why.into());
                break;
            }
        }
    }
    asker.finish();
    let made = writing.made();
    write(args, &made.items, out)?;
    report(&made)?;
    end?;
    Ok(ExitCode::from(u8::from(made.items.is_empty())))
}

/// What the user allows, else twice the estimate. Kept replies count too, so that a command that is
/// repeated ends where it ended.
fn budget(args: &service::Args, estimate: &Estimate) -> Budget {
    let usual = estimate.with_room();
    Budget {
        requests: args.max_requests.unwrap_or(usual.requests),
        tokens: args.max_tokens.unwrap_or(usual.tokens),
    }
}

/// Beside the set, so that it can be piped.
fn report(made: &WrittenMade) -> Result<()> {
    let mut err = std::io::stderr().lock();
    writeln!(err, "strategy        asked   made   kept  not taken")?;
    for count in &made.counts {
        let WrittenCount {
            strategy,
            asked,
            made,
            kept,
            dropped,
            failed,
            paths,
            rests,
        } = count;
        let why = [dropped, failed, paths].into_iter().flatten();
        let why = why.map(|(why, n)| format!("{n}: {why}"));
        let why: Vec<String> = why.chain(rests.map(str::to_owned)).collect();
        let why = why.join("; ");
        writeln!(err, "{strategy:<14} {asked:>6} {made:>6} {kept:>6}  {why}")?;
    }
    writeln!(err, "{} questions", made.items.len())?;
    if let Some(short) = &made.short {
        writeln!(err, "{short}")?;
    }
    Ok(())
}
