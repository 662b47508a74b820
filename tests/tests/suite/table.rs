use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType,
    StreamViewType,
};
use monotable::Table;
use monotable::testing::Backend;
use tests::models::library::Library;
use tests::models::shop::Shop;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", ttl = "expires_at")]
#[gsi(gsi1, pk = "GSI1PK", sk = ("GSI1SK", N))]
struct Sessions;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
#[gsi(gsi2, pk = "GSI2PK")]
struct Later;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK")]
struct Plain;

#[tokio::test]
async fn what_is_created_verifies() {
    let backend = Backend::start().await.unwrap();
    backend.table::<Shop>("create").await.unwrap().verify().send().await.unwrap();
    let library = backend.table::<Library>("create").await.unwrap();
    library.verify().send().await.unwrap();
    library.create_table().if_not_exists().send().await.unwrap();
    assert!(library.create_table().send().await.is_err());
    let sessions = backend.table::<Sessions>("create").await.unwrap();
    sessions.verify().send().await.unwrap();
    let ttl = sessions.client().describe_time_to_live().table_name(sessions.name());
    let ttl = ttl.send().await.unwrap().time_to_live_description.unwrap();
    assert_eq!(ttl.attribute_name(), Some("expires_at"));

    // An index that the schema does not declare is fine.
    let plain: Table<Plain> = Table::new(backend.client(), library.name());
    plain.verify().send().await.unwrap();
    backend.close().await.unwrap();
}

#[tokio::test]
async fn differences_are_named_all_at_once() {
    let backend = Backend::start().await.unwrap();
    let sessions = backend.table::<Sessions>("differ").await.unwrap();
    let later: Table<Later> = Table::new(backend.client(), sessions.name());
    let error = later.verify().send().await.unwrap_err();
    assert!(error.is_schema_mismatch() && !error.is_table_missing());
    let text = error.to_string();
    for part in [sessions.name(), "us-east-1", "`gsi2`", "`gsi1`", "GSI1SK"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(later.create_table().if_not_exists().send().await.unwrap_err().is_schema_mismatch());
    backend.close().await.unwrap();
}

#[tokio::test]
async fn a_missing_table_names_table_region_and_endpoint() {
    let backend = Backend::start().await.unwrap();
    let missing: Table<Shop> = Shop::table(backend.client(), "monotable-not-there");
    let errors = [
        missing.verify().send().await.unwrap_err(),
        missing.get(tests::models::shop::Customer::key("c1")).send().await.unwrap_err(),
        missing.full_scan().all().await.unwrap_err(),
    ];
    for error in errors {
        assert!(error.is_table_missing(), "{error}");
        let text = error.to_string();
        for part in ["`monotable-not-there`", "us-east-1", "http"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    missing.delete_table().send().await.unwrap();
    backend.close().await.unwrap();
}

#[tokio::test]
async fn provisioned_capacity_and_a_stream() {
    let backend = Backend::start().await.unwrap();
    let name = "monotable-provisioned";
    let table: Table<Later> = Later::table(backend.client(), name);
    table.delete_table().send().await.unwrap();
    let create = table.create_table().provisioned(5, 6).index_provisioned("gsi2", 7, 8);
    create.stream(StreamViewType::NewAndOldImages).send().await.unwrap();
    let described = table.client().describe_table().table_name(name).send().await.unwrap();
    let described = described.table.unwrap();
    let units = described.provisioned_throughput.unwrap();
    assert_eq!((units.read_capacity_units, units.write_capacity_units), (Some(5), Some(6)));
    for index in described.global_secondary_indexes.unwrap() {
        let units = index.provisioned_throughput.unwrap();
        let read = if index.index_name.as_deref() == Some("gsi2") { 7 } else { 5 };
        assert_eq!(units.read_capacity_units, Some(read));
    }
    let stream = described.stream_specification.unwrap();
    assert_eq!(stream.stream_view_type, Some(StreamViewType::NewAndOldImages));
    table.verify().send().await.unwrap();
    table.delete_table().send().await.unwrap();

    let error = table.create_table().provisioned(1, 1).index_provisioned("gsi9", 1, 1);
    assert!(error.send().await.unwrap_err().to_string().contains("gsi9"));
    backend.close().await.unwrap();
}

#[tokio::test]
async fn a_wrong_key_schema_is_a_mismatch() {
    let backend = Backend::start().await.unwrap();
    let name = "monotable-wrong-keys";
    let attribute = |name: &str, ty| {
        AttributeDefinition::builder().attribute_name(name).attribute_type(ty).build().unwrap()
    };
    let key = |name: &str, ty| {
        KeySchemaElement::builder().attribute_name(name).key_type(ty).build().unwrap()
    };
    let plain: Table<Plain> = Plain::table(backend.client(), name);
    plain.delete_table().send().await.unwrap();
    let create = backend.client().create_table().table_name(name);
    create
        .billing_mode(BillingMode::PayPerRequest)
        .attribute_definitions(attribute("PK", ScalarAttributeType::N))
        .key_schema(key("PK", KeyType::Hash))
        .send()
        .await
        .unwrap();
    let error = plain.verify().send().await.unwrap_err();
    assert!(error.is_schema_mismatch());
    let text = error.to_string();
    assert!(text.contains("PK") && text.contains("SK"), "{text}");
    plain.delete_table().send().await.unwrap();
    backend.close().await.unwrap();
}
