//! Which set of texts a model gets.
//!
//! Source: `docs/agents/gemini-cli.md`, section "What the model gets".

use super::names::DEFAULT_NAME;

/// The model when nothing names one.
pub(super) const DEFAULT_MODEL: &str = "auto";

/// Whether a model gets the newer set of texts: Gemini 3, and every name that isn't Gemini's.
fn is_modern(model: &str) -> bool {
    match model.trim() {
        "auto" | "pro" | "flash" | "flash-lite" | "auto-gemini-3" | "none" => true,
        "auto-gemini-2.5" => false,
        name => match name.strip_prefix("gemini-") {
            None => true,
            Some("3") => true,
            Some(rest) => rest.starts_with("3.") || rest.starts_with("3-"),
        },
    }
}

/// Whether what this name stands for is decided by the account, not by the name.
pub(super) fn depends_on_account(model: &str) -> bool {
    matches!(model.trim(), "auto" | "pro")
}

/// The names in the heading of the system instruction; the older set always writes the default.
pub(super) fn heading_names(model: &str, names: &[String]) -> String {
    if is_modern(model) { names.join(", ") } else { DEFAULT_NAME.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newer_texts_go_to_gemini_3_and_to_other_makers() {
        for model in ["gemini-3-pro-preview", "gemini-3.1-pro", "gemini-3", "gemma-3-27b-it", "x"] {
            assert!(is_modern(model), "{model}");
        }
        for model in ["gemini-2.5-pro", "gemini-30", "auto-gemini-2.5"] {
            assert!(!is_modern(model), "{model}");
        }
    }
}
