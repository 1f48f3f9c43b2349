//! Binding and running the server.
