//! Tests of whole pages.
