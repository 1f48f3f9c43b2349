//! Context files of extensions that are off or can't be loaded.

use super::{Expected, entry};
use crate::model::{NotLoaded, Reason};

pub(super) fn explain(expected: &Expected<'_>) -> Vec<NotLoaded> {
    let fs = expected.finder.fs;
    let extensions = expected.extensions;
    let disabled =
        extensions.loaded.iter().filter(|extension| !extension.is_active).flat_map(|extension| {
            extension.context_files.iter().filter(|path| fs.exists(path)).map(|path| {
                let detail = format!(
                    "The extension {} is off here: by its rules, or because others were asked for.",
                    extension.name
                );
                let fix = format!(
                    "Run `gemini extensions enable {}`, or leave out the list of extensions asked for.",
                    extension.name
                );
                entry(path, Reason::ExtensionDisabled, detail, &fix)
            })
        });
    let invalid = extensions.skipped.iter().filter_map(|skipped| {
        let path = skipped.folder.join("GEMINI.md");
        let detail = format!("Gemini CLI skips this extension: {}.", skipped.reason);
        fs.exists(&path).then(|| entry(&path, Reason::ExtensionInvalid, detail, skipped.fix))
    });
    disabled.chain(invalid).collect()
}
