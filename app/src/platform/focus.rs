//! Where the keyboard is.

/// Whether what is typed goes into a text field.
pub fn is_in_text_field() -> bool {
    let focused = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.active_element());
    focused.is_some_and(|element| {
        let is_choice = matches!(
            element.get_attribute("type").as_deref(),
            Some("radio" | "checkbox" | "file" | "button" | "submit")
        );
        match element.tag_name().as_str() {
            "TEXTAREA" | "SELECT" => true,
            "INPUT" => !is_choice,
            _ => false,
        }
    })
}
