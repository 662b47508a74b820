//! A feed, newest first, over HTTP: posts lie in eight shards of an index, and the pages of the
//! endpoint follow cursors forwards and backwards.
//!
//! ```text
//! GET /feed/en            the newest posts, and links
//! GET /feed/en?cursor=…   the page of a link
//! ```
#![allow(clippy::print_stdout)]

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use chrono::{DateTime, TimeDelta, Utc};
use monotable::testing::Embedded;
use monotable::{Cursor, Entity, Table};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Post))]
#[gsi(feed, pk = "FEED", sk = "FEED_AT")]
struct Blog;

/// All posts of a language in one partition would be one hot partition: they are spread over eight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Blog, pk = "POST#<id>")]
#[index(feed, pk = "FEED#<lang>#<shard>", sk = "<at:ms>#<id>", shard(by = id, count = 8))]
struct Post {
    id: String,
    lang: String,
    at: DateTime<Utc>,
    title: String,
}

/// What the endpoint answers.
#[derive(Debug, Serialize, Deserialize)]
struct Feed {
    posts: Vec<Post>,
    /// The older posts.
    next: Option<Cursor>,
    /// The newer ones.
    previous: Option<Cursor>,
}

#[derive(Debug, Deserialize)]
struct Continued {
    /// Text that is no cursor is refused as the request is read.
    cursor: Option<Cursor>,
}

const PAGE: usize = 10;

/// Eight Queries of two items and one more, merged in the order of the index. Shards whose items are
/// used up are asked again.
async fn feed(
    State(blog): State<Table<Blog>>,
    Path(lang): Path<String>,
    Query(Continued { cursor }): Query<Continued>,
) -> Result<Json<Feed>, (StatusCode, String)> {
    let page = blog.query(Post::by_lang(lang)).descending().limit(PAGE).cursor(cursor).send().await;
    let page = page.map_err(|error| {
        // A cursor of another language is the client's mistake; the rest is ours.
        let status = if error.is_invalid_cursor() || error.is_invalid_key() {
            StatusCode::BAD_REQUEST
        } else {
            StatusCode::INTERNAL_SERVER_ERROR
        };
        (status, error.to_string())
    })?;
    Ok(Json(Feed { posts: page.items, next: page.next, previous: page.previous }))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let blog: Table<Blog> = engine.table("blog").await?;
    let begin: DateTime<Utc> = "2026-10-01T09:00:00Z".parse()?;
    let post = |n: i64| Post {
        id: format!("p{n}"),
        lang: if n % 5 == 4 { "de" } else { "en" }.into(),
        // Two posts share a millisecond now and then.
        at: begin + TimeDelta::milliseconds(n - n % 7),
        title: format!("Post number {n}"),
    };
    let posts: Vec<Post> = (0..60).map(post).collect();
    blog.batch_write().put_all(&posts).send().await?;

    let app = Router::new().route("/feed/{lang}", get(feed)).with_state(blog.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move { axum::serve(listener, app).await });

    // Forwards, by the links of each page.
    let mut pages: Vec<Feed> = Vec::new();
    let mut link = "/feed/en".to_owned();
    loop {
        let (status, page) = fetch(address, &link).await?;
        assert_eq!(status, 200, "{page}");
        let page: Feed = serde_json::from_str(&page)?;
        let next = page.next.as_ref().map(|next| format!("/feed/en?cursor={next}"));
        println!("page {}: {} posts, from {}", pages.len() + 1, page.posts.len(), page.posts[0].id);
        pages.push(page);
        match next {
            Some(next) => link = next,
            None => break,
        }
    }
    let mut newest_first: Vec<&Post> = posts.iter().filter(|post| post.lang == "en").collect();
    newest_first.sort_by_key(|post| std::cmp::Reverse((post.at, post.id.clone())));
    let seen: Vec<&Post> = pages.iter().flat_map(|page| &page.posts).collect();
    assert_eq!(seen, newest_first);

    // A new post arrives while the reader is on the third page; the way back is what it was.
    blog.create(&Post { id: "new".into(), ..post(1_000) }).send().await?;
    for at in (1..3).rev() {
        let previous = pages[at].previous.as_ref().ok_or("the second page has one before it")?;
        let (_, page) = fetch(address, &format!("/feed/en?cursor={previous}")).await?;
        let page: Feed = serde_json::from_str(&page)?;
        println!("back to {} … {}", page.posts[0].id, page.posts[PAGE - 1].id);
        assert_eq!(page.posts, pages[at - 1].posts);
        if at == 1 {
            // In front of it is the new post.
            let newer = page.previous.ok_or("more may be newer")?;
            let (_, page) = fetch(address, &format!("/feed/en?cursor={newer}")).await?;
            assert_eq!(serde_json::from_str::<Feed>(&page)?.posts[0].id, "new");
        }
    }

    // What is no cursor, or one of another feed, is told to the client.
    let next = pages[0].next.as_ref().ok_or("there are more pages")?;
    let (status, problem) = fetch(address, &format!("/feed/de?cursor={next}")).await?;
    println!("{status}: {problem}");
    assert_eq!(status, 400);
    let (status, problem) = fetch(address, "/feed/en?cursor=abc").await?;
    println!("{status}: {problem}");
    assert_eq!(status, 400);

    server.abort();
    Ok(())
}

/// One GET: status and body.
async fn fetch(
    address: std::net::SocketAddr,
    path: &str,
) -> Result<(u16, String), Box<dyn std::error::Error>> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
    Ok((status, body.to_owned()))
}
