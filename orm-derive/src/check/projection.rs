//! What a projection reads.

use crate::ctxt::Ctxt;
use crate::model::ProjectionModel;

/// A projection reads something, and no attribute into two fields.
///
/// Whether the entity has the attributes is checked by the constants that `expand` emits.
pub(crate) fn projection(ctxt: &Ctxt, model: &ProjectionModel) {
    let ProjectionModel { ident, fields, .. } = model;
    // A mistake in a field has been reported, and the field left out.
    if fields.is_empty() && ctxt.len() == 0 {
        ctxt.error(
            ident,
            format_args!(
                "`{ident}` has no field to read: name at least one attribute, or read keys alone with \
                `.keys()`"
            ),
        );
    }
    for (at, field) in fields.iter().enumerate() {
        let name = &field.attribute;
        if let Some(other) = fields[..at].iter().find(|other| other.attribute == *name) {
            ctxt.error(
                &field.ident,
                format_args!(
                    "`{}` and `{}` are both read from `{name}`: leave one out",
                    other.ident, field.ident
                ),
            );
        }
    }
}
