//! What to do about a failure, and which option to change, if any.

use footnote_core::model::protocol::{Failure, Service};

/// A sentence; empty if [`Failure::what`] says everything.
pub fn next(failure: &Failure, service: &Service) -> String {
    match failure {
        Failure::Unreachable(_) if service.is_local() => {
            format!("Start the server, or check the port: {}", service.base)
        }
        Failure::Unreachable(_) => {
            format!("Check the address and the network: {}", service.base)
        }
        Failure::BadKey { .. } | Failure::Forbidden { .. } => {
            "Check the key in the variable that --key-env names, and what it may do.".to_owned()
        }
        Failure::UnknownModel { .. } => {
            "Check --model; the service lists the names of its models.".to_owned()
        }
        Failure::WrongAddress { .. } | Failure::NotAService { .. } => format!(
            "Check --service and --service-kind: {} was asked as {}, whose addresses look like {}",
            service.base,
            service.kind.name(),
            service.kind.usual_address()
        ),
        Failure::Timeout => "--time-limit allows more seconds.".to_owned(),
        Failure::OutOfCredit { .. } => "Add credit to the account.".to_owned(),
        Failure::RateLimited { .. } | Failure::Overloaded { .. } | Failure::Server { .. } => {
            "Try again later.".to_owned()
        }
        Failure::ContextTooLong { .. } | Failure::TooLarge { .. } => {
            "Choose a model with a larger context window.".to_owned()
        }
        Failure::WrongRequest {
            unsupported: Some(_),
            ..
        } => "Leave out the option that the service refuses, or choose another model.".to_owned(),
        Failure::WrongRequest { .. } => "Try another model, and check --service-kind.".to_owned(),
        _ => String::new(),
    }
}
