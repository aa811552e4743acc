//! Rendering in parts. A browser compiles functions when they are first called and lays out
//! whatever is new, so too much in one task blocks the page.

use std::time::Duration;

use leptos::prelude::*;

/// How many parts to render: one at first, then one more per task. `of` returns the name of what
/// the parts belong to and their number. A new name starts over; more parts of the same name
/// continue.
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
            // The view that showed the parts may be gone by then.
            let more = move || _ = last.try_set((name, made + 1));
            set_timeout(more, Duration::ZERO);
        }
    });
    made
}

/// Renders after the first view what is not visible at once.
#[component]
pub fn Later(children: ChildrenFn) -> impl IntoView {
    let made = growing(|| (0, 2));
    view! { <Show when=move || made.get() == 2>{children()}</Show> }
}
