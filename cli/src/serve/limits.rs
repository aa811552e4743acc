//! How much one client, and all together, may ask; and by which names the server may be asked.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::{HeaderMap, header};
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

/// Longest question over all repositories, in characters. A pasted traceback fits. Percent-encoded,
/// it has to fit into an address too.
pub const MAX_QUESTION: usize = 10_000;
/// Most parts of an answer.
pub const MAX_RESULTS: usize = 100;
/// Largest head of a request: an address, of which hyper reads 64 kB, and as much for the headers.
pub const MAX_HEAD: usize = 128 * 1024;

/// The limits that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests a second of one client, on average.
    pub rate: NonZeroU32,
    /// Requests of one client at once, after a pause.
    pub burst: NonZeroU32,
    /// Requests that run at the same time, of all clients.
    pub running: usize,
    /// Open connections, of all clients.
    pub connections: usize,
    /// How long one request may take until its answer begins.
    pub time: Duration,
    /// How long running requests may go on when the server stops.
    pub drain: Duration,
}

/// Whose requests are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Everyone who uses the token of this user.
    User(String),
    Address(IpAddr),
}

impl Client {
    /// The client at an address; one network can give itself as many IPv6 addresses as it likes.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let network = u128::from(v6) & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from(network))
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

/// Counts requests by client.
pub struct Rate {
    limiter: RateLimiter<Client, HashMapStateStore<Client>, DefaultClock>,
    clock: DefaultClock,
}

impl Rate {
    pub fn new(limits: &Limits) -> Self {
        let quota = Quota::per_second(limits.rate).allow_burst(limits.burst);
        let clock = DefaultClock::default();
        Self {
            limiter: RateLimiter::hashmap_with_clock(quota, clock.clone()),
            clock,
        }
    }

    /// Counts a request; `Err` says how many seconds the client should wait.
    pub fn check(&self, client: &Client) -> Result<(), u64> {
        self.limiter.check_key(client).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            wait.as_secs_f64().ceil() as u64
        })
    }

    /// Forgets clients that have not asked for a while.
    pub fn forget(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}

/// The names by which the server may be asked. A page elsewhere can give its own name the address
/// of this machine, and would then read as this server's page what only this machine may read.
#[derive(Clone, Debug)]
pub struct Hosts(Option<Vec<String>>);

impl Hosts {
    /// For a server at `bound`, with further `names`. One that can be reached from elsewhere has
    /// any name, unless some are given.
    pub fn new(bound: IpAddr, names: &[String]) -> Self {
        if !bound.is_loopback() && names.is_empty() {
            return Self(None);
        }
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let given = names.iter().map(|name| name.to_ascii_lowercase());
        Self(Some(own.into_iter().chain(given).collect()))
    }

    pub fn allow(&self, headers: &HeaderMap) -> bool {
        let Some(names) = &self.0 else {
            return true;
        };
        let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
        host.is_some_and(|host| {
            let name = match host.rsplit_once(':') {
                Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => name,
                _ => host,
            };
            names.iter().any(|it| it.eq_ignore_ascii_case(name))
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn limits(rate: u32, burst: u32) -> Limits {
        Limits {
            rate: rate.try_into().unwrap(),
            burst: burst.try_into().unwrap(),
            running: 1,
            connections: 1,
            time: Duration::from_secs(1),
            drain: Duration::from_secs(1),
        }
    }

    #[test]
    fn each_client_has_its_own_burst_and_then_waits() {
        let rate = Rate::new(&limits(1, 3));
        let (ann, ben) = (
            Client::User("ann".to_owned()),
            Client::User("ben".to_owned()),
        );
        for _ in 0..3 {
            assert_eq!(rate.check(&ann), Ok(()));
        }
        assert_eq!(rate.check(&ann), Err(1));
        assert_eq!(rate.check(&ben), Ok(()));
        rate.forget();
        assert!(
            rate.check(&ann).is_err(),
            "who still waits is not forgotten"
        );
    }

    #[test]
    fn addresses_of_one_network_are_one_client() {
        let at = |text: &str| Client::at(text.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:1::1"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
    }

    #[test]
    fn a_server_of_this_machine_has_no_other_name() {
        let local = Hosts::new("127.0.0.1".parse().unwrap(), &["code.example".to_owned()]);
        let open = Hosts::new("0.0.0.0".parse().unwrap(), &[]);
        for (host, expected) in [
            ("localhost:8080", true),
            ("127.0.0.1", true),
            ("[::1]:8080", true),
            ("Code.Example", true),
            ("evil.example:8080", false),
            ("localhost.evil.example", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            assert_eq!(local.allow(&headers), expected, "{host}");
            assert!(open.allow(&headers));
        }
        assert!(!local.allow(&HeaderMap::new()));
    }
}
