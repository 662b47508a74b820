use std::time::{SystemTime, UNIX_EPOCH};

use monotable::testing::Backend;
use monotable::{Error, Table};
use proptest::prelude::TestCaseError;
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};
use tests::tape::{Tape, cases};

use super::stored;
use super::subject::Subject;
use super::write::{ALL, Before, Effect, IN_TRANSACTION, Write};

/// Items that a sequence writes to.
const ITEMS: u32 = 4;
const WRITES: usize = 20;

/// Law 7 for an entity.
pub(super) fn law<E: Subject>() {
    let is_embedded = tests::engine::name() == "embedded";
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let backend = runtime.block_on(Backend::start()).unwrap();
    let table = runtime.block_on(backend.table::<E::Table>("truth")).unwrap();
    let writes = cases(if is_embedded { 1_300 } else { 100 });
    let mut runner = TestRunner::new(Config {
        cases: writes.div_ceil(WRITES.try_into().unwrap()),
        failure_persistence: None,
        max_shrink_iters: 200,
        rng_seed: RngSeed::Random,
        ..Config::default()
    });
    // Each sequence has items of its own.
    let first = std::sync::atomic::AtomicU32::new(0);
    let tape = proptest::collection::vec(proptest::num::u32::ANY, WRITES * 30);
    let outcome = runner.run(&tape, |words| {
        let first = first.fetch_add(ITEMS, std::sync::atomic::Ordering::Relaxed);
        let mut sequence = Sequence::<E>::new(&table, first);
        let outcome = runtime.block_on(async {
            let outcome = sequence.run(&mut Tape::new(&words)).await;
            outcome.and(sequence.end().await)
        });
        outcome.map_err(|problem| {
            let log = sequence.log.join("\n");
            TestCaseError::fail(format!("{problem}\nafter\n{log}"))
        })
    });
    runtime.block_on(backend.close()).unwrap();
    match outcome {
        Ok(()) => {}
        // The tape says nothing to people.
        Err(TestError::Fail(reason, _)) => panic!("`{}`: {}", E::SCHEMA.name, reason.message()),
        Err(error) => panic!("`{}`: {error}", E::SCHEMA.name),
    }
}

struct Sequence<'t, E: Subject> {
    table: &'t Table<E::Table>,
    first: u32,
    /// What is stored, if the library is right.
    model: Vec<Option<E>>,
    log: Vec<String>,
    now: i64,
}

impl<'t, E: Subject> Sequence<'t, E> {
    fn new(table: &'t Table<E::Table>, first: u32) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let model = (0..ITEMS).map(|_| None).collect();
        Sequence { table, first, model, log: Vec::new(), now: now.try_into().unwrap() }
    }

    async fn run(&mut self, tape: &mut Tape<'_>) -> Result<(), String> {
        let mut written = 0;
        while written < WRITES {
            let at = tape.below(ITEMS as usize);
            let before = self.model.clone();
            if tape.rarely(6) {
                let other = (at + 1 + tape.below(ITEMS as usize - 1)) % ITEMS as usize;
                self.two(tape, at, other).await?;
                written += 2;
                self.check(other).await?;
            } else {
                self.one(tape, at).await?;
                written += 1;
            }
            self.check(at).await?;
            if tape.rarely(16) {
                self.check_indexes(at, before[at].as_ref()).await?;
            }
        }
        Ok(())
    }

    async fn one(&mut self, tape: &mut Tape<'_>, at: usize) -> Result<(), String> {
        let write = Write::draw(tape, self.id(at), self.model[at].as_ref(), ALL);
        let mut caller = write.caller(self.model[at].as_ref(), &E::draw(tape, self.id(at)));
        self.log.push(format!("{write:?} of {:?}", self.model[at]));
        let taken = self.taken(at);
        let effect = write.effect(&self.before(at, &taken));
        let given = caller.clone();
        let result = write.send(self.table, &mut caller).await;
        let is_done = !matches!(effect, Effect::Denied);
        expect(is_done, &result)?;
        self.keep(at, &write, effect, &given, &caller)
    }

