use std::sync::Arc;

use super::*;
use crate::embed::table::tests::encoder;
use crate::index::TableJob;
use crate::index::tests::whole_index;
use crate::job::run_to_end;

const SHOP: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "from shop.prices import total\nimport os.path\n\n\nclass Cart:\n    def add_item(self, \
         item):\n        \"\"\"Adds an item to the cart.\"\"\"\n        self.items.append(item)\n",
    ),
    (
        "tests/test_cart.py",
        "def test_add_item():\n    Cart().add_item(1)\n",
    ),
];
const MAIL: &[(&str, &str)] = &[(
    "mail/send.py",
    "from shop.cart import Cart\n\n\ndef send_message(message):\n    \"\"\"Sends a message by \
     SMTP.\"\"\"\n    server.send(message)\n\n\nclass Cart:\n    pass\n",
)];

fn member(name: &str, files: &[(&str, &str)], encoder: Option<&Arc<TableEncoder>>) -> Member {
    let index = Arc::new(whole_index(name, files));
    if let Some(encoder) = encoder {
        let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::clone(encoder)));
        index.set_table(table);
    }
    Member::of(&index)
}

fn asked(members: &[&Member], text: &str, encoder: Option<&TableEncoder>) -> Vec<String> {
    let question = Question::new(text).unwrap();
    let found = search(members, &question, encoder, 10);
    let said = |hit: &AcrossHit| {
        let member = members[hit.member];
        let place = member.place(hit.chunk).unwrap();
        format!("{} {}:{}", member.name(), place.path, place.lines.start().0)
    };
    found.hits.iter().map(said).collect()
}

#[test]
fn the_repository_and_the_part_that_answer_come_first() {
    let encoder = Arc::new(encoder());
    let shop = member("shop-1.0", SHOP, Some(&encoder));
    let mail = member("mail-2.0", MAIL, Some(&encoder));
    for encoder in [None, Some(&*encoder)] {
        let found = asked(
            &[&mail, &shop],
            "how is an item added to the cart?",
            encoder,
        );
        assert_eq!(found[0], "shop-1.0 shop/cart.py:5", "{found:?}");
        let found = asked(&[&shop, &mail], "where are messages sent by SMTP?", encoder);
        assert_eq!(found[0], "mail-2.0 mail/send.py:4", "{found:?}");
    }
}

#[test]
fn members_are_ranked_by_their_hits_and_all_of_them_count() {
    let (shop, mail) = (member("shop", SHOP, None), member("mail", MAIL, None));
    let question = Question::new("cart item").unwrap();
    let found = search(&[&mail, &shop], &question, None, 1);
    assert_eq!(found.hits.len(), 1);
    let order: Vec<usize> = found.members.iter().map(|(member, _)| *member).collect();
    assert_eq!(order, [1, 0]);
}

#[test]
fn tests_come_after_the_code_unless_the_question_asks_for_them() {
    let shop = member("shop", SHOP, None);
    let found = asked(&[&shop], "add_item", None);
    assert_eq!(found.len(), 2);
    assert!(found[0].contains("shop/cart.py"), "{found:?}");
    let found = asked(&[&shop], "which tests test_add_item?", None);
    assert!(found[0].contains("tests/test_cart.py"), "{found:?}");
}

#[test]
fn a_repository_that_is_not_given_changes_no_score() {
    let (shop, mail) = (member("shop", SHOP, None), member("mail", MAIL, None));
    let question = Question::new("cart of a message").unwrap();
    let alone = search(&[&shop], &question, None, 10);
    let both = search(&[&shop, &mail], &question, None, 10);
    assert_ne!(alone.members, both.members);
    assert_eq!(alone, search(&[&shop], &question, None, 10));
}

#[test]
fn vectors_of_another_encoder_are_not_compared() {
    let ours = Arc::new(encoder());
    let mut shop = member("shop", SHOP, Some(&ours));
    let question = Question::new("purchase basket").unwrap();
    assert!(!search(&[&shop], &question, Some(&ours), 10).hits.is_empty());
    if let Some(table) = &mut shop.table {
        table.id = "another".to_owned();
    }
    assert!(search(&[&shop], &question, Some(&ours), 10).hits.is_empty());
}

#[test]
fn no_members_have_no_hits() {
    let question = Question::new("anything").unwrap();
    assert_eq!(
        search(&[], &question, Some(&encoder()), 10),
        AcrossHits::default()
    );
}

#[test]
fn definitions_are_found_by_their_name_with_and_without_owners() {
    let shop = member("shop", SHOP, None);
    for (name, expected) in [
        ("add_item", 1),
        ("Cart.add_item", 1),
        ("Cart::add_item", 1),
        ("art.add_item", 0),
        ("Cart", 1),
        ("cart", 0),
        ("", 0),
        ("Basket.add_item", 0),
    ] {
        assert_eq!(shop.definitions(name).count(), expected, "{name}");
    }
    let place = shop.definitions("add_item").next().unwrap();
    assert_eq!((place.path, place.kind), ("shop/cart.py", "method"));
    assert_eq!(place.symbol, Some("Cart.add_item"));
    assert_eq!((place.lines.start().0, place.lines.end().0), (6, 8));
}

#[test]
fn imports_are_found_by_module_and_by_imported_name() {
    let (shop, mail) = (member("shop", SHOP, None), member("mail", MAIL, None));
    for (member, module, expected) in [
        (&mail, "shop.cart", 1),
        (&mail, "shop.cart.Cart", 1),
        (&mail, "shop", 1),
        (&mail, "sho", 0),
        (&shop, "shop.prices", 1),
        (&shop, "os", 1),
        (&shop, "shop.cart", 0),
    ] {
        assert_eq!(member.imports(module).count(), expected, "{module}");
    }
    let place = mail.imports("shop.cart").next().unwrap();
    assert_eq!((place.path, place.lines.start().0), ("mail/send.py", 1));
    assert_eq!(place.kind, "import");
}
