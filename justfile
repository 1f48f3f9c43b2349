# Everything that CI runs.
ready:
    ./scripts/test

# The dashboard for a folder.
serve path=".":
    cargo run --release -- serve {{path}}

# The quick part.
check:
    cargo fmt --check && cargo clippy --all-targets -- -D warnings && cargo test

# The bundle of the pages.
web:
    npm --prefix web ci && npm --prefix web run build

# Documents made from code.
generate:
    TIERBOARD_UPDATE=1 cargo test --test suite

# Discovery beside fd and ripgrep; see docs/performance.md.
compare tree:
    benches/compare/discovery.sh {{tree}}
