use monotable::ItemCollection;

#[derive(ItemCollection)]
struct Page {
    order: String,
}

fn main() {}
