/// Sends a builder with the probes and the user's changes, in the operation's span, which gets the
/// code of an error. An error comes with whether an attempt was lost. Unless said otherwise the SDK
/// sends it again as it likes.
macro_rules! send {
    ($table:expr, $builder:expr, $span:expr) => {
        crate::wire::send!($table, $builder, crate::wire::Customize::NONE, $span)
    };
    ($table:expr, $builder:expr, $custom:expr, $span:expr) => {
        crate::wire::send!($table, $builder, $custom, crate::wire::Repeat::Any, $span)
    };
    ($table:expr, $builder:expr, $custom:expr, $repeat:expr, $span:expr) => {{
        let (answer, lost) = crate::wire::attempt!($table, $builder, $custom, $repeat, $span);
        answer.map_err(|error| (error, lost))
    }};
}

/// As `send`, for answers that may leave something undone: whether an attempt was lost matters there
/// although the last one succeeded.
macro_rules! attempt {
    ($table:expr, $builder:expr, $custom:expr, $span:expr) => {
        crate::wire::attempt!($table, $builder, $custom, crate::wire::Repeat::Any, $span)
    };
    ($table:expr, $builder:expr, $custom:expr, $repeat:expr, $span:expr) => {{
        let span: tracing::Span = $span;
        let attempts = crate::wire::Attempts::new($repeat);
        let operation = $builder.customize().interceptor($table.endpoint().clone());
        let operation = operation.interceptor(attempts.clone());
        let sent = $custom.apply(operation).send();
        let answer = tracing::Instrument::instrument(sent, span.clone()).await;
        if let Err(error) = &answer {
            use aws_sdk_dynamodb::error::ProvideErrorMetadata;
            span.record("error.type", error.code().unwrap_or("no answer"));
        }
        (answer, attempts.any_lost())
    }};
}

/// A span with the names of OpenTelemetry's database conventions.
macro_rules! span {
    ($operation:literal, $table:expr $(, $($field:tt)*)?) => {
        tracing::debug_span!(
            "dynamodb",
            otel.name = concat!("DynamoDB.", $operation),
            otel.kind = "client",
            db.system.name = "aws.dynamodb",
            db.operation.name = $operation,
            db.collection.name = $table.name(),
            error.type = tracing::field::Empty,
            $($($field)*)?
        )
    };
}

pub(crate) use {attempt, send, span};
