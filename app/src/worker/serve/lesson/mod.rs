//! Lessons: made from a question, read from a saved file, saved as one.

pub(super) mod formats;
mod html;
mod json;

use std::cell::RefCell;
use std::rc::Rc;

use footnote_core::answer;
use footnote_core::lesson::{self, Lesson, LessonError, MAX_BYTES};
use footnote_core::search::Question;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Blob;

use super::cancel::Cancel;
use super::code_model::CodeModels;
use super::encoders::Encoders;
use super::export;
use super::notices;
use super::reader::PageReader;
use super::services::Services;
use super::shelf::Shelf;
use crate::platform::fetch;
use crate::worker::protocol::{Event, JobId, LessonRequest};

/// Makes, reads and saves lessons.
pub struct Teacher {
    services: Rc<Services>,
    shelf: Rc<Shelf>,
    encoders: Rc<Encoders>,
    code_models: Rc<CodeModels>,
    last: RefCell<Option<Lesson>>,
}

impl Teacher {
    pub fn new(
        services: &Rc<Services>,
        shelf: &Rc<Shelf>,
        encoders: &Rc<Encoders>,
        code_models: &Rc<CodeModels>,
    ) -> Rc<Self> {
        Rc::new(Self {
            services: Rc::clone(services),
            shelf: Rc::clone(shelf),
            encoders: Rc::clone(encoders),
            code_models: Rc::clone(code_models),
            last: RefCell::default(),
        })
    }

    pub async fn serve(&self, job: JobId, request: LessonRequest, body: JsValue, cancel: &Cancel) {
        match request {
            LessonRequest::Make { question } => self.make(job, &question, cancel).await,
            LessonRequest::Read { file_name } => match read(body).await {
                Ok(lesson) => self.tell(job, lesson),
                Err(error) => {
                    let notice = notices::not_a_lesson(&file_name, &error);
                    self.services.fail(job, notice);
                }
            },
            LessonRequest::Export {
                format,
                numbers,
                marked,
            } => {
                let Some(mut lesson) = self.last.borrow().clone() else {
                    return self.services.fail(job, notices::no_lesson());
                };
                lesson.numbers = numbers;
                for (passage, marked) in lesson.passages.iter_mut().zip(marked) {
                    passage.marked = marked;
                }
                self.export(job, &lesson, &format);
            }
        }
    }

    async fn make(&self, job: JobId, text: &str, cancel: &Cancel) {
        let typed = match Question::new(text) {
            Ok(typed) => typed,
            Err(error) => return self.services.fail(job, notices::bad_question(&error)),
        };
        let Some(open) = self.shelf.when_open(job, cancel).await else {
            return;
        };
        let question = answer::resolve(&open.index, &typed, &[]).question;
        let models = (&self.encoders, &self.code_models);
        let reader = PageReader::new(models, &open, None, cancel);
        let lesson = lesson::make(&open.index, &question, &reader).await;
        if !cancel.asked() {
            self.tell(job, lesson);
        }
    }

    fn tell(&self, job: JobId, lesson: Lesson) {
        *self.last.borrow_mut() = Some(lesson.clone());
        self.services.end(job, lesson);
    }

    fn export(&self, job: JobId, lesson: &Lesson, format: &str) {
        let stem = export::stem("lesson", &lesson.question);
        match export::file(&formats::ALL, format, &stem, |write| write(lesson)) {
            Ok(view) => self.services.end(job, Event::Exported(view)),
            Err(error) => self.services.fail(job, notices::not_exported(&error)),
        }
    }
}

/// Reads the lesson in a user's file; an error says why there is none.
async fn read(body: JsValue) -> Result<Lesson, String> {
    let missing = |_| "no file came with it".to_owned();
    let blob: Blob = body.dyn_into().map_err(missing)?;
    if blob.size() > MAX_BYTES as f64 {
        return Err(LessonError::TooLarge.to_string());
    }
    let bytes = fetch::read(&blob).await?;
    Lesson::read(&String::from_utf8_lossy(&bytes)).map_err(|error| error.to_string())
}
