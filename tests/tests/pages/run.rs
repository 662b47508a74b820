//! Sets of items, and questions about each; a law for each kind of read.

use std::ops::Bound;
use std::sync::atomic::{AtomicU32, Ordering};

use monotable::testing::Backend;
use monotable::{Pattern, Table};
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use tests::tape::{Tape, cases};

use super::check::Question;
use super::oracle::{Settings, Sort, is_inside, range};
use super::post::{Before, Behind, Board, NAMES, Post, State, posts};

/// Questions about one set of items.
const QUESTIONS: u32 = 25;
/// The laws below.
const KINDS: u32 = 10;

fn law<'f>(ask: impl AsyncFn(&Asked<'_>, &mut Tape<'_>) -> Result<(), String> + 'f) {
    let is_embedded = tests::engine::name() == "embedded";
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let backend = runtime.block_on(Backend::start()).unwrap();
    let table = runtime.block_on(backend.table::<Board>("pages")).unwrap();
    let all = cases(if is_embedded { 10_000 } else { 400 });
    let mut runner = TestRunner::new(Config {
        cases: all.div_ceil(KINDS).div_ceil(QUESTIONS),
        failure_persistence: None,
        max_shrink_iters: 100,
        rng_seed: RngSeed::Random,
        ..Config::default()
    });
    let words = 400 + QUESTIONS as usize * 40;
    let tape = proptest::collection::vec(proptest::num::u32::ANY, words);
    let sets = AtomicU32::new(0);
    let outcome = runner.run(&tape, |words| {
        let set = sets.fetch_add(1, Ordering::Relaxed);
        let (items, questions) = words.split_at(words.len().min(400));
        let posts = posts(set, &mut Tape::new(items));
        runtime
            .block_on(async {
                store(&table, set, &posts).await;
                let asked = Asked { table: &table, set, posts: &posts };
                for question in questions.chunks(40) {
                    ask(&asked, &mut Tape::new(question)).await?;
                }
                Ok(())
            })
            .map_err(|problem: String| TestCaseError::fail(format!("{problem}\nof {posts:#?}")))
    });
    runtime.block_on(backend.close()).unwrap();
    match outcome {
        Ok(()) => {}
        // The tape says nothing to people.
        Err(TestError::Fail(reason, _)) => panic!("{}", reason.message()),
        Err(error) => panic!("{error}"),
    }
}

async fn store(table: &Table<Board>, set: u32, posts: &[Post]) {
    let mut batch = table.batch_write();
    for post in posts {
        batch = batch.put(post);
    }
    for room in [0, 1].map(|room| format!("{set}-{room}")) {
        batch = batch.put(&Before { room: room.clone(), at: 9 });
        batch = batch.put(&Behind { room, at: 0 });
    }
    batch.send().await.unwrap();
}

type IsRead<'a> = &'a dyn Fn(&Post) -> bool;

struct Asked<'a> {
    table: &'a Table<Board>,
    set: u32,
    posts: &'a [Post],
}

