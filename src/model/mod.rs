//! The vocabulary of Tierboard: plain data, no logic beyond construction, no IO, no wire format.
//!
//! Every other module speaks in these types. Formats that other programs read are owned by
//! `report` and `web::api`, so a rename here cannot break a client.

mod agent;
mod diagnostic;
mod fact;
mod layer;
mod precedence;
mod prompt;
mod reason;
mod source;
mod text;
mod tier;

pub use agent::{AgentInfo, AgentSnapshot, Fidelity, Trust, TrustMode};
pub use diagnostic::{Diagnostic, DiagnosticCode, Severity};
pub use fact::{Context, Fact, FactKind};
pub use layer::{FileIdentity, GitState, Layer, LayerId, LayerState, LoadMode, NotLoaded};
pub use precedence::Precedence;
pub use prompt::{Access, AccessText, AfterAccesses, Message, MessageKind, Prompt, PromptRequest};
pub use reason::Reason;
pub use source::{Import, ImportStatus, Source, SourceId};
pub use text::{FixedTexts, Origin, Placeholder, Segment, SourceRef, TracedText};
pub use tier::Tier;
