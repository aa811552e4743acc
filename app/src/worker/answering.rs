//! A worker that answers requests one at a time, in order, however long each takes. A request is
//! bytes, or a list of bytes and an attachment; an event is bytes ([`wire`]).

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::wire;

/// The part of a worker that answers its requests.
pub trait Answers: Sized + 'static {
    type Request: DeserializeOwned;
    type Event: Serialize;

    /// `tell` sends events that come before an answer.
    fn new(tell: Box<dyn Fn(Self::Event)>) -> Self;

    /// The event that says that the worker now accepts requests.
    fn listening() -> Self::Event;

    /// The event that says that a request was not understood, and why.
    fn not_understood(why: &str) -> Self::Event;

    /// Answers a request; `beside` is its attachment.
    async fn answer(&mut self, request: Self::Request, beside: &JsValue) -> Self::Event;
}

/// Starts answering in this worker: installs the listener and announces it.
pub fn run<A: Answers>() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let teller = scope.clone();
    let answers = A::new(Box::new(move |event| wire::post(&teller, &event)));
    let answering = Rc::new(Answering {
        scope: scope.clone(),
        waiting: RefCell::default(),
        answers: RefCell::new(Some(answers)),
    });
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        answering.hear(&message.data());
    });
    scope.set_onmessage(Some(on_message.into_js_value().unchecked_ref()));
    wire::post(&scope, &A::listening());
}

struct Answering<A: Answers> {
    scope: DedicatedWorkerGlobalScope,
    /// Requests with their attachments.
    waiting: RefCell<VecDeque<(A::Request, JsValue)>>,
    /// Taken while a request is being answered.
    answers: RefCell<Option<A>>,
}

impl<A: Answers> Answering<A> {
    fn hear(self: &Rc<Self>, message: &JsValue) {
        match read(message) {
            Ok(request) => {
                self.waiting.borrow_mut().push_back(request);
                self.work();
            }
            Err(why) => wire::post(&self.scope, &A::not_understood(&why)),
        }
    }

    fn work(self: &Rc<Self>) {
        let Some(mut answers) = self.answers.take() else {
            return;
        };
        let this = Rc::clone(self);
        spawn_local(async move {
            while let Some((request, beside)) = this.next() {
                let event = answers.answer(request, &beside).await;
                wire::post(&this.scope, &event);
            }
            this.answers.replace(Some(answers));
        });
    }

    fn next(&self) -> Option<(A::Request, JsValue)> {
        self.waiting.borrow_mut().pop_front()
    }
}

fn read<R: DeserializeOwned>(message: &JsValue) -> Result<(R, JsValue), String> {
    let (request, beside) = match message.dyn_ref::<Array>() {
        Some(parts) => (parts.get(0), parts.get(1)),
        None => (message.clone(), JsValue::UNDEFINED),
    };
    let bytes: &Uint8Array = request.dyn_ref().ok_or("not bytes")?;
    let request = wire::decode(&bytes.to_vec()).map_err(|error| error.to_string())?;
    Ok((request, beside))
}
