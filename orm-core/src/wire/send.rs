/// Sends a builder with the probes and the user's changes, in the operation's span, which gets the
/// code of an error. An error comes with whether an attempt was lost. Unless said otherwise the SDK
/// sends it again as it likes.
///
/// The form with changes is that of operations on items: where a meter listens, they are asked what
/// they cost, which is added under the label in front, `label; table, builder, ..`. The form without
/// is that of operations on the table itself.
macro_rules! send {
    ($table:expr, $builder:expr, $span:expr) => {{
        let attempts = crate::wire::Attempts::new(crate::wire::Repeat::Any);
        let (custom, seam) = (crate::wire::Customize::NONE, &crate::wire::Sdk);
        let answer = crate::wire::answer!($table, $builder, custom, attempts, seam, $span);
        answer.map_err(|error| (error, attempts.any_lost()))
    }};
    ($($request:tt)*) => {{
        let (answer, lost) = crate::wire::attempt!($($request)*);
        answer.map_err(|error| (error, lost))
    }};
}

/// As `send`, for answers that may leave something undone: whether an attempt was lost matters there
/// although the last one succeeded. `seam`: what reads the items of the answer, else the SDK.
macro_rules! attempt {
    ($label:expr; $table:expr, $builder:expr, $custom:expr, $span:expr) => {
        crate::wire::attempt!(
            $label; $table, $builder, $custom, crate::wire::Repeat::Any, $span, &crate::wire::Sdk
        )
    };
    ($label:expr; $table:expr, $builder:expr, $custom:expr, $span:expr, seam $seam:expr) => {
        crate::wire::attempt!(
            $label; $table, $builder, $custom, crate::wire::Repeat::Any, $span, $seam
        )
    };
    ($label:expr; $table:expr, $builder:expr, $custom:expr, $repeat:expr, $span:expr) => {
        crate::wire::attempt!(
            $label; $table, $builder, $custom, $repeat, $span, &crate::wire::Sdk
        )
    };
    (
        $label:expr;
        $table:expr, $builder:expr, $custom:expr, $repeat:expr, $span:expr, $seam:expr
    ) => {{
        let attempts = crate::wire::Attempts::new($repeat);
        let builder = $table.meters().ask($builder);
        let seam = $seam;
        let answer = crate::wire::answer!($table, builder, $custom, attempts, seam, $span);
        let found = || crate::wire::Seam::found(seam);
        $table.meters().see(|| $label, &answer, found, attempts.lost());
        (answer, attempts.any_lost())
    }};
}

/// The SDK's answer to a builder.
macro_rules! answer {
    ($table:expr, $builder:expr, $custom:expr, $attempts:expr, $seam:expr, $span:expr) => {{
        let span: tracing::Span = $span;
        let operation = $builder.customize().interceptor(crate::wire::Watch {
            endpoint: $table.endpoint().clone(),
            attempts: $attempts.clone(),
            seam: $seam.clone(),
        });
        let sent = $custom.apply(operation).send();
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

pub(crate) use {answer, attempt, send, span};
