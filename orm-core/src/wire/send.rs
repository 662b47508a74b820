/// Sends a builder with the probes and the user's changes, in the operation's span, which gets the
/// code of an error. An error comes with whether an attempt was lost.
///
/// The form with changes is that of operations on items: where a meter listens, they are asked what
/// they cost, which is added under the label in front, `label; table, builder, ..`. The form without
/// is that of operations on the table itself. The last part is a `Watch`, unless the default one does.
macro_rules! send {
    ($table:expr, $builder:expr, $span:expr) => {{
        let watch = crate::wire::Watch::new($table.endpoint(), &crate::wire::Sdk);
        let (attempts, _) = watch.seen();
        let custom = crate::wire::Customize::NONE;
        let answer = crate::wire::answer!($builder, custom, watch, $span);
        answer.map_err(|error| (error, attempts.any_lost()))
    }};
    ($($request:tt)*) => {{
        let (answer, lost) = crate::wire::attempt!($($request)*);
        answer.map_err(|error| (error, lost))
    }};
}

/// As `send`, for answers that may leave something undone: whether an attempt was lost matters there
/// although the last one succeeded.
macro_rules! attempt {
    ($label:expr; $table:expr, $builder:expr, $custom:expr, $span:expr, $watch:expr) => {{
        let watch = $watch;
        let (attempts, seam) = watch.seen();
        let builder = $table.meters().ask($builder);
        let answer = crate::wire::answer!(builder, $custom, watch, $span);
        let found = || crate::wire::Seam::found(&seam);
        $table.meters().see(|| $label, &answer, found, attempts.lost());
        (answer, attempts.any_lost())
    }};
}

/// The SDK's answer to a builder.
macro_rules! answer {
    ($builder:expr, $custom:expr, $watch:expr, $span:expr) => {{
        let span: tracing::Span = $span;
        let operation = $custom.apply($builder.customize().interceptor($watch));
        // In its place: it is large, and would be moved with every wrapper.
        let sent = std::pin::pin!(operation.send());
        let answer = tracing::Instrument::instrument(sent, span.clone()).await;
        if let Err(error) = &answer {
            use aws_sdk_dynamodb::error::ProvideErrorMetadata;
            span.record("error.type", error.code().unwrap_or("no answer"));
        }
        answer
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

/// A builder with what there is to set: each setter of the SDK moves it.
macro_rules! set_some {
    ($builder:expr, $($setter:ident: $value:expr),+ $(,)?) => {{
        let mut builder = $builder;
        $(
            let value = $value;
            if value.is_some() {
                builder = builder.$setter(value);
            }
        )+
        builder
    }};
}

pub(crate) use {answer, attempt, send, set_some, span};
