//! `#[document(..)]`.

use syn::DeriveInput;

use super::{default_krate, fields, krate, read, set, settings, unknown};
use crate::ctxt::Ctxt;
use crate::model::DocumentModel;

impl DocumentModel {
    pub(crate) fn from_input(ctxt: &Ctxt, input: &DeriveInput) -> Option<Self> {
        let fields = fields::of_document(ctxt, input)?;
        let mut crate_path = None;
        read(ctxt, &input.attrs, "document", |input| {
            settings(ctxt, input, |key, input| {
                match key.to_string().as_str() {
                    "crate" => set(ctxt, key, &mut crate_path, krate(input)?),
                    _ => return Err(unknown(key, "document", &["crate"])),
                }
                Ok(())
            });
            Ok(())
        });
        Some(Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            generics: input.generics.clone(),
            krate: crate_path.unwrap_or_else(default_krate),
            fields,
        })
    }
}