impl<'a> Asked<'a> {
    /// Asks about one pattern, or several.
    async fn ask<I>(
        &self,
        tape: &mut Tape<'_>,
        patterns: Vec<Pattern<Post, I>>,
        (is_read, sort): (IsRead<'_>, fn(&Post) -> Sort),
    ) -> Result<(), String>
    where
        I: monotable::Holds<monotable::Whole> + monotable::Holds<monotable::Keys> + 'static,
    {
        let settings = Settings::of(tape);
        let text = format!("{patterns:?} with {settings:?}");
        let query = || {
            let mut query = match &patterns[..] {
                [pattern] => self.table.query(pattern.clone()),
                patterns => self.table.query_many(patterns.iter().cloned()),
            };
            if let Some(weight) = settings.weight {
                query = query.filter(|post| post.weight.lt(weight));
            }
            if settings.descending { query.descending() } else { query }
        };
        let question = Question {
            query: Box::new(query),
            answer: settings.answer(self.posts, is_read, sort),
            settings: settings.clone(),
            sort,
        };
        let which = tape.below(5);
        question.check(which).await.map_err(|problem| format!("{problem}\n{text}"))
    }

    fn room(&self, tape: &mut Tape<'_>) -> String {
        format!("{}-{}", self.set, tape.below(2))
    }
}

const TIMES: [u8; 6] = [0, 1, 5, 9, 10, 99];
const RANKS: [u8; 6] = [0, 2, 3, 4, 5, 9];

#[test]
fn a_range_of_the_table() {
    law(async |asked, tape| {
        let (room, at) = (asked.room(tape), range(tape, &TIMES));
        let pattern = Post::by_room(&room).at_range(at).erase();
        let is_read = |post: &Post| post.room == room && is_inside(&at, &post.at);
        let sort = |post: &Post| Sort::Both(post.at.into(), post.id.clone());
        asked.ask(tape, vec![pattern], (&is_read, sort)).await
    });
}

#[test]
fn text_at_the_end_with_excluded_bounds() {
    law(async |asked, tape| {
        let room = asked.room(tape);
        let (low, high) = range(tape, &NAMES);
        let name = (low.map(str::to_owned), high.map(str::to_owned));
        let pattern = Post::by_name(&room).name_range(name.clone()).erase();
        let is_read = |post: &Post| post.room == room && is_inside(&name, &post.name);
        let sort = |post: &Post| Sort::Text(post.name.clone());
        asked.ask(tape, vec![pattern], (&is_read, sort)).await
    });
}

#[test]
fn a_prefix() {
    law(async |asked, tape| {
        let (room, head) = (asked.room(tape), tape.pick(&NAMES));
        let pattern = Post::by_name(&room).name_prefix(head).erase();
        let is_read = |post: &Post| post.room == room && post.name.starts_with(head);
        let sort = |post: &Post| Sort::Text(post.name.clone());
        asked.ask(tape, vec![pattern], (&is_read, sort)).await
    });
}

#[test]
fn equal_keys_of_a_global_index() {
    law(async |asked, tape| {
        let (tag, rank) = (format!("{}#{}", asked.set, tape.below(2)), range(tape, &RANKS));
        let pattern = Post::by_tag(&tag).rank_range(rank).erase();
        let is_read = |post: &Post| post.tag == tag && is_inside(&rank, &post.rank);
        let sort = |post: &Post| Sort::Number(post.rank.into());
        asked.ask(tape, vec![pattern], (&is_read, sort)).await
    });
}

#[test]
fn shards() {
    law(async |asked, tape| {
        let (state, rank) = (tape.pick(&[State::Open, State::Closed]), range(tape, &RANKS));
        let topic = asked.set.to_string();
        let pattern = Post::by_topic_and_state(&topic, state).rank_range(rank).erase();
        let is_read = |post: &Post| {
            post.topic.as_ref() == Some(&topic)
                && post.state == state
                && is_inside(&rank, &post.rank)
        };
        let sort = |post: &Post| Sort::Number(post.rank.into());
        asked.ask(tape, vec![pattern], (&is_read, sort)).await
    });
}

#[test]
fn numbers_that_are_keys_themselves() {
    law(async |asked, tape| {
        let (topic, score) = (asked.set.to_string(), range(tape, &[-11, -10, -2, 0, 3, 50, 100]));
        let pattern = Post::by_topic(&topic).score_range(score).erase();
        let is_read =
            |post: &Post| post.topic.as_ref() == Some(&topic) && is_inside(&score, &post.score);
        let sort = |post: &Post| Sort::Number(post.score.into());
        asked.ask(tape, vec![pattern], (&is_read, sort)).await
    });
}

#[test]
fn several_partitions_of_the_table() {
    law(async |asked, tape| {
        let ranges = [range(tape, &TIMES), range(tape, &TIMES)];
        let rooms = [0, 1].map(|room| format!("{}-{room}", asked.set));
        let pattern = |at: usize| Post::by_room(&rooms[at]).at_range(ranges[at]).erase();
        let is_read = |post: &Post| {
            (0..2).any(|at| post.room == rooms[at] && is_inside(&ranges[at], &post.at))
        };
        let sort = |post: &Post| Sort::Both(post.at.into(), post.id.clone());
        asked.ask(tape, vec![pattern(0), pattern(1)], (&is_read, sort)).await
    });
}

#[test]
fn several_partitions_of_an_index() {
    law(async |asked, tape| {
        let ranges = [range(tape, &RANKS), range(tape, &RANKS)];
        let tags = [0, 1].map(|tag| format!("{}#{tag}", asked.set));
        let pattern = |at: usize| Post::by_tag(&tags[at]).rank_range(ranges[at]).erase();
        let is_read = |post: &Post| {
            (0..2).any(|at| post.tag == tags[at] && is_inside(&ranges[at], &post.rank))
        };
        let sort = |post: &Post| Sort::Number(post.rank.into());
        asked.ask(tape, vec![pattern(0), pattern(1)], (&is_read, sort)).await
    });
}

/// Two ranges of one partition that touch, given in any order.
#[test]
fn several_ranges_of_one_partition() {
    law(async |asked, tape| {
        let topic = asked.set.to_string();
        let (middle, low) = (tape.pick(&[-10, 0, 3, 50]), tape.bound(-11));
        let ranges = [(low, Bound::Excluded(middle)), (Bound::Included(middle), Bound::Unbounded)];
        let mut patterns = ranges.map(|range| Post::by_topic(&topic).score_range(range).erase());
        if tape.rarely(2) {
            patterns.reverse();
        }
        let is_read = |post: &Post| {
            post.topic.as_ref() == Some(&topic)
                && ranges.iter().any(|range| is_inside(range, &post.score))
        };
        let sort = |post: &Post| Sort::Number(post.score.into());
        asked.ask(tape, patterns.to_vec(), (&is_read, sort)).await
    });
}

#[test]
fn sort_keys_of_several_attributes() {
    law(async |asked, tape| {
        let (topic, name) = (asked.set.to_string(), tape.pick(&NAMES[..3]));
        let is_of = move |post: &Post| post.topic.as_deref() == Some(&*topic) && post.name == name;
        let sort = |post: &Post| Sort::Numbers(post.rank.into(), post.score.into());
        let pattern = Post::by_topic_and_name(asked.set.to_string(), name);
        if tape.rarely(2) {
            let (rank, score) = (tape.pick(&RANKS), range(tape, &[-11, -10, -2, 0, 3, 50, 100]));
            let pattern = pattern.rank(rank).score_range(score).erase();
            let is_read =
                |post: &Post| is_of(post) && post.rank == rank && is_inside(&score, &post.score);
            return asked.ask(tape, vec![pattern], (&is_read, sort)).await;
        }
        let rank = range(tape, &RANKS);
        let pattern = pattern.rank_range(rank).erase();
        let is_read = |post: &Post| is_of(post) && is_inside(&rank, &post.rank);
        asked.ask(tape, vec![pattern], (&is_read, sort)).await
    });
}
