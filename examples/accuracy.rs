//! Judges labelled pairs of facts: precision and recall by class, with Wilson bounds.
//!
//! `cargo run --release --example accuracy -- PAIRS [--json] [--wrong]`
//!
//! PAIRS is a TSV (label E, N, P, D or C; language; two facts) or JSON lines with `a`, `b` and
//! `label` (duplicate, paraphrase, different, contradiction).

#![expect(clippy::print_stdout, reason = "it prints a report")]
#![expect(clippy::disallowed_methods, reason = "it reads the file that it is given")]

use std::process::ExitCode;

use tierboard::similarity::{Class, Frame, Verdict, compare};

/// What a person says of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Exact,
    Near,
    /// Exact or near.
    Duplicate,
    Paraphrase,
    Different,
    Contradiction,
}

struct Row {
    label: Label,
    a: String,
    b: String,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = arguments.iter().find(|argument| !argument.starts_with("--")) else {
        println!("usage: accuracy PAIRS [--json] [--wrong]");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => {
            println!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        match row(line) {
            Some(row) => rows.push(row),
            None => {
                println!("{path}:{}: no labelled pair", number + 1);
                return ExitCode::from(2);
            }
        }
    }
    let verdicts: Vec<Verdict> =
        rows.iter().map(|row| compare(&Frame::new(&row.a), &Frame::new(&row.b))).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("--json") {
        print_json(&rows, &verdicts);
    } else {
        print_report(&rows, &verdicts, has("--wrong"));
    }
    ExitCode::SUCCESS
}

fn row(line: &str) -> Option<Row> {
    if line.starts_with('{') {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        let text = |key: &str| value.get(key)?.as_str().map(str::to_owned);
        let label = match text("label")?.as_str() {
            "duplicate" => Label::Duplicate,
            "exact" => Label::Exact,
            "near" => Label::Near,
            "paraphrase" => Label::Paraphrase,
            "different" => Label::Different,
            "contradiction" => Label::Contradiction,
            _ => return None,
        };
        return Some(Row { label, a: text("a")?, b: text("b")? });
    }
    let mut columns = line.split('\t');
    let label = match columns.next()? {
        "E" => Label::Exact,
        "N" => Label::Near,
        "P" => Label::Paraphrase,
        "D" => Label::Different,
        "C" => Label::Contradiction,
        _ => return None,
    };
    columns.next()?;
    Some(Row { label, a: columns.next()?.to_owned(), b: columns.next()?.to_owned() })
}

fn print_json(rows: &[Row], verdicts: &[Verdict]) {
    let pairs: Vec<_> = verdicts
        .iter()
        .enumerate()
        .map(|(index, verdict)| {
            serde_json::json!({
                "index": index,
                "class": verdict.class.name(),
                "score": verdict.score,
                "guard": verdict.guard.map(|guard| guard.name()),
                "label": format!("{:?}", rows[index].label).to_lowercase(),
            })
        })
        .collect();
    println!("{:#}", serde_json::json!({ "pairs": pairs }));
}

/// A share with the bounds of its 95 % interval after Wilson.
fn share(hits: usize, all: usize) -> String {
    if all == 0 {
        return "-".to_owned();
    }
    let (p, n, z) = (hits as f64 / all as f64, all as f64, 1.96_f64);
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    format!("{hits}/{all} = {p:.2} ({:.2} to {:.2})", middle - half, middle + half)
}

fn print_report(rows: &[Row], verdicts: &[Verdict], wrong: bool) {
    let count = |label: &[Label], class: &[Class]| {
        let both = rows.iter().zip(verdicts);
        both.filter(|(row, verdict)| label.contains(&row.label) && class.contains(&verdict.class))
            .count()
    };
    let all = |label: &[Label]| rows.iter().filter(|row| label.contains(&row.label)).count();
    let duplicate = [Label::Exact, Label::Near, Label::Duplicate];
    let same = [Label::Exact, Label::Near, Label::Duplicate, Label::Paraphrase];
    let found = [Class::Exact, Class::Near];
    let everything = [
        Label::Exact,
        Label::Near,
        Label::Duplicate,
        Label::Paraphrase,
        Label::Different,
        Label::Contradiction,
    ];
    let called = count(&everything, &found);
    println!("pairs                               {}", rows.len());
    println!(
        "exact found                         {}",
        share(count(&[Label::Exact], &[Class::Exact]), all(&[Label::Exact]))
    );
    println!(
        "near found (as exact or near)       {}",
        share(count(&[Label::Near], &found), all(&[Label::Near]))
    );
    println!(
        "duplicates found                    {}",
        share(count(&duplicate, &found), all(&duplicate))
    );
    println!("exact and near that are the same    {}", share(count(&same, &found), called));
    println!(
        "paraphrases found (any class)       {}",
        share(
            count(&[Label::Paraphrase], &[Class::Exact, Class::Near, Class::Paraphrase]),
            all(&[Label::Paraphrase])
        )
    );
    println!(
        "contradictions called duplicates    {}",
        share(count(&[Label::Contradiction], &found), all(&[Label::Contradiction]))
    );
    println!(
        "contradictions found                {}",
        share(
            count(&[Label::Contradiction], &[Class::Contradiction]),
            all(&[Label::Contradiction])
        )
    );
    println!(
        "contradictions that are             {}",
        share(
            count(&[Label::Contradiction], &[Class::Contradiction]),
            count(&everything, &[Class::Contradiction])
        )
    );
    println!(
        "possible contradictions that are    {}",
        share(
            count(&[Label::Contradiction], &[Class::PossibleContradiction]),
            count(&everything, &[Class::PossibleContradiction])
        )
    );
    if wrong {
        for (row, verdict) in rows.iter().zip(verdicts) {
            let is_right = match row.label {
                Label::Exact => verdict.class == Class::Exact,
                Label::Near | Label::Duplicate => found.contains(&verdict.class),
                Label::Paraphrase => {
                    verdict.class != Class::Contradiction
                        && verdict.class != Class::PossibleContradiction
                }
                Label::Different => verdict.class == Class::None,
                Label::Contradiction => verdict.class == Class::Contradiction,
            };
            if !is_right {
                println!(
                    "\n{:?} called {} ({}, {})\n  {}\n  {}",
                    row.label,
                    verdict.class.name(),
                    verdict.score,
                    verdict.guard.map_or("-", |guard| guard.name()),
                    row.a,
                    row.b
                );
                for (side, fact) in [("left", &row.a), ("right", &row.b)] {
                    let terms: Vec<String> = Frame::new(fact)
                        .terms
                        .iter()
                        .map(|term| {
                            format!(
                                "{}[{} {} {:+}]",
                                term.text, term.key, term.weight, term.polarity
                            )
                        })
                        .collect();
                    println!("    {side}: {}", terms.join(" "));
                }
            }
        }
    }
}
