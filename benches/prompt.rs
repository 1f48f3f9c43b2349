//! A prompt of 1 MiB: reading and importing it, and rendering it from a snapshot; the plain copy of
//! as many bytes is the peer that shows what the machine can do.

use std::path::Path;

use divan::Bencher;
use divan::counter::BytesCount;
use tierboard::agents::{self, ScanOptions};
use tierboard::fs::{Environment, MemoryFs};
use tierboard::model::{PromptRequest, TrustMode};
use tierboard::snapshot::{Snapshot, scan};

const SIZE: usize = 1 << 20;

fn main() {
    divan::main();
}

/// A project file of 1 MiB with an import every thousand lines.
fn files() -> MemoryFs {
    let mut text = String::with_capacity(SIZE + 64);
    for line in 0.. {
        if text.len() >= SIZE {
            break;
        }
        if line % 1000 == 0 {
            text.push_str("@./part.md\n");
        }
        text.push_str("- Keep the module's option set to its value; see `docs/options.md`.\n");
    }
    MemoryFs::with_files([
        ("/w/.git", String::new()),
        ("/w/GEMINI.md", text),
        ("/w/part.md", "- A part that is imported.\n".to_owned()),
        ("/h/.gemini/GEMINI.md", "- Short sentences.\n\n\n\n".repeat(100)),
    ])
}

fn scanned(fs: &MemoryFs) -> Snapshot {
    let options = ScanOptions { trust: TrustMode::Assume, ..ScanOptions::default() };
    scan(fs, &Environment::with_home("/h"), Path::new("/w"), &options).expect("a workspace")
}

#[divan::bench]
fn scan_of_1_mib(bencher: Bencher<'_, '_>) {
    let fs = files();
    bencher.counter(BytesCount::new(SIZE)).bench(|| scanned(&fs));
}

#[divan::bench]
fn render_of_1_mib(bencher: Bencher<'_, '_>) {
    let snapshot = scanned(&files());
    let agent = agents::ALL[0];
    let found = snapshot.agent(agent.info().id).expect("the agent");
    let request = PromptRequest::default();
    bencher.counter(BytesCount::new(SIZE)).bench(|| agent.prompt(found, &request));
}

#[divan::bench]
fn plain_copy_of_1_mib(bencher: Bencher<'_, '_>) {
    let text = "x".repeat(SIZE);
    bencher.counter(BytesCount::new(SIZE)).bench(|| text.clone());
}
