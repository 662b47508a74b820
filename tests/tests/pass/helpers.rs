//! Functions over every entity of a table.

use monotable::expr::{ByKey, Change, IntoChanges, IntoCondition, Reading};
use monotable::{Entity, Error, Key, Table, Unversioned, WithoutUnique};
use serde::{Deserialize, Serialize};

use super::paths::table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order, Account))]
struct Shop;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
    total: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ACCOUNT#<id>", sk = "META", version = v, unique(email))]
struct Account {
    id: String,
    email: String,
    v: u64,
}

fn patch<E: Entity<Table = Shop>, C: IntoChanges, D: IntoCondition>(
    shop: &Table<Shop>,
    key: Key<E>,
    change: impl FnOnce(&E::Fields<ByKey>) -> C,
    condition: impl FnOnce(&E::Fields<Reading>) -> D,
) -> Result<String, Error> {
    let update = shop.update(key).change(change).condition(condition);
    Ok(format!("{:?}", update.explain()?))
}

fn save<E: Entity<Table = Shop> + Unversioned + WithoutUnique>(
    shop: &Table<Shop>,
    item: &E,
) -> Result<String, Error> {
    let put = shop.put(item).explain()?;
    let deleted = shop.delete(item.key()).explain()?;
    let batch = shop.batch_write().put(item).put_all([item]).last_wins().explain()?;
    Ok(format!("{put:?} {deleted:?} {batch:?}"))
}

fn touch<E: Entity<Table = Shop>>(shop: &Table<Shop>, item: &mut E) -> Result<String, Error> {
    let created = shop.create(&mut *item).explain()?;
    let updated = shop.update(&mut *item).explain()?;
    let deleted = shop.delete(&*item).explain()?;
    Ok(format!("{created:?} {updated:?} {deleted:?}"))
}

#[test]
fn they_take_what_fits_their_bounds() -> Result<(), Error> {
    let shop = table::<Shop>();
    let text = patch(&shop, Order::key("o1"), |o| o.total.add(5), |o| o.total.lt(100))?;
    assert!(text.contains("ORDER#o1"));
    let text =
        patch(&shop, Account::key("a1"), |_| None::<Change>, |a| a.email.eq("a@shop.example"))?;
    assert!(text.contains("ACCOUNT#a1"));
    let mut order = Order { id: "o1".into(), total: 1 };
    assert!(save(&shop, &order)?.contains("ORDER#o1"));
    assert!(touch(&shop, &mut order)?.contains("ORDER#o1"));
    let mut account = Account { id: "a1".into(), email: "a@shop.example".into(), v: 0 };
    assert!(touch(&shop, &mut account)?.contains("$unique"));
    Ok(())
}