    /// Two writes in a transaction.
    async fn two(&mut self, tape: &mut Tape<'_>, at: usize, other: usize) -> Result<(), String> {
        let one = Write::draw(tape, self.id(at), self.model[at].as_ref(), IN_TRANSACTION);
        let two = Write::draw(tape, self.id(other), self.model[other].as_ref(), IN_TRANSACTION);
        let mut callers = [
            one.caller(self.model[at].as_ref(), &E::draw(tape, self.id(at))),
            two.caller(self.model[other].as_ref(), &E::draw(tape, self.id(other))),
        ];
        self.log.push(format!(
            "{one:?} of {:?}\n  and {two:?} of {:?}",
            self.model[at], self.model[other]
        ));
        let taken = [self.taken(at), self.taken(other)];
        let effects =
            [one.effect(&self.before(at, &taken[0])), two.effect(&self.before(other, &taken[1]))];
        let given = callers.clone();
        let [first, second] = &mut callers;
        let transact = one.add(self.table.transact(), self.table, first);
        let transact = two.add(transact, self.table, second);
        let result = transact.send().await;
        // One wants a unique value that the other has, gets or gives up: two writes to one guard.
        let values = |effect: &Effect<E>, at: usize| {
            let mut values = self.model[at].as_ref().map(E::unique).unwrap_or_default();
            if let Effect::Stored(item) = effect {
                values.extend(item.unique());
            }
            values
        };
        let shared = values(&effects[1], other);
        let is_shared = values(&effects[0], at).iter().any(|value| shared.contains(value));
        let is_done = !effects.iter().any(|effect| matches!(effect, Effect::Denied));
        if (is_shared || !is_done && !E::BLIND) && result.is_err() {
            return Ok(());
        }
        expect(is_done, &result)?;
        let [first, second] = if is_done { effects } else { [Effect::Denied, Effect::Denied] };
        self.keep(at, &one, first, &given[0], &callers[0])?;
        self.keep(other, &two, second, &given[1], &callers[1])
    }

    fn id(&self, at: usize) -> u32 {
        self.first + u32::try_from(at).unwrap()
    }

    fn before<'a>(&'a self, at: usize, taken: &'a [String]) -> Before<'a, E> {
        Before { item: self.model[at].as_ref(), taken, now: self.now }
    }

    /// Values that other items have.
    fn taken(&self, at: usize) -> Vec<String> {
        let others = self.model.iter().enumerate().filter(|(other, _)| *other != at);
        let live = others.filter_map(|(_, item)| item.as_ref()).filter(|item| self.is_live(item));
        live.flat_map(E::unique).collect()
    }

    fn is_live(&self, item: &E) -> bool {
        item.expires().is_none_or(|at| at > self.now)
    }

    /// The model follows, and the caller's item is as it should be.
    fn keep(
        &mut self,
        at: usize,
        write: &Write<E>,
        effect: Effect<E>,
        given: &E,
        caller: &E,
    ) -> Result<(), String> {
        let expected = match effect {
            Effect::Denied => given,
            Effect::Gone => {
                self.model[at] = None;
                given
            }
            Effect::Stored(item) => {
                let item = &*self.model[at].insert(item);
                if write.follows() { item } else { given }
            }
        };
        if caller != expected {
            return Err(format!("the caller's item is {caller:?}\nand not {expected:?}"));
        }
        Ok(())
    }

