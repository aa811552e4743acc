//! Questions written by a language model, which the program itself asks.

use std::io::Write;
use std::process::ExitCode;

use footnote_core::index::Index;
use footnote_core::lab::questions::{Writing, WrittenCount, WrittenMade, WrittenOrder};

use super::{Args, STRATEGIES, write};
use crate::service::Came;
use crate::{Result, model};

/// Returns exit status 1 if the model yields no question, 2 if the run could not go on. What was
/// made is written in either case.
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
        return Err(format!("there is no strategy {name}; the strategies are {known}").into());
    }
    let mut writing = Writing::new(model::with_table(index)?, order);
    let most = asker.confirm_run(&args.service, &writing.estimate())?;
    writing.allow(most);
    let name = args.service.model.as_deref().unwrap_or_default();
    let end = asker.ask_all(|came| {
        match came {
            Some(Came::Said(reply)) => writing.answer(reply.read()),
            Some(Came::Failed(why)) => writing.fail(why),
            None => {}
        }
        let ask = writing.request(name)?;
        Some((ask.key, ask.chat))
    });
    let made = writing.made();
    write(args, &made.items, out)?;
    report(&made)?;
    end?;
    Ok(ExitCode::from(u8::from(made.items.is_empty())))
}

/// Goes to the error output, so that the set can be piped.
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
