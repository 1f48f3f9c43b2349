//! The one integration-test binary.

#![expect(clippy::disallowed_methods, reason = "tests prepare and look at files on the real disk")]

mod architecture;
mod cli_output;
mod cli_runner;
mod comparison;
mod docs;
mod fixtures;
mod gemini_cases;
mod gemini_client_cases;
#[cfg(feature = "web")]
mod http;
mod properties;
mod provenance;
