//! Whether two facts say the same, contradict each other, or neither; with the reasons.
//!
//! Pure: text in, verdicts out. A fact becomes a [`Frame`] (its content words by class, each with
//! the polarity of its clause, numbers with units, identifiers as they are); two frames are
//! aligned; the alignment is tested for contradictions first, then for a difference of scope, and
//! what is left by how much of the weight is shared.

mod align;
mod frame;
mod judge;
mod language;
mod lexicon;
mod plain;
mod signals;
mod token;

pub use align::{Alignment, Matched};
pub use frame::{Frame, Modality, Term, TermKind};
pub use judge::{Class, Guard, Verdict, compare};
pub use language::Language;
pub use signals::Signal;
