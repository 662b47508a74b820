use aws_sdk_dynamodb::types::AttributeValue;
use monotable::{Entity, Item};
use tests::bench::on_table;
use tests::models::shop::{Customer, Shop};

fn ana() -> Customer {
    Customer { customer_id: "c#42 % ñ".into(), name: "Ana Ruiz".into() }
}

#[tokio::test]
async fn an_item_by_its_key_or_by_itself() {
    on_table::<Shop, _>("get", |bench| async move {
        bench.table.put(&ana()).send().await.unwrap();
        let key = Customer::key("c#42 % ñ");
        assert_eq!(bench.table.get(&key).send().await.unwrap(), Some(ana()));
        assert_eq!(bench.table.get(&ana()).consistent().send().await.unwrap(), Some(ana()));
        assert_eq!(bench.table.get(key).send().await.unwrap(), Some(ana()));
        let operations = bench.recorder.operations();
        assert_eq!(operations, ["PutItem", "GetItem", "GetItem", "GetItem"]);
    })
    .await;
}

#[tokio::test]
async fn a_missing_item_is_none() {
    on_table::<Shop, _>("get-missing", |bench| async move {
        assert_eq!(bench.table.get(Customer::key("nobody")).send().await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn two_tenants_never_share_an_item() {
    on_table::<Shop, _>("get-tenants", |bench| async move {
        let names = ["a#b", "a", "a%23b", "a$b", "a%", "%"];
        for name in names {
            let customer = Customer { customer_id: name.into(), name: name.into() };
            bench.table.create(&customer).send().await.unwrap();
        }
        for name in names {
            let found = bench.table.get(Customer::key(name)).send().await.unwrap();
            assert_eq!(found.unwrap().name, name);
        }
    })
    .await;
}

#[tokio::test]
async fn a_stored_item_of_another_shape_names_key_and_attribute() {
    on_table::<Shop, _>("get-decode", |bench| async move {
        let mut item: Item = Customer::key("c1").to_item().unwrap();
        item.insert("customer_id".into(), AttributeValue::S("c1".into()));
        item.insert("name".into(), AttributeValue::N("7".into()));
        let put = bench.table.client().put_item().table_name(bench.table.name());
        put.set_item(Some(item)).send().await.unwrap();
        let error = bench.table.get(Customer::key("c1")).send().await.unwrap_err();
        assert!(error.is_decode());
        let text = error.to_string();
        assert!(text.contains("`CUST#c1 + PROFILE`"), "{text}");
        assert!(text.contains("`Customer`") && text.contains("`name`"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_key_that_cannot_be_is_refused_before_a_request() {
    on_table::<Shop, _>("get-invalid", |bench| async move {
        let error = bench.table.get(Customer::key("")).send().await.unwrap_err();
        assert!(error.is_invalid_key());
        assert!(error.to_string().contains("`customer_id`"), "{error}");
        let long = "x".repeat(2048);
        let error = bench.table.get(Customer::key(&long)).send().await.unwrap_err();
        assert!(error.is_invalid_key() && error.to_string().contains("2053 bytes"), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn a_raw_key_reads_what_no_template_writes() {
    on_table::<Shop, _>("get-raw", |bench| async move {
        let mut item = Customer::raw_key("cust/ana", "profile").to_item().unwrap();
        item.insert("customer_id".into(), AttributeValue::S("ana".into()));
        item.insert("name".into(), AttributeValue::S("Ana".into()));
        let put = bench.table.client().put_item().table_name(bench.table.name());
        put.set_item(Some(item)).send().await.unwrap();
        let key = Customer::raw_key("cust/ana", "profile");
        let found = bench.table.get(key).send().await.unwrap().unwrap();
        assert_eq!(found.name, "Ana");
        assert_ne!(found.key(), Customer::raw_key("cust/ana", "profile"));
    })
    .await;
}

#[tokio::test]
async fn an_item_of_another_kind_is_not_taken_for_this_one() {
    use tests::models::library::{Library, Loan, Note};
    on_table::<Library, _>("get-kind", |bench| async move {
        let note = Note { branch: "north".into(), reader: "r1".into(), id: 7, text: "late".into() };
        let mut item = note.to_item().unwrap();
        item.insert("SK".into(), AttributeValue::S("LOAN#r1#000007".into()));
        let put = bench.table.client().put_item().table_name(bench.table.name());
        put.set_item(Some(item.clone())).send().await.unwrap();
        let error = bench.table.get(Loan::key("north", "r1", 7u32)).send().await.unwrap_err();
        assert!(error.is_decode() && error.to_string().contains("it is a `Note`"), "{error}");

        // A name that nobody declared is left to the decoder.
        item.insert("_et".into(), AttributeValue::S("Unheard".into()));
        assert!(Loan::from_item(item).is_ok());
    })
    .await;
}

#[tokio::test]
async fn customize_reaches_the_request() {
    on_table::<Shop, _>("get-customize", |bench| async move {
        let (_, recorder) = tests::recorder::Recorder::attach(bench.table.client());
        let own = recorder.clone();
        let get = bench.table.get(Customer::key("c1"));
        get.customize(move |get| get.interceptor(own.clone())).send().await.unwrap();
        assert_eq!(recorder.operations(), ["GetItem"]);

        let builder = bench.table.get(Customer::key("c1")).into_sdk().unwrap();
        let builder = builder.projection_expression("#sk").expression_attribute_names("#sk", "SK");
        let output = builder.send().await.unwrap();
        assert_eq!(output.item, None);
    })
    .await;
}