    /// What is stored, against the model, a fresh put and the keys written by hand.
    async fn check(&self, at: usize) -> Result<(), String> {
        let key = E::draw(&mut Tape::new(&[]), self.id(at));
        let (expected, found) = match (&self.model[at], stored::read(self.table, &key).await) {
            (None, None) => return Ok(()),
            (Some(expected), Some(found)) => (expected, found),
            (expected, found) => return Err(format!("{found:?} is stored and not {expected:?}")),
        };
        let decoded = E::from_item(found.clone()).map_err(|error| error.to_string())?;
        if decoded != *expected {
            return Err(format!("{decoded:?} is stored\nand not {expected:?}"));
        }
        let fresh = decoded.to_item().map_err(|error| error.to_string())?;
        let (found_forms, fresh_forms) = (stored::canonical(&found), stored::canonical(&fresh));
        if found_forms != fresh_forms {
            return Err(format!("{found_forms:?} is stored\nand a put writes {fresh_forms:?}"));
        }
        for (name, text) in expected.keys() {
            let found = found.get(name).map(stored::text);
            if found != text {
                return Err(format!("`{name}` is {found:?} and not {text:?} of {expected:?}"));
            }
        }
        Ok(())
    }

    /// Queries find the item where it is, and no more where it was.
    async fn check_indexes(&self, at: usize, before: Option<&E>) -> Result<(), String> {
        if tests::engine::name() == "aws" {
            // A global index follows later.
            return Ok(());
        }
        let after = self.model[at].as_ref();
        for sought in [before, after].into_iter().flatten() {
            for (index, names) in E::INDEXES.iter().enumerate() {
                let value = |item: &E, name: &str| {
                    item.keys().into_iter().find(|(key, _)| *key == name).and_then(|(_, text)| text)
                };
                let partition = |item: &E| value(item, names.sk).and(value(item, names.pk));
                let Some(read) = partition(sought) else { continue };
                let found = sought.find(self.table, index).await;
                let found = found.map_err(|error| error.to_string())?;
                let found: Vec<_> =
                    found.iter().filter(|item| item.key() == sought.key()).collect();
                let is_there = after
                    .filter(|item| self.is_live(item) && partition(item).as_ref() == Some(&read));
                let expected: Vec<_> = is_there.into_iter().collect();
                if found != expected {
                    return Err(format!(
                        "the query of {read:?} in `{}` finds {found:?}\nand not {expected:?}",
                        names.pk
                    ));
                }
            }
        }
        Ok(())
    }

    /// What is stored beside the items are the guards of their unique values; then all of it is
    /// deleted.
    async fn end(&self) -> Result<(), String> {
        if E::SCHEMA.unique.is_empty() {
            let items: Vec<_> =
                self.model.iter().flatten().map(|item| item.to_item().unwrap()).collect();
            stored::delete::<E>(self.table, &items).await;
            return Ok(());
        }
        let items = stored::all::<E>(self.table).await;
        stored::delete::<E>(self.table, &items).await;
        let mut guards: Vec<_> = items
            .iter()
            .filter_map(|item| Some((item.get("_of")?, item)))
            .filter(|(_, guard)| {
                let expires = guard.get("expires_at").map(stored::text);
                expires.is_none_or(|at| at.parse::<i64>().unwrap() > self.now)
            })
            .map(|(owner, guard)| (stored::text(owner), stored::text(&guard["PK"])))
            .collect();
        guards.sort();
        let live = self.model.iter().flatten().filter(|item| self.is_live(item));
        let mut expected: Vec<_> = live
            .flat_map(|item| {
                let owner = item.key().to_string();
                item.unique().into_iter().map(move |value| (owner.clone(), value))
            })
            .collect();
        expected.sort();
        if guards.len() != expected.len()
            || guards.iter().zip(&expected).any(|((owner, guard), (item, value))| {
                owner != item || !guard.ends_with(value.as_str())
            })
        {
            return Err(format!("the guards are {guards:?}\nand not {expected:?}"));
        }
        Ok(())
    }
}

fn expect(is_done: bool, result: &Result<(), Error>) -> Result<(), String> {
    match result {
        Ok(()) if is_done => Ok(()),
        Err(error) if !is_done && (error.is_condition_failed() || error.is_item_missing()) => {
            Ok(())
        }
        result => Err(format!("is {}done: {result:?}", if is_done { "not " } else { "" })),
    }
}
