//! How archives, folders and exported conversations come in: dropped anywhere on the page, or
//! picked.

use leptos::ev::DragEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::platform::files::{self, Chosen, FilesError, Kind, LocalFile};
use crate::state::{Opening, Purpose, State, Store};
use crate::worker::client::Parcel;
use crate::worker::encoder_protocol::PoolingView;

#[derive(Clone, Copy)]
pub struct Intake {
    store: Store,
    /// How many elements the dragged item has entered and not left; above 0 it is over the page.
    entered: RwSignal<i32>,
}

impl Intake {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            entered: RwSignal::new(0),
        }
    }

    pub fn is_dragged_over(&self) -> bool {
        self.entered.get() > 0
    }

    pub fn drag_enter(&self, event: &DragEvent) {
        event.prevent_default();
        self.entered.update(|entered| *entered += 1);
    }

    pub fn drag_leave(&self) {
        self.entered
            .update(|entered| *entered = (*entered - 1).max(0));
    }

    pub fn drop(&self, event: &DragEvent) {
        event.prevent_default();
        self.entered.set(0);
        let Some(data) = event.data_transfer() else {
            return;
        };
        let intake = *self;
        // Read from the event now: the browser empties it afterwards.
        let chosen = files::dropped(&data);
        // Listing a folder takes a while.
        let opening = match files::holds_folder(&data) {
            true => self.store.begin_open("what you dropped"),
            false => None,
        };
        spawn_local(async move {
            let chosen = chosen.await;
            if opening.is_none_or(|opening| intake.store.is_current(opening)) {
                intake.take(chosen, opening).await;
            }
        });
    }

    /// Opens what an `input type=file` holds.
    pub fn pick(&self, input: NodeRef<html::Input>) {
        let Some(input) = input.get_untracked() else {
            return;
        };
        // Closing the browser's dialog without choosing is not an error.
        if input.files().is_some_and(|files| files.length() > 0) {
            let (intake, chosen) = (*self, files::picked(&input));
            spawn_local(async move { intake.take(chosen, None).await });
            // Lets choosing the same file again count as a change.
            input.set_value("");
        }
    }

    /// Imports the conversation in an `input type=file`.
    pub fn pick_conversation(&self, input: NodeRef<html::Input>) {
        if let Some(input) = input.get_untracked()
            && let Some(file) = files::first(&input)
        {
            self.import(file);
            // Lets choosing the same file again count as a change.
            input.set_value("");
        }
    }

    /// Loads the two files of a language model in an `input type=file`.
    pub fn pick_model(&self, input: NodeRef<html::Input>, keep: bool) {
        match model_files(input) {
            Some(Some((onnx, tokenizer))) => {
                let parcel = Parcel::code_model(onnx, tokenizer, keep);
                self.store.hand_over(Purpose::CodeModel, parcel);
                self.store.change(State::awaits_model);
            }
            Some(None) => {
                self.store.change(State::not_a_model);
            }
            None => {}
        }
    }

    /// Loads the two files of an encoder in an `input type=file`.
    pub fn pick_encoder(&self, input: NodeRef<html::Input>, pooling: PoolingView, keep: bool) {
        match model_files(input) {
            Some(Some((onnx, tokenizer))) => {
                let parcel = Parcel::encoder(onnx, tokenizer, pooling, keep);
                self.store.hand_over(Purpose::Encoder, parcel);
                self.store.change(State::awaits_encoder);
            }
            Some(None) => {
                self.store.change(State::not_an_encoder);
            }
            None => {}
        }
    }

    /// Opens the question set in an `input type=file`, or adds it to the present one.
    pub fn pick_questions(&self, input: NodeRef<html::Input>, adds: bool) {
        if let Some(input) = input.get_untracked()
            && let Some(file) = files::first(&input)
        {
            self.store
                .hand_over(Purpose::Lab, Parcel::questions(file, adds));
            self.store.change(State::awaits_questions);
            // Lets choosing the same file again count as a change.
            input.set_value("");
        }
    }

    /// Opens the teaching file in an `input type=file`.
    pub fn pick_teaching(&self, input: NodeRef<html::Input>) {
        if let Some(input) = input.get_untracked()
            && let Some(file) = files::first(&input)
        {
            self.store.hand_over(Purpose::Lab, Parcel::teaching(file));
            self.store.change(State::awaits_lab_file);
            // Lets choosing the same file again count as a change.
            input.set_value("");
        }
    }

    /// Opens the file of descriptions in an `input type=file`.
    pub fn pick_descriptions(&self, input: NodeRef<html::Input>) {
        if let Some(input) = input.get_untracked()
            && let Some(file) = files::first(&input)
        {
            self.store
                .hand_over(Purpose::Lab, Parcel::descriptions(file));
            self.store.change(State::awaits_lab_file);
            // Lets choosing the same file again count as a change.
            input.set_value("");
        }
    }

    /// Opens the review files in an `input type=file`.
    pub fn pick_reviews(&self, input: NodeRef<html::Input>) {
        if let Some(input) = input.get_untracked() {
            let files = files::all(&input);
            if !files.is_empty() {
                self.store
                    .hand_over(Purpose::Review, Parcel::reviews(files));
            }
            // Lets choosing the same files again count as a change.
            input.set_value("");
        }
    }

    /// Opens the key to blind answers in an `input type=file`.
    pub fn pick_key(&self, input: NodeRef<html::Input>) {
        if let Some(input) = input.get_untracked()
            && let Some(file) = files::first(&input)
        {
            self.store.hand_over(Purpose::Review, Parcel::key(file));
            // Lets choosing the same file again count as a change.
            input.set_value("");
        }
    }

    fn import(&self, file: LocalFile) {
        self.store.hand_over(Purpose::Import, Parcel::import(file));
    }

    /// Opens the choice as what it turns out to be. Unreadable files are refused before
    /// anything is put aside for them; `opening` is the opening for which something was put aside
    /// already.
    async fn take(self, chosen: Result<Chosen, FilesError>, opening: Option<Opening>) {
        match chosen {
            Ok(Chosen::Archive(file)) => match files::kind(&file).await {
                Kind::Archive => self.open(Chosen::Archive(file)),
                Kind::Conversation => self.import(file),
                Kind::Lesson => {
                    self.store.hand_over(Purpose::Lesson, Parcel::lesson(file));
                }
                Kind::Other => {
                    let notice = State::not_an_archive(file.path);
                    self.store.change(|state| state.refuse(notice));
                }
            },
            Ok(folder) => self.open(folder),
            Err(error) => {
                let notice = State::bad_input(error.to_string());
                let now = self.store.now();
                self.store.act(|state| match opening {
                    Some(opening) => state.cannot_open(opening, notice, now),
                    None => {
                        state.refuse(notice);
                        Vec::new()
                    }
                });
            }
        }
    }

    fn open(&self, chosen: Chosen) {
        let name = match &chosen {
            Chosen::Archive(file) => file.path.clone(),
            Chosen::Folder { name, .. } => name.clone(),
        };
        if self.store.begin_open(&name).is_some() {
            let choose = self.store.peek(|state| state.choose_first);
            self.store
                .hand_over(Purpose::Open, Parcel::open(chosen, choose));
        }
    }
}

