//! The dashboard and the REST API.
