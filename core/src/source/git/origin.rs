//! Where a clone or an archive comes from: the commit, and the web address of its repository.

/// The host whose projects may lie deeper than in one group.
const GITLAB: &str = "gitlab.com";

/// Whether `text` is the full name of a commit.
pub(crate) fn is_commit(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 40 && text.bytes().all(is_digit)
}

/// The commit that `git archive` writes as the comment of a zip file or a tar stream. GitHub's
/// *Download ZIP* is made this way.
pub(in crate::source) fn commit_in(comment: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(comment).ok()?.trim();
    is_commit(text).then(|| text.to_owned())
}

/// The address of the remote `origin` in the text of `.git/config`.
pub(super) fn remote(config: &str) -> Option<String> {
    let mut is_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_origin = line == "[remote \"origin\"]";
        } else if let Some((key, value)) = line.split_once('=')
            && is_origin
            && key.trim() == "url"
        {
            return address(value.trim());
        }
    }
    None
}

/// The web address of the repository that `url` names: `https://host/owner/name`, whether it is
/// written for the web, for `ssh` or for `git`, as in `git@host:owner/name.git`. User names and
/// passwords are left out, as is what follows the repository's own path.
pub fn address(url: &str) -> Option<String> {
    let url = url.strip_prefix("git+").unwrap_or(url);
    let rest = match url.split_once("://") {
        Some(("https" | "http" | "ssh" | "git", rest)) => rest.to_owned(),
        Some(_) => return None,
        // `git@host:owner/name`
        None => url.replacen(':', "/", 1),
    };
    let rest = rest.split(['?', '#']).next()?;
    let mut parts = rest.split('/').filter(|part| !part.is_empty());
    let host = parts.next()?.rsplit('@').next()?;
    let host = host.split(':').next()?.to_ascii_lowercase();
    let path: Vec<&str> = match host.as_str() {
        // Projects lie in groups within groups there; `-` begins the address of something in one.
        GITLAB => parts.take_while(|part| *part != "-").collect(),
        _ => parts.take(2).collect(),
    };
    let (name, owners) = path.split_last()?;
    let name = name.strip_suffix(".git").unwrap_or(name);
    let is_plain = |text: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        !text.is_empty() && !text.starts_with('.') && text.bytes().all(is_plain)
    };
    let is_host = host.contains('.') && is_plain(&host);
    let is_owned = !owners.is_empty() && owners.iter().all(|owner| is_plain(owner));
    (is_host && is_owned && is_plain(name))
        .then(|| format!("https://{host}/{}/{name}", owners.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_has_one_web_address_however_it_is_written() {
        for url in [
            "https://github.com/psf/requests",
            "https://github.com/psf/requests.git",
            "https://github.com/psf/requests/tree/main/src#readme",
            "http://GitHub.com/psf/requests/",
            "git+https://github.com/psf/requests.git",
            "git://github.com/psf/requests.git",
            "git@github.com:psf/requests.git",
            "ssh://git@github.com:22/psf/requests.git",
            "https://me:secret@github.com/psf/requests",
        ] {
            let found = address(url);
            assert_eq!(
                found.as_deref(),
                Some("https://github.com/psf/requests"),
                "{url}"
            );
        }
    }

    #[test]
    fn a_project_of_gitlab_keeps_its_groups() {
        for url in [
            "https://gitlab.com/group/sub/project.git",
            "git@gitlab.com:group/sub/project.git",
            "https://gitlab.com/group/sub/project/-/tree/main",
        ] {
            let wanted = "https://gitlab.com/group/sub/project";
            assert_eq!(address(url).as_deref(), Some(wanted), "{url}");
        }
    }

    #[test]
    fn an_origin_that_is_not_a_repository_on_the_web_has_no_address() {
        for url in [
            "",
            "requests",
            "/home/me/requests",
            "../requests",
            "file:///home/me/requests",
            "javascript:alert(1)",
            "https://github.com/psf",
            "https://localhost/psf/requests",
            "https://github.com/../..",
            "https://github.com/psf/req uests",
            "https://github.com/psf/<script>",
            "https://other.example/x@github.com/a",
        ] {
            assert_eq!(address(url), None, "{url}");
        }
    }

    #[test]
    fn the_origin_of_a_clone_is_its_remote_of_that_name() {
        let config = "[core]\n\tbare = false\n[remote \"fork\"]\n\turl = https://a.example/x/y\n\
                      [remote \"origin\"]\n\turl = git@github.com:psf/requests.git\n\tfetch = +refs\n";
        assert_eq!(
            remote(config).as_deref(),
            Some("https://github.com/psf/requests")
        );
        assert_eq!(remote("[remote \"origin\"]\n"), None);
        assert_eq!(remote("url = https://github.com/psf/requests"), None);
    }

    #[test]
    fn a_comment_names_a_commit_only_in_full() {
        let full = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(commit_in(full.as_bytes()).as_deref(), Some(full));
        assert_eq!(commit_in(&full.as_bytes()[1..]), None);
        assert_eq!(commit_in(b"made by a program that writes comments "), None);
        assert_eq!(commit_in(&[0xff; 40]), None);
    }
}
