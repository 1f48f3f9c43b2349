//! Segments tile their text, and each byte of a source segment stands in the file it names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli_runner;
use crate::comparison::Comparison;
use crate::fixtures::{self, Case};

#[test]
fn every_byte_of_every_case_is_where_its_segment_says() {
    let mut comparison = Comparison::default();
    let mut totals = BTreeMap::new();
    for kind in ["gemini", "gemini-client"] {
        for stored in fixtures::cases(kind) {
            let case = Case::prepare(&stored);
            comparison.start_case(&case.name);
            let mut command = cli_runner::for_case(&case, "prompt");
            for path in case.accesses() {
                command.args(["--access", &path]);
            }
            match cli_runner::stdout(&mut command).and_then(|text| cli_runner::parse(&text)) {
                Ok(answer) => check(&mut comparison, &answer, &mut totals),
                Err(error) => comparison.note("run", &error),
            }
        }
    }
    comparison.finish();
    for kind in ["literal", "source", "placeholder"] {
        assert!(totals.get(kind).is_some_and(|count| *count > 5), "{kind}: {totals:?}");
    }
}

fn check(comparison: &mut Comparison, answer: &Value, totals: &mut BTreeMap<String, usize>) {
    let moved = moved(&answer["layers"]);
    let list = |value: &'_ Value| value.as_array().cloned().unwrap_or_default();
    let mut traced = list(&answer["prompt"]["messages"]);
    traced.extend(list(&answer["prompt"]["accesses"]));
    for each in traced {
        let text = each["text"].as_str().expect("a text");
        let mut end = 0;
        for segment in list(&each["segments"]) {
            let at = |key: &str| usize::try_from(segment[key].as_u64().expect(key)).expect(key);
            let kind = segment["kind"].as_str().expect("a kind");
            *totals.entry(kind.to_owned()).or_default() += 1;
            let (from, to) = (at("start"), at("end"));
            if from != end || to <= from {
                comparison.note("segments", &format!("{segment} follows byte {end}"));
            }
            end = to;
            let shown = text.get(from..to).unwrap_or("(not on character boundaries)");
            match kind {
                "source" => {
                    let path = segment["path"].as_str().expect("a path");
                    let path = moved.get(path).map_or(path, String::as_str);
                    let bytes = fs::read(Path::new(path)).expect("the file");
                    let bytes = bytes.get(at("source_start")..at("source_end")).unwrap_or(b"");
                    comparison.text("source", &String::from_utf8_lossy(bytes), shown);
                }
                "placeholder" => comparison.text("placeholder", "{{PRECEDENCE_TEXT}}", shown),
                other => comparison.text("kind", "literal", other),
            }
        }
        comparison.field("length", &text.len().into(), &end.into());
    }
}

/// Files that the agent would move first: the path as the agent spells it, and where they lie.
fn moved(layers: &Value) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut pending: Vec<&Value> =
        layers.as_array().into_iter().flatten().map(|layer| &layer["source"]).collect();
    while let Some(source) = pending.pop() {
        if let (Some(path), Some(disk)) = (source["path"].as_str(), source["disk_path"].as_str()) {
            found.insert(path.to_owned(), disk.to_owned());
        }
        pending.extend(source["imports"].as_array().into_iter().flatten());
    }
    found
}
