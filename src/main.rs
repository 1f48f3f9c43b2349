//! The `tierboard` command.

fn main() {}
