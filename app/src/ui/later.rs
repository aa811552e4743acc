//! What is not made at once: a browser compiles functions when they are first called and lays out
//! whatever is new, so that much in one task keeps the page from answering.

use std::time::Duration;

use leptos::prelude::*;

/// How many parts are to be there: one at first, then one more in each task. `of` names what the
/// parts belong to and says how many there are; another name begins anew, more parts of the same go
/// on.
pub fn growing(of: impl Fn() -> (u64, usize) + Copy + Send + Sync + 'static) -> Memo<usize> {
    let last = RwSignal::new((0, 1));
    let made = Memo::new(move |_| {
        let (name, total) = of();
        let (known, made) = last.get();
        total.min(if known == name { made } else { 1 })
    });
    Effect::new(move |_| {
        let ((name, total), made) = (of(), made.get());
        if made < total {
            // Whoever showed the parts may be gone by then.
            let more = move || _ = last.try_set((name, made + 1));
            set_timeout(more, Duration::ZERO);
        }
    });
    made
}

/// Makes what is not seen at once, behind the first view.
#[component]
pub fn Later(children: ChildrenFn) -> impl IntoView {
    let made = growing(|| (0, 2));
    view! { <Show when=move || made.get() == 2>{children()}</Show> }
}
