//! The hosts that the server answers for: what stops a page on another site from reaching us
//! under a name that it has pointed at this machine.

/// Names and addresses without port, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedHosts(Vec<String>);
