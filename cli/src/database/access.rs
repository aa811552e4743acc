//! Users, their groups and their tokens. A token is shown once; the database keeps only its hash.

use std::collections::BTreeSet;

use super::{Database, Error, PUBLIC, Result};
use crate::serve::source::{TokenHash, User};
use crate::serve::tokens;

impl Database {
    /// Makes a user, or gives an existing one other groups.
    pub async fn set_user(&self, name: &str, groups: &BTreeSet<String>) -> Result<()> {
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        self.client()
            .await?
            .execute(
                "INSERT INTO footnote.users (name, groups) VALUES ($1, $2)
                 ON CONFLICT (name) DO UPDATE SET groups = EXCLUDED.groups",
                &[&name, &groups],
            )
            .await?;
        Ok(())
    }

    /// Makes a token for a user. It cannot be read again later.
    pub async fn make_token(&self, name: &str) -> Result<String> {
        let (token, hash) = tokens::new().map_err(Error::Failed)?;
        let made = self
            .client()
            .await?
            .execute(
                "INSERT INTO footnote.tokens (hash, owner)
                 SELECT $1, id FROM footnote.users WHERE name = $2",
                &[&hash.as_slice(), &name],
            )
            .await?;
        match made {
            0 => Err(unknown(name)),
            _ => Ok(token),
        }
    }

    /// Revokes all tokens of a user; returns how many.
    pub async fn revoke(&self, name: &str) -> Result<u64> {
        let client = self.client().await?;
        let user = client
            .query_opt("SELECT id FROM footnote.users WHERE name = $1", &[&name])
            .await?;
        let id: i32 = user.ok_or_else(|| unknown(name))?.get(0);
        let revoked = client
            .execute("DELETE FROM footnote.tokens WHERE owner = $1", &[&id])
            .await?;
        Ok(revoked)
    }

    /// The user of the token with this SHA-256; `None` if there is none, or it was revoked.
    pub async fn user(&self, token: TokenHash) -> Result<Option<User>> {
        let mut client = self.client().await?;
        let transaction = self.reading(&mut client, &BTreeSet::new()).await?;
        let statement = transaction
            .prepare_cached("SELECT name, groups FROM footnote.user_of($1)")
            .await?;
        let row = transaction
            .query_opt(&statement, &[&token.as_slice()])
            .await?;
        transaction.commit().await?;
        Ok(row.map(|row| User {
            name: Some(row.get(0)),
            groups: row.get::<_, Vec<String>>(1).into_iter().collect(),
        }))
    }
}

fn unknown(name: &str) -> Error {
    Error::Refused(format!(
        "there is no user {name}. Make one with `footnote users --database ADDRESS add {name} --group GROUP`"
    ))
}

/// The groups of a command line: without any, everybody.
pub fn groups(given: &[String]) -> BTreeSet<String> {
    match given {
        [] => BTreeSet::from([PUBLIC.to_owned()]),
        given => given.iter().cloned().collect(),
    }
}
