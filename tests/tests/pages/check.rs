//! Every way to read one query, against the answer.

use std::fmt::Debug;

use monotable::op::{Page, Query};
use monotable::{Cursor, Holds, Keys, Whole};

use super::oracle::{Settings, Sort};
use super::post::Post;

/// A query that can be asked again and again.
pub(super) struct Question<'a, I> {
    /// With direction and filter, without limit and page size.
    pub(super) query: Box<dyn Fn() -> Query<Post, I> + 'a>,
    pub(super) settings: Settings,
    pub(super) answer: Vec<&'a Post>,
    pub(super) sort: fn(&Post) -> Sort,
}

type Checked = Result<(), String>;

fn same<T: PartialEq + Debug>(what: &str, found: T, right: T) -> Checked {
    if found == right { Ok(()) } else { Err(format!("{what}: {found:?}, not {right:?}")) }
}

impl<I: Holds<Whole> + Holds<Keys> + 'static> Question<'_, I> {
    /// `which` chooses what is looked at beside `all`.
    pub(super) async fn check(&self, which: usize) -> Checked {
        let all = (self.query)().all().await.map_err(|error| format!("all: {error}"))?;
        self.is_answer(&all)?;
        let checked = match which % 5 {
            0 => self.terminals(&all).await,
            1 => self.limited_pages(&all).await,
            2 => self.unlimited_pages(&all).await,
            3 => self.page_budget(&all).await,
            _ => self.after(&all).await,
        };
        checked.map_err(|problem| format!("{problem}\nall: {all:?}"))
    }

    /// The same items, in an order of their sort keys.
    fn is_answer(&self, all: &[Post]) -> Checked {
        let sorts = |items: &mut dyn Iterator<Item = &Post>| -> Vec<Sort> {
            items.map(|post| (self.sort)(post)).collect()
        };
        same("order", sorts(&mut all.iter()), sorts(&mut self.answer.iter().copied()))?;
        let ids = |items: &mut dyn Iterator<Item = &Post>| -> Vec<String> {
            let mut ids: Vec<_> = items.map(|post| format!("{post:?}")).collect();
            ids.sort();
            ids
        };
        same("items", ids(&mut all.iter()), ids(&mut self.answer.iter().copied()))
    }

    async fn terminals(&self, all: &[Post]) -> Checked {
        let Settings { limit, page_size, .. } = self.settings;
        let some = &all[..limit.min(all.len())];
        let query = || (self.query)().page_size(page_size);
        let count = |items: &[Post]| u64::try_from(items.len()).unwrap();
        same("count", query().count().await.unwrap(), count(all))?;
        same("count with limit", query().limit(limit).count().await.unwrap(), count(some))?;
        same("first", query().first().await.unwrap().as_ref(), all.first())?;
        same("send with limit", &query().limit(limit).send().await.unwrap().items[..], some)?;
        same("all with limit", &query().limit(limit).all().await.unwrap()[..], some)?;
        same("all by pages", &query().all().await.unwrap()[..], all)?;
        let keys: Vec<_> = some.iter().map(monotable::Entity::key).collect();
        same("keys", query().keys().limit(limit).all().await.unwrap(), keys)?;
        let mut stream = query().limit(limit).stream();
        let mut streamed = Vec::new();
        while let Some(post) = stream.try_next().await.unwrap() {
            streamed.push(post);
        }
        same("stream", &streamed[..], some)?;
        match (query().one().await, all) {
            (Ok(post), [only]) => same("one", &post, only),
            (Err(error), []) => same("one of none", error.is_item_missing(), true),
            (Err(error), [_, _, ..]) => same("one of several", error.is_more_than_one(), true),
            (other, _) => Err(format!("one: {other:?}")),
        }
    }

    /// Pages of `limit` items: full but for the last, back item for item, whatever the page size.
    async fn limited_pages(&self, all: &[Post]) -> Checked {
        let Settings { limit, page_size, .. } = self.settings;
        let query = || (self.query)().page_size(page_size).limit(limit);
        let pages = forward(query).await?;
        let mut wanted: Vec<&[Post]> = all.chunks(limit).collect();
        // The page behind an exactly full last one is empty, and may or may not be there.
        if pages.len() > wanted.len() {
            wanted.push(&[]);
        }
        same("pages", items(&pages), wanted.clone())?;
        self.back(query, &pages, wanted.len()).await
    }

