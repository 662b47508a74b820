//! Where the items of an answer are.

use crate::codec::json::{Span, Text, Unread};

/// The answers that hold items, by what leads to these.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape {
    /// GetItem.
    Item,
    /// Query and Scan.
    Items,
    /// The writes: the item before or after.
    Attributes,
    /// BatchGetItem: a list for each table.
    Tables,
    /// TransactGetItems: an item, or none, for each key.
    Answers,
}

impl Shape {
    fn member(self) -> &'static str {
        match self {
            Shape::Item => "Item",
            Shape::Items => "Items",
            Shape::Attributes => "Attributes",
            Shape::Tables | Shape::Answers => "Responses",
        }
    }

    /// What stands where items were: an empty map, of a list one of them, so that a list without any
    /// is another answer.
    fn gap(self) -> &'static str {
        match self {
            Shape::Item | Shape::Attributes | Shape::Answers => "{}",
            Shape::Items | Shape::Tables => "[{}]",
        }
    }

    /// Hands each item to `read`, which passes it, with how many there are as far as is known. The
    /// parts of the body in front of the items, between them and behind them; an answer without any
    /// is not looked through.
    pub(super) fn look_through<'a>(
        self,
        body: &'a str,
        mut read: impl FnMut(&mut Text<'a>, usize) -> Result<(), Unread>,
    ) -> Result<Vec<Span>, Unread> {
        let mut text = Text::new(body);
        let (mut count, mut gaps) = (0, Vec::new());
        let mut is_first = true;
        text.space();
        text.enter(b'{')?;
        while let Some(name) = text.name(&mut is_first)? {
            if name == "Count" {
                count = text.count();
            } else if name == self.member() {
                if !gaps.is_empty() {
                    return Err(Unread);
                }
                let mut gap = |text: &mut Text<'a>, is_list| {
                    let start = text.at();
                    match is_list {
                        true => {
                            text.enter(b'[')?;
                            let mut is_first = true;
                            while text.element(&mut is_first)? {
                                read(text, count)?;
                            }
                        }
                        false => read(text, 1)?,
                    }
                    gaps.push(Span { start, end: text.at() });
                    Ok(())
                };
                match self {
                    Shape::Item | Shape::Attributes => gap(&mut text, false)?,
                    Shape::Items => gap(&mut text, true)?,
                    Shape::Tables => {
                        text.enter(b'{')?;
                        let (mut is_first, mut names) = (true, Vec::new());
                        while let Some(name) = text.name(&mut is_first)? {
                            if names.contains(&name) {
                                return Err(Unread);
                            }
                            names.push(name);
                            gap(&mut text, true)?;
                        }
                    }
                    Shape::Answers => {
                        text.enter(b'[')?;
                        let mut is_first = true;
                        while text.element(&mut is_first)? {
                            text.enter(b'{')?;
                            let (mut is_first, mut is_there) = (true, false);
                            while let Some(name) = text.name(&mut is_first)? {
                                if is_there || name != "Item" {
                                    return Err(Unread);
                                }
                                gap(&mut text, false)?;
                                is_there = true;
                            }
                        }
                    }
                }
                continue;
            }
            text.skip_json()?;
        }
        if gaps.is_empty() {
            return Err(Unread);
        }
        let ends = gaps.iter().map(|gap| gap.end);
        let starts = std::iter::once(0).chain(ends).zip(gaps.iter().map(|gap| gap.start));
        let mut parts: Vec<_> = starts.map(|(start, end)| Span { start, end }).collect();
        parts.push(Span { start: gaps.last().map_or(0, |gap| gap.end), end: body.len() });
        Ok(parts)
    }

    /// The body without its items.
    pub(super) fn rest(self, body: &str, parts: &[Span]) -> Option<String> {
        let parts: Option<Vec<&str>> =
            parts.iter().map(|part| body.get(part.start..part.end)).collect();
        Some(parts?.join(self.gap()))
    }
}
