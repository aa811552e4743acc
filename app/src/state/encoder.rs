//! The encoder that makes the vectors, as the settings show it.

use super::purpose::Purpose;
use super::{Effect, State};
use crate::worker::protocol::{EncoderView, Notice, NoticeKind, VectorsRequest};

/// Which encoder is in use, and what came of choosing another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EncoderChoice {
    pub view: EncoderView,
    /// Whether another one is being loaded.
    pub is_waiting: bool,
    pub trouble: Option<Notice>,
}

impl EncoderChoice {
    pub(super) fn arrived(&mut self, purpose: Purpose, view: &EncoderView) {
        self.view = view.clone();
        if purpose == Purpose::Encoder {
            self.is_waiting = false;
        }
    }

    pub(super) fn failed(&mut self, notice: Notice) {
        self.is_waiting = false;
        self.trouble = Some(notice);
    }
}

impl State {
    /// Goes back to the encoder that comes with the page.
    pub fn use_own_encoder(&mut self) -> Vec<Effect> {
        self.awaits_encoder();
        vec![Effect::send(Purpose::Encoder, VectorsRequest::UseOwn)]
    }

    /// Switches the transformer on or off.
    pub fn read_closely(&mut self, on: bool) -> Vec<Effect> {
        self.without_close_reading = !on;
        let request = VectorsRequest::ReadClosely { on };
        vec![Effect::send(Purpose::Vectors, request)]
    }

    /// Tells a new engine that the transformer is off; engines start with it on.
    pub fn tell_close_reading(&mut self) -> Vec<Effect> {
        match self.without_close_reading {
            true => self.read_closely(false),
            false => Vec::new(),
        }
    }

    /// Another encoder is being loaded.
    pub fn awaits_encoder(&mut self) {
        self.encoder.is_waiting = true;
        self.encoder.trouble = None;
    }

    /// The chosen files are not an encoder.
    pub fn not_an_encoder(&mut self) {
        self.encoder.failed(Notice {
            what: "These are not the two files that an encoder needs.".into(),
            next: "Choose the encoder’s .onnx file and its tokenizer.json together.".into(),
            kind: NoticeKind::BadInput,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::notice;
    use crate::worker::protocol::{Event, Part, Told, VectorsView};

    fn answer(state: &mut State, event: impl Into<Event>) {
        let job = state.begin(Purpose::Encoder, &VectorsRequest::UseOwn.into());
        let (part, event) = (Part::Last, event.into());
        state.receive(Told { job, part, event }, 0.0);
    }

    fn view(brought: Option<&str>) -> VectorsView {
        VectorsView {
            encoder: Box::new(EncoderView {
                brought: brought.map(str::to_owned),
                is_kept: false,
            }),
            ..VectorsView::default()
        }
    }

    #[test]
    fn the_previous_encoder_stays_when_another_cannot_be_used() {
        let mut state = State::default();
        state.awaits_encoder();
        answer(&mut state, view(Some("mine.onnx")));
        assert_eq!(state.encoder.view, *view(Some("mine.onnx")).encoder);
        assert!(!state.encoder.is_waiting);

        state.not_an_encoder();
        assert!(state.encoder.trouble.is_some());
        assert_eq!(state.encoder.view.brought.as_deref(), Some("mine.onnx"));

        let effects = state.use_own_encoder();
        assert_eq!(effects.len(), 1);
        assert!(state.encoder.is_waiting && state.encoder.trouble.is_none());
        answer(&mut state, Event::Failed(notice(NoticeKind::BadInput)));
        assert!(!state.encoder.is_waiting && state.encoder.trouble.is_some());
        assert_eq!(state.encoder.view.brought.as_deref(), Some("mine.onnx"));
    }

    #[test]
    fn each_new_engine_hears_that_the_transformer_is_off() {
        let mut state = State::default();
        assert!(state.tell_close_reading().is_empty());
        let told = state.read_closely(false);
        assert_eq!(state.tell_close_reading(), told);
        state.read_closely(true);
        assert!(state.tell_close_reading().is_empty());
    }
}
