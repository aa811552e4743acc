//! Single citations: where they stand in an answer, and the verdict on each.

use super::*;
use crate::index::Index;
use crate::index::tests::whole_index;

fn index() -> Index {
    whole_index(
        "shop-2.1",
        &[
            (
                "src/cart.py",
                "class Cart:\n    def total(self):\n        return sum(self.prices)\n\n    def clear(self):\n        self.prices = []\n",
            ),
            (
                "src/tax.py",
                "RATE = 19\n\n\ndef with_tax(price):\n    return price * (100 + RATE) / 100\n",
            ),
        ],
    )
}

#[test]
fn claims_say_where_they_stand() {
    for (text, expected) in [
        (
            "Sum [src/cart.py:2-3].",
            vec![("[src/cart.py:2-3]", "[src/cart.py:2-3]")],
        ),
        (
            "Sum [src/cart.py:2-3](x#y).",
            vec![("[src/cart.py:2-3](x#y)", "[src/cart.py:2-3](x#y)")],
        ),
        (
            "Sum [a.py:1, b.py:2-3].",
            vec![
                ("a.py:1", "[a.py:1, b.py:2-3]"),
                ("b.py:2-3", "[a.py:1, b.py:2-3]"),
            ],
        ),
        ("Sum `[a.py:1]`.", vec![("`[a.py:1]`", "`[a.py:1]`")]),
        (
            "See `a.py` (line 1) now.",
            vec![("`a.py` (line 1)", "`a.py` (line 1)")],
        ),
        ("See a.py:1.", vec![("a.py:1", "a.py:1")]),
        ("ä “ü” [ö.py:1]", vec![("[ö.py:1]", "[ö.py:1]")]),
        ("See <a.py:1>.", vec![("<a.py:1>", "<a.py:1>")]),
        ("Less (< <<a.py:1>).", vec![("<a.py:1>", "<a.py:1>")]),
        ("See [C:\\a.py:1].", vec![("[C:\\a.py:1]", "[C:\\a.py:1]")]),
    ] {
        let found = find(text);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|claim| (claim.raw.as_str(), &text[claim.bracket.clone()]))
            .collect();
        assert_eq!(found, expected, "{text}");
        for claim in find(text) {
            assert_eq!(&text[claim.at.clone()], claim.raw);
        }
    }
}

#[test]
fn a_claim_is_checked_with_its_statement_or_beside_it() {
    let index = index();
    let everything = Evidence::everything();
    for (statement, expected) in [
        ("`total` sums the prices [src/cart.py:2-3].", "supported"),
        ("`total` sums the prices.", "supported"),
        ("`clear` empties the cart [src/cart.py:2-3].", "repaired"),
        ("`with_tax` adds the tax.", "rejected"),
        (
            "`discount_all` lowers prices [src/cart.py:2-3].",
            "rejected",
        ),
    ] {
        let claim = find("x [src/cart.py:2-3]").remove(0);
        let verdict = check(&index, &everything, &claim, statement).name();
        assert_eq!(verdict, expected, "{statement}");
    }
}

#[test]
fn repairs_and_rejections_say_what_happened() {
    let index = index();
    for (statement, expected) in [
        (
            "`clear` empties it [cart.py:2-3].",
            "Repaired: the shortened path can only mean src/cart.py; what the statement says about the lines is in lines 5-6.",
        ),
        (
            "`clear` empties it [shop/src/cart.py:5-6].",
            "Repaired: inside the repository, the path is src/cart.py.",
        ),
        (
            "`clear` empties it [src/Cart.py:6-5].",
            "Repaired: the path differs from src/cart.py in upper and lower case only; the range was reversed and is read as lines 5-6.",
        ),
        (
            "It is gone [src/gone.py:1].",
            "There is no such file: src/gone.py.",
        ),
        (
            "It ends [src/tax.py:9].",
            "The file has only 5 lines: src/tax.py.",
        ),
        (
            "`RATE` is 7 [src/tax.py:1].",
            "The lines do not contain “7”. The lines have 19, not 7.",
        ),
        (
            "`VAT_RATE` is used [src/tax.py:1].",
            "“VAT_RATE” occurs nowhere in the repository: src/tax.py.",
        ),
        (
            "It is short [src/tax.py:1-].",
            "The citation cannot be read because “1-” is not a range of lines: src/tax.py.",
        ),
        ("`RATE` is 19 [src/tax.py:1].", "Proven: value (line 1)."),
    ] {
        let (atoms, _) = scan::scan(statement, 0..statement.len(), true);
        let checked = check_all(
            &index,
            &Evidence::everything(),
            statement,
            0..statement.len(),
            &atoms,
        );
        let whys: Vec<String> = checked
            .into_iter()
            .map(|(_, checked)| checked.why)
            .collect();
        assert_eq!(whys, [expected], "{statement}");
    }
}