/// The ONNX file and the tokeniser in an `input type=file`: `None` if no file was chosen,
/// `Some(None)` if the files are others.
fn model_files(input: NodeRef<html::Input>) -> Option<Option<(LocalFile, LocalFile)>> {
    let input = input.get_untracked()?;
    let files = files::all(&input);
    if files.is_empty() {
        return None;
    }
    // Lets choosing the same files again count as a change.
    input.set_value("");
    let ending = |ending: &str| {
        let is_it = |file: &&LocalFile| file.path.to_lowercase().ends_with(ending);
        files.iter().find(is_it).cloned()
    };
    Some(ending(".onnx").zip(ending(".json")))
}

/// A file input that looks like a button: reachable by keyboard, and a real input for scripts.
#[component]
pub fn Picker(
    label: &'static str,
    class: &'static str,
    /// Picks a folder instead of a file.
    #[prop(optional)]
    is_folder: bool,
    children: Children,
) -> impl IntoView {
    let intake = super::desk().intake;
    let input = NodeRef::<html::Input>::new();
    Effect::new(move |_| {
        if let Some(input) = input.get() {
            input.set_webkitdirectory(is_folder);
        }
    });
    view! {
        <label class=format!("picker {class}")>
            <input type="file" aria-label=label title=label node_ref=input on:change=move |_| intake.pick(input)/>
            {children()}
        </label>
    }
}
