//! `footnote users`: who may read which groups of a database.

use std::io::Write;
use std::process::ExitCode;

use crate::Result;
use crate::database::{self, Database, Options};

/// Sets who may read which groups of repositories in a database, and issues tokens
#[derive(clap::Args)]
pub struct Args {
    /// The address of the database: postgres://USER:PASSWORD@HOST/DATABASE
    #[arg(long, value_name = "ADDRESS", env = database::ADDRESS, hide_env_values = true)]
    database: String,
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Adds a user, or changes a user's groups
    Add {
        name: String,
        /// A group whose repositories the user may read
        #[arg(long = "group", value_name = "NAME")]
        groups: Vec<String>,
        /// Several such groups at once, as for `footnote token new`
        #[arg(long = "groups", value_name = "NAMES", value_delimiter = ',')]
        more: Vec<String>,
    },
    /// Makes a token for a user and prints it once
    Token { name: String },
    /// Revokes all tokens of a user
    Revoke { name: String },
}

/// Carries out one action.
pub fn run(args: &Args) -> Result<ExitCode> {
    database::block_on(async {
        let database = Database::prepare(&args.database, Options::default()).await?;
        let mut out = std::io::stdout();
        match &args.action {
            Action::Add { name, groups, more } => {
                let groups = groups.iter().chain(more).cloned().collect();
                database.set_user(name, &groups).await?;
            }
            Action::Token { name } => writeln!(out, "{}", database.make_token(name).await?)?,
            Action::Revoke { name } => {
                let revoked = database.revoke(name).await?;
                writeln!(out, "{name}: {revoked} tokens revoked")?;
            }
        }
        Ok(ExitCode::SUCCESS)
    })?
}
