use std::fmt;
use std::sync::Arc;

use aws_sdk_dynamodb::client::customize::CustomizableOperation;

/// What the user wants of the SDK's customizable operation: interceptors, config overrides,
/// changed HTTP requests. Applied to every request of the operation.
pub(crate) struct Customize<T, E, B>(Option<Change<T, E, B>>);

type Change<T, E, B> =
    Arc<dyn Fn(CustomizableOperation<T, E, B>) -> CustomizableOperation<T, E, B> + Send + Sync>;

impl<T, E, B> Customize<T, E, B> {
    pub(crate) const NONE: Self = Customize(None);

    pub(crate) fn new(
        change: impl Fn(CustomizableOperation<T, E, B>) -> CustomizableOperation<T, E, B>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Customize(Some(Arc::new(change)))
    }

    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    #[inline]
    pub(crate) fn apply(
        &self,
        operation: CustomizableOperation<T, E, B>,
    ) -> CustomizableOperation<T, E, B> {
        match &self.0 {
            Some(change) => change(operation),
            None => operation,
        }
    }
}

impl<T, E, B> Clone for Customize<T, E, B> {
    fn clone(&self) -> Self {
        Customize(self.0.clone())
    }
}

impl<T, E, B> fmt::Debug for Customize<T, E, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Customize(..)" } else { "Customize" })
    }
}

/// The customizable operations of the SDK, by name.
macro_rules! customizable {
    ($($name:ident = $module:ident :: $output:ident, $error:ident, $builder:ident;)*) => {$(
        pub(crate) type $name = Customize<
            aws_sdk_dynamodb::operation::$module::$output,
            aws_sdk_dynamodb::operation::$module::$error,
            aws_sdk_dynamodb::operation::$module::builders::$builder,
        >;
    )*};
}

customizable! {
    CustomBatchGet = batch_get_item::BatchGetItemOutput, BatchGetItemError, BatchGetItemFluentBuilder;
    CustomBatchWrite = batch_write_item::BatchWriteItemOutput, BatchWriteItemError, BatchWriteItemFluentBuilder;
    CustomGet = get_item::GetItemOutput, GetItemError, GetItemFluentBuilder;
    CustomPut = put_item::PutItemOutput, PutItemError, PutItemFluentBuilder;
    CustomUpdate = update_item::UpdateItemOutput, UpdateItemError, UpdateItemFluentBuilder;
    CustomDelete = delete_item::DeleteItemOutput, DeleteItemError, DeleteItemFluentBuilder;
    CustomQuery = query::QueryOutput, QueryError, QueryFluentBuilder;
    CustomScan = scan::ScanOutput, ScanError, ScanFluentBuilder;
    CustomTransactWrite = transact_write_items::TransactWriteItemsOutput, TransactWriteItemsError, TransactWriteItemsFluentBuilder;
    CustomTransactGet = transact_get_items::TransactGetItemsOutput, TransactGetItemsError, TransactGetItemsFluentBuilder;
}

/// `.customize(..)` of an operation, in the SDK's own terms.
macro_rules! customize_method {
    ($module:ident, $output:ident, $error:ident, $builder:ident) => {
        /// Changes every request of this operation before it is sent: interceptors, config
        /// overrides, the HTTP request. This is the SDK's own customizable operation.
        pub fn customize(
            mut self,
            change: impl Fn(
                aws_sdk_dynamodb::client::customize::CustomizableOperation<
                    aws_sdk_dynamodb::operation::$module::$output,
                    aws_sdk_dynamodb::operation::$module::$error,
                    aws_sdk_dynamodb::operation::$module::builders::$builder,
                >,
            ) -> aws_sdk_dynamodb::client::customize::CustomizableOperation<
                aws_sdk_dynamodb::operation::$module::$output,
                aws_sdk_dynamodb::operation::$module::$error,
                aws_sdk_dynamodb::operation::$module::builders::$builder,
            > + Send
            + Sync
            + 'static,
        ) -> Self {
            self.custom = crate::wire::Customize::new(change);
            self
        }
    };
}

pub(crate) use customize_method;
