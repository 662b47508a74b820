//! A forum: threads and their posts in one table; a dashboard over an index of several plain
//! attributes, and memberships read from both sides by an inverted index.
//!
//! `cargo run --example forum`
#![allow(clippy::print_stdout)]

use chrono::NaiveDate;
use monotable::{Entity, Error, ItemCollection, KeyPart, Projection, Table, testing::Embedded};
use serde::{Deserialize, Serialize};

/// `board` is an index of fields as they are: no key strings, and no attribute of its own. `inverted`
/// has the table's own keys the other way round.
#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Thread, Post, Member))]
#[gsi(board, pk = ["forum", "state"], sk = ["priority", "last_post", "id"])]
#[gsi(inverted, pk = "SK", sk = "PK", projection = keys_only)]
struct Forum;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
enum State {
    Open,
    Answered,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
enum Priority {
    High,
    Normal,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Forum, pk = "THREAD#<id>", sk = "THREAD#<id>")]
#[index(board, pk = ["<forum>", "<state>"], sk = ["<priority>", "<last_post>", "<id>"])]
struct Thread {
    id: String,
    forum: String,
    state: State,
    priority: Priority,
    last_post: NaiveDate,
    title: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Forum, pk = "THREAD#<thread>", sk = "POST#<number:6>")]
struct Post {
    thread: String,
    number: u32,
    author: String,
    text: String,
}

/// Who follows which forum: by forum on the table, by user on the inverted index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Forum, pk = "FORUM#<forum_name>", sk = "USER#<user>")]
#[index(inverted, pk = "USER#<user>", sk = "FORUM#<forum_name>")]
struct Member {
    forum_name: String,
    user: String,
    since: NaiveDate,
}

/// A page of a thread, as one reads it.
#[derive(Debug, PartialEq, ItemCollection)]
#[collection(table = Forum, pk = "THREAD#<thread>")]
struct Page {
    thread: Thread,
    posts: Vec<Post>,
}

/// What the dashboard shows.
#[derive(Debug, PartialEq, Deserialize, Projection)]
#[projection(entity = Thread)]
struct Line {
    id: String,
    title: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let forum: Table<Forum> = engine.table("forum").await?;
    seed(&forum).await?;

    // The partition key has two attributes, the sort key three, which narrow from the left.
    let urgent = Thread::by_forum_and_state("rust", State::Open).priority(Priority::High);
    println!("{}\n", forum.query(urgent.clone()).select::<Line>().explain()?);
    let since = urgent.last_post_range(day(10)..);
    let lines = forum.query(since).descending().select::<Line>().all().await?;
    let titles: Vec<_> = lines.iter().map(|line| line.title.as_str()).collect();
    assert_eq!(titles, ["Lifetimes again", "Async and Drop"]);

    // Answering changes the fields, and so the place in the index: there is no key to forget.
    let thread = forum.get(Thread::key("t1")).send().await?.ok_or("the thread is there")?;
    forum
        .update(&thread)
        .change(|t| (t.state.set(State::Answered), t.last_post.set(day(20))))
        .send()
        .await?;
    let open = Thread::by_forum_and_state("rust", State::Open);
    let answered = Thread::by_forum_and_state("rust", State::Answered);
    assert_eq!(forum.query(open).count().await?, 2);
    assert_eq!(forum.query(answered).one().await?.id, "t1");

    // The header and the latest two posts: one Query each, and no other post is read.
    let latest = forum.collection(Page::by_thread("t1")).descending().limit_of::<Post>(2);
    println!("{}\n", latest.explain()?);
    let page = latest.send().await?.ok_or("the thread is there")?;
    let numbers: Vec<_> = page.posts.iter().map(|post| post.number).collect();
    assert_eq!((page.thread.title.as_str(), numbers), ("Borrowing", vec![5, 4]));

    // Both sides of a membership, stored once.
    let users = forum.query(Member::by_forum_name("rust")).all().await?;
    assert_eq!(users.iter().map(|member| &*member.user).collect::<Vec<_>>(), ["ana", "bo"]);
    let of_ana = forum.query(Member::by_user("ana"));
    println!("{}\n", of_ana.explain()?);
    let keys = of_ana.keys().all().await?;
    assert_eq!(keys, [Member::key("aws", "ana"), Member::key("rust", "ana")]);
    // The index has keys only; the items come from the table, in its order.
    let forums = forum.query(Member::by_user("ana")).hydrate().all().await?;
    let since: Vec<_> =
        forums.into_iter().filter_map(|found| found.found()).map(|member| member.since).collect();
    assert_eq!(since, [day(2), day(1)]);

    println!("a forum: one index of plain fields, one of the table's own keys");
    Ok(())
}

async fn seed(forum: &Table<Forum>) -> Result<(), Error> {
    let thread = |id: &str, priority, last_post, title: &str| Thread {
        id: id.into(),
        forum: "rust".into(),
        state: State::Open,
        priority,
        last_post,
        title: title.into(),
    };
    let post = |number| Post {
        thread: "t1".into(),
        number,
        author: "ana".into(),
        text: format!("post number {number}"),
    };
    let member = |forum_name: &str, user: &str, since| Member {
        forum_name: forum_name.into(),
        user: user.into(),
        since,
    };
    forum
        .batch_write()
        .put(&thread("t1", Priority::High, day(9), "Borrowing"))
        .put(&thread("t2", Priority::High, day(12), "Async and Drop"))
        .put(&thread("t3", Priority::High, day(14), "Lifetimes again"))
        .put_all(&(1..=5).map(post).collect::<Vec<_>>())
        .put(&member("rust", "ana", day(1)))
        .put(&member("rust", "bo", day(3)))
        .put(&member("aws", "ana", day(2)))
        .send()
        .await
}

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 9, day).expect("a day of September")
}
