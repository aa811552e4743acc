//! Why the database gave no answer.

use deadpool_postgres::PoolError;
use tokio_postgres::error::SqlState;

/// Sentences for whoever runs the program; they never repeat the address with its password.
/// `Failed` has the message of the database, which may quote the question.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("this is not a PostgreSQL address: {0}. Write postgres://USER@HOST/DATABASE")]
    Address(String),
    #[error(
        "the database cannot be reached: {0}. Check that it runs and that the address is right, \
         then try again: no change was left half done"
    )]
    Unreachable(String),
    #[error("the database is busy: {0}. Try again in a moment")]
    Busy(String),
    #[error(
        "the database took too long, so the query was stopped. Ask for less, or try again later"
    )]
    Slow,
    #[error(
        "the database has no room left: {0}. Free some space, then try again: no change was left \
         half done"
    )]
    Full(String),
    #[error("the database has no tables of Footnote. `footnote push` makes them")]
    Missing,
    #[error(
        "the database has version {found} of Footnote's tables, but this program knows versions \
         up to {known}. Install a newer Footnote"
    )]
    Newer { found: i32, known: i32 },
    #[error(
        "the database has vectors of the encoder {found}, and these are of {given}. Push with the \
         version of Footnote that filled it, or fill another database"
    )]
    OtherEncoder { found: String, given: String },
    #[error("{0}")]
    Refused(String),
    #[error("the database failed: {0}")]
    Failed(String),
}

impl Error {
    /// Whether the same may succeed later.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Unreachable(_) | Self::Busy(_) | Self::Slow | Self::Full(_)
        )
    }
}

impl From<tokio_postgres::Error> for Error {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(said) = error.as_db_error() else {
            let detail = std::error::Error::source(&error);
            let detail = detail.map_or_else(|| error.to_string(), ToString::to_string);
            let is_lost = error.is_closed()
                || std::error::Error::source(&error).is_some_and(|it| it.is::<std::io::Error>());
            return match is_lost {
                true => Self::Unreachable(detail),
                false => Self::Failed(detail),
            };
        };
        let message = said.message().to_owned();
        match said.code() {
            code if *code == SqlState::QUERY_CANCELED => Self::Slow,
            code if *code == SqlState::TOO_MANY_CONNECTIONS => Self::Busy(message),
            code if *code == SqlState::T_R_SERIALIZATION_FAILURE
                || *code == SqlState::T_R_DEADLOCK_DETECTED
                || *code == SqlState::LOCK_NOT_AVAILABLE =>
            {
                Self::Busy(message)
            }
            code if *code == SqlState::DISK_FULL => Self::Full(message),
            // It stops, starts, or ended the connection.
            code if code.code().starts_with("57P") || code.code().starts_with("08") => {
                Self::Unreachable(message)
            }
            code if *code == SqlState::UNDEFINED_TABLE
                || *code == SqlState::INVALID_SCHEMA_NAME =>
            {
                Self::Missing
            }
            code => Self::Failed(format!("{message} ({})", code.code())),
        }
    }
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Self {
        match error {
            PoolError::Backend(error) => Self::from(error),
            PoolError::Timeout(_) => Self::Busy("all of its connections are in use".to_owned()),
            other => Self::Failed(other.to_string()),
        }
    }
}
