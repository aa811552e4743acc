//! What is remembered of the connection between visits, and whether the page may use it.

use footnote_core::model::protocol::{Kind, Service};

use crate::platform::remembered::{Item, keep, load as text};
use crate::platform::{http, seal};
use crate::state::Connection;
use crate::state::connection::{Consent, Remembered, seconds_typed};

/// The connection as last used, and whether the policy of this page lets it reach the service.
pub fn load() -> Connection {
    let kind = text(Item::ServiceKind).and_then(|name| Kind::from_name(&name));
    let base = text(Item::ServiceBase);
    let service = kind
        .zip(base)
        .and_then(|(kind, base)| Service::new(kind, &base).ok());
    let is_open = service.as_ref().is_some_and(is_open);
    let remembered = Remembered {
        service,
        model: text(Item::ServiceModel).unwrap_or_default(),
        window: text(Item::ServiceWindow).and_then(|window| window.parse().ok()),
        consent: text(Item::ServiceConsent).and_then(|line| Consent::from_text(&line)),
        patience_s: text(Item::ServicePatience).and_then(|typed| seconds_typed(&typed)),
        reviews_each: text(Item::ServiceReview).is_some(),
        locked_key: text(Item::ServiceKey),
    };
    Connection {
        remembered,
        is_open,
        ..Connection::default()
    }
}

/// Remembers everything about the connection but the plain key.
pub fn remember(remembered: &Remembered) {
    let service = remembered.service.as_ref();
    let origin = service.map(Service::origin);
    let kind = service.map(|service| service.kind.name());
    let window = remembered.window.map(|window| window.to_string());
    let filled = |text: &'_ str| (!text.is_empty()).then(|| text.to_owned());
    for (item, value) in [
        (Item::ServiceOrigin, origin),
        (Item::ServiceKind, kind.map(str::to_owned)),
        (
            Item::ServiceBase,
            service.map(|service| service.base.clone()),
        ),
        (Item::ServiceModel, filled(&remembered.model)),
        (Item::ServiceWindow, window),
        (
            Item::ServiceConsent,
            remembered.consent.as_ref().map(Consent::to_text),
        ),
        (
            Item::ServicePatience,
            remembered.patience_s.map(|seconds| seconds.to_string()),
        ),
        (
            Item::ServiceReview,
            remembered.reviews_each.then(|| "each".to_owned()),
        ),
        (Item::ServiceKey, remembered.locked_key.clone()),
    ] {
        // Without storage no connection was possible in the first place, because the next load
        // takes its policy from there. The form says so.
        keep(item, value.as_deref());
    }
}

/// Whether the page's policy lets it reach the service. A page without a policy may reach anything.
fn is_open(service: &Service) -> bool {
    let origin = service.origin();
    origin == http::own_origin()
        || seal::open_addresses().is_none_or(|addresses| addresses.contains(&origin))
}
