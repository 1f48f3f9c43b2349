//! The formats that other programs and people read; one file a format.
