//! Requests and events between page and engine, as messages. A request travels as `[head, body]`:
//! the head is its bytes, the body the files that belong to it, which the browser passes on unread.
//! An event travels as bytes; an empty message is the engine's sign of life.

use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};

use super::protocol::{JobId, Request, Told};
use super::wire::{WireError, decode, encode};

/// Returns a request as a message, and the buffers in it that are transferred instead of copied.
pub fn request_message(
    job: JobId,
    request: &Request,
    body: &JsValue,
) -> Result<(Array, Array), WireError> {
    let head = Uint8Array::from(encode(&(job, request))?.as_slice());
    let transfer = Array::of1(&head.buffer());
    Ok((Array::of2(&head, body), transfer))
}

/// Decodes a message into its request and body.
pub fn read_request(message: &JsValue) -> Result<(JobId, Request, JsValue), WireError> {
    let parts: &Array = message
        .dyn_ref()
        .ok_or_else(|| WireError("not a list".to_owned()))?;
    let head: Uint8Array = parts
        .get(0)
        .dyn_into()
        .map_err(|_| WireError("no head".to_owned()))?;
    let (job, request) = decode(&head.to_vec())?;
    Ok((job, request, parts.get(1)))
}

/// Decodes the event of a message; `None` is a sign of life.
pub fn read_event(message: &JsValue) -> Result<Option<Told>, WireError> {
    let bytes: &Uint8Array = message
        .dyn_ref()
        .ok_or_else(|| WireError("not bytes".to_owned()))?;
    if bytes.length() == 0 {
        return Ok(None);
    }
    decode(&bytes.to_vec()).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::{
        AnswerFileView, AnswerView, AskRequest, CheckView, ConversationId, EncoderView, Event,
        EvidenceView, FitView, FootnoteView, ItemView, Notice, NoticeKind, OpenEvent, OpenRequest,
        Part, PartView, ProgressView, SourceRequest, SpanView, Stage, StatementView,
        VectorsRequest, VectorsView,
    };
    use proptest::prelude::*;

    fn requests() -> impl Strategy<Value = Request> {
        prop_oneof![
            Just(OpenRequest::Resume.into()),
            (".*", any::<bool>()).prop_map(|(file_name, choose)| OpenRequest::Archive {
                file_name,
                choose
            }
            .into()),
            (".*", prop::collection::vec(".*", 0..5)).prop_map(|(name, paths)| {
                let choose = true;
                let request = OpenRequest::Folder {
                    name,
                    paths,
                    choose,
                };
                request.into()
            }),
            (".*", any::<u64>()).prop_map(|(question, id)| {
                let conversation = ConversationId(id);
                let request = AskRequest {
                    earlier: vec![question.clone()],
                    pipeline: Some(question.clone()),
                    question,
                    conversation,
                    leave: crate::worker::protocol::QueryLeave::Never,
                };
                request.into()
            }),
            (".*", any::<u32>())
                .prop_map(|(query, limit)| SourceRequest::Symbols { query, limit }.into()),
            any::<bool>().prop_map(|paused| VectorsRequest::Pause { paused }.into()),
            any::<bool>().prop_map(|on| VectorsRequest::ReadClosely { on }.into()),
            any::<u32>().prop_map(|job| Request::Cancel { job: JobId(job) }),
        ]
    }

    fn answers() -> impl Strategy<Value = Event> {
        let statement = (".*", ".*", any::<u32>()).prop_map(|(text, code, number)| StatementView {
            items: vec![ItemView {
                name: code.clone(),
                detail: text.clone(),
                footnote: number,
            }],
            spans: vec![SpanView::Text(text), SpanView::Code(code)],
            footnotes: vec![number],
        });
        let evidence =
            (".*", 1..9_999_u32, ".*", -9.0..9.0_f32).prop_map(|(path, start, excerpt, score)| {
                EvidenceView {
                    path: path.clone(),
                    start,
                    end: start + 1,
                    title: path,
                    score,
                    parts: vec![PartView {
                        name: "bm25".into(),
                        raw: score,
                        weighted: score / 2.0,
                    }],
                    excerpt,
                }
            });
        let footnote = (any::<u32>(), ".*").prop_map(|(number, path)| FootnoteView {
            number,
            path,
            start: number,
            end: number,
            why: "definition".into(),
            check: CheckView::Proven,
            is_imported: false,
        });
        (
            any::<bool>(),
            prop::option::of(".*"),
            prop::collection::vec(statement, 0..4),
            prop::collection::vec(evidence, 0..4),
            prop::collection::vec(footnote, 0..4),
        )
            .prop_map(|(refined, nothing, statements, evidence, footnotes)| {
                Event::Ask(AnswerView {
                    question: "q".into(),
                    asked_at: 1.7e12,
                    refined,
                    asked_as: nothing.clone(),
                    kind: nothing.clone(),
                    fit: FitView::Closest,
                    note: nothing.clone(),
                    nothing,
                    statements,
                    footnotes,
                    evidence,
                    files: vec![AnswerFileView {
                        path: "a".into(),
                        confidence: 0.5,
                    }],
                    milliseconds: 1.5,
                    chunks: 7,
                    compared_by_meaning: 3,
                    written: None,
                    is_imported: false,
                    by: None,
                    asks_first: None,
                })
            })
    }

    fn events() -> impl Strategy<Value = Event> {
        prop_oneof![
            Just(Event::Ready),
            Just(Event::Cancelled),
            answers(),
            (any::<u64>(), any::<u64>(), ".*").prop_map(|(done, total, note)| {
                let view = ProgressView {
                    stage: Stage::Parse,
                    done,
                    total,
                    unit: "files".into(),
                    note,
                };
                OpenEvent::Progress(view).into()
            }),
            (any::<u32>(), prop::option::of(0.0..1e9_f64)).prop_map(|(done, seconds_left)| {
                Event::Vectors(VectorsView {
                    encoder: Box::new(EncoderView {
                        brought: Some("mine.onnx".into()),
                        is_kept: done > 5,
                    }),
                    table_ms: seconds_left,
                    no_table: None,
                    on_demand: false,
                    done,
                    total: done,
                    reused: 0,
                    computed: done,
                    per_second: 0.5,
                    seconds_left,
                    paused: false,
                    failed: None,
                    gpu: None,
                    no_gpu: None,
                })
            }),
            (".*", ".*").prop_map(|(what, next)| {
                Event::Failed(Notice {
                    what,
                    next,
                    kind: NoticeKind::StorageFull,
                })
            }),
        ]
    }

    proptest! {
        #[test]
        fn requests_come_back_as_they_were(job in any::<u32>(), request in requests()) {
            let bytes = encode(&(JobId(job), &request)).unwrap();
            prop_assert_eq!(decode::<(JobId, Request)>(&bytes).unwrap(), (JobId(job), request));
        }

        #[test]
        fn events_come_back_as_they_were(
            job in any::<u32>(),
            is_last in any::<bool>(),
            event in events(),
        ) {
            let part = if is_last { Part::Last } else { Part::More };
            let told = Told { job: JobId(job), part, event };
            let bytes = encode(&told).unwrap();
            prop_assert_eq!(decode::<Told>(&bytes).unwrap(), told);
        }

        #[test]
        fn foreign_bytes_are_an_error_or_an_event_but_never_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
        ) {
            if let Ok(told) = decode::<Told>(&bytes) {
                prop_assert!(encode(&told).is_ok());
            }
        }
    }
}
