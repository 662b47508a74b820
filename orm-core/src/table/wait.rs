use std::time::Duration;

use aws_sdk_dynamodb::types::TableDescription;
use tokio::time::Instant;

use super::Table;
use super::describe::{describe, index_works, table_works};
use crate::error::Error;
use crate::schema::Schema;

/// How long creating and deleting wait unless told otherwise.
pub(super) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(5 * 60);

const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// Growing pauses between polls, until a time is over.
#[derive(Debug)]
pub(super) struct Wait {
    started: Instant,
    timeout: Duration,
    pause: Duration,
}

impl Wait {
    pub(super) fn new(timeout: Duration) -> Self {
        Wait { started: Instant::now(), timeout, pause: FIRST_PAUSE }
    }

    /// Pauses, or tells that the time is over; `pending` is called for the error alone.
    pub(super) async fn pause<T: Schema>(
        &mut self,
        table: &Table<T>,
        pending: impl FnOnce() -> String,
    ) -> Result<(), Error> {
        let left = self.timeout.saturating_sub(self.started.elapsed());
        if left.is_zero() {
            return Err(Error::not_ready(format!(
                "{} is not ready after {:?}: {}; wait longer with `.timeout(..)`",
                table.describe(),
                self.timeout,
                pending(),
            )));
        }
        tokio::time::sleep(self.pause.min(left)).await;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
        Ok(())
    }
}

/// Waits until the table and every index of it can be read and written.
pub(super) async fn until_active<T: Schema>(
    table: &Table<T>,
    wait: &mut Wait,
) -> Result<(), Error> {
    loop {
        let pending = match describe(table).await? {
            Some(found) => pending(&found),
            // DescribeTable is eventually consistent: it may not know a new table yet.
            None => vec!["the table does not exist yet".to_owned()],
        };
        if pending.is_empty() {
            return Ok(());
        }
        wait.pause(table, || pending.join(", ")).await?;
    }
}

/// Waits until the name is free again.
pub(super) async fn until_gone<T: Schema>(table: &Table<T>, wait: &mut Wait) -> Result<(), Error> {
    while describe(table).await?.is_some() {
        wait.pause(table, || "the table is still being deleted".to_owned()).await?;
    }
    Ok(())
}

/// What is not there yet. Local indexes have no status, they come with the table.
fn pending(found: &TableDescription) -> Vec<String> {
    let table = found.table_status().filter(|status| !table_works(status));
    let mut pending: Vec<_> =
        table.map(|status| format!("the table is {status}")).into_iter().collect();
    for index in found.global_secondary_indexes() {
        if let Some(status) = index.index_status().filter(|status| !index_works(status)) {
            let name = index.index_name().unwrap_or_default();
            pending.push(format!("index `{name}` is {status}"));
        }
    }
    pending
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::{GlobalSecondaryIndexDescription, IndexStatus, TableStatus};

    use super::*;

    fn table(status: TableStatus, index: IndexStatus) -> TableDescription {
        let index =
            GlobalSecondaryIndexDescription::builder().index_name("gsi1").index_status(index);
        TableDescription::builder()
            .table_status(status)
            .global_secondary_indexes(index.build())
            .build()
    }

    #[test]
    fn a_table_is_ready_when_its_indexes_are() {
        let creating = table(TableStatus::Creating, IndexStatus::Creating);
        assert_eq!(pending(&creating), ["the table is CREATING", "index `gsi1` is CREATING"]);
        let backfilling = table(TableStatus::Updating, IndexStatus::Creating);
        assert_eq!(pending(&backfilling), ["index `gsi1` is CREATING"]);
        assert!(pending(&table(TableStatus::Active, IndexStatus::Active)).is_empty());
    }
}