    /// Pages of `page_size` items read, before the filter: whatever their sizes, nothing is lost.
    async fn unlimited_pages(&self, all: &[Post]) -> Checked {
        let query = || (self.query)().page_size(self.settings.page_size);
        let pages = forward(query).await?;
        same(
            "pages together",
            pages.iter().flat_map(|page| &page.items).collect(),
            all.iter().collect::<Vec<_>>(),
        )?;
        // Back from the last page, everything in front of it.
        let Some(last) = pages.last() else { return Ok(()) };
        let mut before = Vec::new();
        let mut previous = travel(last.previous.as_ref());
        while let Some(cursor) = previous {
            let page = query().cursor(cursor).send().await.map_err(|error| error.to_string())?;
            before.splice(0..0, page.items);
            previous = travel(page.previous.as_ref());
        }
        let right = &all[..all.len() - last.items.len()];
        same("pages back together", &before[..], right)
    }

    /// With one page a partition and send, pages are at most full, and all together are the answer.
    async fn page_budget(&self, all: &[Post]) -> Checked {
        let Settings { limit, page_size, .. } = self.settings;
        let pages =
            forward(|| (self.query)().page_size(page_size).limit(limit).max_pages(1)).await?;
        same("within the limit", pages.iter().all(|page| page.items.len() <= limit), true)?;
        same(
            "together",
            pages.iter().flat_map(|page| &page.items).collect(),
            all.iter().collect::<Vec<_>>(),
        )
    }

    async fn after(&self, all: &[Post]) -> Checked {
        let Settings { limit, page_size, after, .. } = self.settings;
        let Some(post) = all.get(after) else { return Ok(()) };
        let query = || (self.query)().after(post).page_size(page_size);
        let rest = &all[after + 1..];
        same("all after", &query().all().await.unwrap()[..], rest)?;
        same("count after", query().count().await.unwrap(), rest.len() as u64)?;
        let page = query().limit(limit).send().await.unwrap();
        same("page after", &page.items[..], &rest[..limit.min(rest.len())])?;
        // On with its cursor, and back to what is in front of it.
        if let Some(next) = travel(page.next.as_ref()) {
            let next = (self.query)().limit(limit).cursor(next).send().await.unwrap();
            let right = &rest[page.items.len()..];
            same("page behind it", &next.items[..], &right[..limit.min(right.len())])?;
        }
        let previous = travel(page.previous.as_ref()).ok_or("no previous")?;
        let back = (self.query)().limit(limit).cursor(previous).send().await.unwrap();
        let begin = (after + 1).saturating_sub(limit);
        same("page in front of it", &back.items[..], &all[begin..=after])
    }

    /// From each page to the one before: the same items, and the way on again.
    async fn back(
        &self,
        query: impl Fn() -> Query<Post, I>,
        pages: &[Page<Post>],
        count: usize,
    ) -> Checked {
        for at in (1..count).rev() {
            let previous = travel(pages[at].previous.as_ref()).ok_or("no previous")?;
            let page = query().cursor(previous).send().await.map_err(|error| error.to_string())?;
            same("page back", &page.items, &pages[at - 1].items)?;
            let next = travel(page.next.as_ref()).ok_or("no next on a page back")?;
            let again = query().cursor(next).send().await.map_err(|error| error.to_string())?;
            same("and on again", &again.items, &pages[at].items)?;
            if at == 1 {
                // In front of the first page is nothing; DynamoDB may not know it yet.
                if let Some(before) = travel(page.previous.as_ref()) {
                    let before = query().cursor(before).send().await.unwrap();
                    same(
                        "in front of the first",
                        (before.items.len(), before.previous),
                        (0, None),
                    )?;
                }
            }
        }
        same("previous of the first", pages[0].previous.as_ref(), None)
    }
}

/// Every page, by cursors that travel as text.
async fn forward<I: Holds<Whole> + 'static>(
    query: impl Fn() -> Query<Post, I>,
) -> Result<Vec<Page<Post>>, String> {
    let (mut pages, mut cursor): (Vec<Page<Post>>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let page = query().cursor(cursor).send().await.map_err(|error| error.to_string())?;
        cursor = travel(page.next.as_ref());
        pages.push(page);
        if cursor.is_none() {
            return Ok(pages);
        }
        if pages.len() > 200 {
            return Err("the pages do not end".to_owned());
        }
    }
}

fn items(pages: &[Page<Post>]) -> Vec<&[Post]> {
    pages.iter().map(|page| &page.items[..]).collect()
}

/// To a client and back.
fn travel(cursor: Option<&Cursor>) -> Option<Cursor> {
    cursor.map(|cursor| cursor.to_string().parse().unwrap())
}
