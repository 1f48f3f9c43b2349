//! The OpenAPI document as the API page shows it: endpoints, then the shapes they speak in.

use serde_json::Value;

/// Parts of a sentence, and whether they are code.
pub(crate) type Words = Vec<(bool, String)>;

/// A parameter of an endpoint.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) place: String,
    pub(crate) kind: String,
    pub(crate) is_required: bool,
    pub(crate) description: Words,
}

/// A content type of an answer, and its shape.
pub(crate) struct Content {
    pub(crate) media: String,
    pub(crate) kind: Kind,
}

/// One possible answer.
pub(crate) struct Answer {
    pub(crate) status: String,
    pub(crate) description: Words,
    pub(crate) contents: Vec<Content>,
}

/// One endpoint.
pub(crate) struct Endpoint {
    pub(crate) anchor: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) summary: String,
    pub(crate) paragraphs: Vec<Words>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) curl: String,
}

/// A type, with the shape that it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) text: String,
    pub(crate) shape: Option<String>,
}

/// A field of a shape.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) is_optional: bool,
    pub(crate) description: Words,
}

/// A shape.
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) description: Words,
    pub(crate) fields: Vec<Field>,
    /// The values of an enumeration.
    pub(crate) values: Vec<String>,
}

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// How the server is asked in examples.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    /// The start of its addresses.
    pub(crate) base: String,
    /// Whether it asks for a token. The token itself is on no page.
    pub(crate) asks_for_token: bool,
}

/// All endpoints, in the order of the document.
pub(crate) fn endpoints(document: &Value, server: &Server) -> Vec<Endpoint> {
    let mut endpoints = all_endpoints(document, server);
    let answers = endpoints.iter_mut().flat_map(|endpoint| &mut endpoint.answers);
    for content in answers.flat_map(|answer| &mut answer.contents) {
        content.kind.keep_known(document);
    }
    endpoints
}

fn all_endpoints(document: &Value, server: &Server) -> Vec<Endpoint> {
    let Some(paths) = document["paths"].as_object() else { return Vec::new() };
    let of_path = |(path, item): (&String, &Value)| {
        let operations = METHODS.into_iter().filter(|method| item[*method].is_object());
        operations.map(|method| endpoint(path, method, &item[method], server)).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of_path).collect()
}

fn endpoint(path: &str, method: &str, operation: &Value, server: &Server) -> Endpoint {
    let parameters: Vec<&Value> =
        operation["parameters"].as_array().into_iter().flatten().collect();
    let answers = operation["responses"].as_object().into_iter().flatten().map(answer).collect();
    let slug: String =
        path.chars().map(|each| if each.is_ascii_alphanumeric() { each } else { '-' }).collect();
    Endpoint {
        anchor: format!("{method}{slug}").trim_end_matches('-').to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&operation["summary"]),
        paragraphs: text(&operation["description"])
            .split("\n\n")
            .filter(|paragraph| !paragraph.is_empty())
            .map(words)
            .collect(),
        curl: curl(path, method, operation, &parameters, server),
        parameters: parameters.into_iter().map(parameter).collect(),
        answers,
    }
}

fn parameter(parameter: &Value) -> Parameter {
    Parameter {
        name: text(&parameter["name"]),
        place: text(&parameter["in"]),
        kind: kind(&parameter["schema"]).text,
        is_required: parameter["required"].as_bool().unwrap_or(false),
        description: words(&text(&parameter["description"])),
    }
}

fn answer((status, answer): (&String, &Value)) -> Answer {
    let contents = answer["content"].as_object().into_iter().flatten();
    Answer {
        status: status.clone(),
        description: words(&text(&answer["description"])),
        contents: contents
            .map(|(media, content)| Content {
                media: media.clone(),
                kind: kind(&content["schema"]),
            })
            .collect(),
    }
}

/// A line for a shell that asks the endpoint, with the examples of its parameters.
fn curl(
    path: &str,
    method: &str,
    operation: &Value,
    parameters: &[&Value],
    server: &Server,
) -> String {
    let mut address = path.to_owned();
    let mut separator = '?';
    for parameter in parameters {
        let name = text(&parameter["name"]);
        let example = match &parameter["example"] {
            Value::Null => None,
            Value::String(example) => Some(example.clone()),
            other => Some(other.to_string()),
        };
        match (parameter["in"].as_str(), example) {
            (Some("path"), example) => {
                let value = example.unwrap_or_else(|| format!("<{name}>"));
                address = address.replace(&format!("{{{name}}}"), &value);
            }
            (Some("query"), Some(example)) => {
                address.push(separator);
                address.push_str(&format!("{name}={example}"));
                separator = '&';
            }
            _ => {}
        }
    }
    let is_stream = operation["responses"]["200"]["content"]["text/event-stream"].is_object();
    let options = match (method, is_stream) {
        ("get", true) => " -N".to_owned(),
        ("get", false) => String::new(),
        _ => format!(" -X {}", method.to_uppercase()),
    };
    let plain = operation["responses"]["200"]["content"]["text/plain"].is_object();
    let accept = if plain { " -H 'Accept: text/plain'" } else { "" };
    let token = if server.asks_for_token { " -H 'Authorization: Bearer TOKEN'" } else { "" };
    format!("curl{options}{token}{accept} '{}{address}'", server.base)
}

/// All shapes by name.
pub(crate) fn shapes(document: &Value) -> Vec<Shape> {
    let schemas = document["components"]["schemas"].as_object();
    let mut shapes: Vec<_> =
        schemas.into_iter().flatten().map(|(name, schema)| shape(name, schema)).collect();
    for field in shapes.iter_mut().flat_map(|shape| &mut shape.fields) {
        field.kind.keep_known(document);
    }
    shapes
}

impl Kind {
    /// Forgets a shape that the document names and doesn't hold.
    fn keep_known(&mut self, document: &Value) {
        let schemas = &document["components"]["schemas"];
        self.shape = self.shape.take().filter(|name| schemas[name.as_str()].is_object());
    }
}

fn shape(name: &str, schema: &Value) -> Shape {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let field = |(name, schema): (&String, &Value)| Field {
        kind: kind(schema),
        is_optional: !required.contains(&name.as_str()),
        description: words(&text(&schema["description"])),
        name: name.clone(),
    };
    let values = schema["enum"].as_array().into_iter().flatten();
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let name_of = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let variant = |variant: &Value| kind(variant).text;
    Shape {
        name: name.to_owned(),
        description: words(&text(&schema["description"])),
        fields: schema["properties"].as_object().into_iter().flatten().map(field).collect(),
        values: values.map(name_of).chain(variants.map(variant)).collect(),
    }
}

/// A type in a few words: `string`, `list of LayerJson`, `number or null`.
fn kind(schema: &Value) -> Kind {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        return Kind { text: name.to_owned(), shape: Some(name.to_owned()) };
    }
    for list in ["oneOf", "anyOf", "allOf"] {
        if let Some(schemas) = schema[list].as_array() {
            let kinds: Vec<Kind> = schemas.iter().map(kind).collect();
            let texts: Vec<&str> = kinds.iter().map(|kind| kind.text.as_str()).collect();
            let shape = kinds.iter().find_map(|kind| kind.shape.clone());
            return Kind { text: texts.join(" or "), shape };
        }
    }
    let plain = |text: String| Kind { text, shape: None };
    match &schema["type"] {
        Value::String(name) if name == "array" => {
            let inner = kind(&schema["items"]);
            Kind { text: format!("list of {}", inner.text), shape: inner.shape }
        }
        Value::String(name) if name == "object" => fields_in_short(schema),
        Value::String(name) => plain(allowed(name, schema)),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str).map(|name| match name {
                "array" => format!("list of {}", kind(&schema["items"]).text),
                name => name.to_owned(),
            });
            plain(names.collect::<Vec<_>>().join(" or "))
        }
        _ => plain("any".to_owned()),
    }
}

fn allowed(name: &str, schema: &Value) -> String {
    let values: Vec<&str> =
        schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if values.is_empty() { name.to_owned() } else { values.join(", ") }
}

/// An object without a name of its own: its fields.
fn fields_in_short(schema: &Value) -> Kind {
    let fields: Vec<String> = schema["properties"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, schema)| format!("{name}: {}", kind(schema).text))
        .collect();
    let text = if fields.is_empty() {
        "object".to_owned()
    } else {
        format!("{{ {} }}", fields.join(", "))
    };
    Kind { text, shape: None }
}

/// Words, and those in backticks as code: every second part.
fn words(text: &str) -> Words {
    text.split('`').enumerate().map(|(index, part)| (index % 2 == 1, part.to_owned())).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_endpoint_of_the_document_is_shown() {
        let document = serde_json::to_value(crate::web::api::openapi()).unwrap();
        let server = |asks_for_token| Server { base: "http://x".to_owned(), asks_for_token };
        let shown = endpoints(&document, &server(false));
        let count: usize = document["paths"]
            .as_object()
            .unwrap()
            .values()
            .map(|item| item.as_object().unwrap().len())
            .sum();
        assert_eq!(shown.len(), count);
        assert!(shown.iter().all(|each| each.curl.starts_with("curl") && !each.answers.is_empty()));
        assert!(!shapes(&document).is_empty());
        let has_token = |each: &Endpoint| each.curl.contains(" -H 'Authorization: Bearer TOKEN' ");
        assert!(!shown.iter().any(has_token));
        assert!(endpoints(&document, &server(true)).iter().all(has_token));
    }

    #[test]
    fn types_are_named_in_a_few_words() {
        let kind_of = |json: &str| kind(&serde_json::from_str(json).unwrap()).text;
        assert_eq!(
            kind_of(r##"{"type":"array","items":{"$ref":"#/components/schemas/A"}}"##),
            "list of A"
        );
        assert_eq!(kind_of(r#"{"type":["string","null"]}"#), "string or null");
        assert_eq!(kind_of(r#"{"type":"string","enum":["a","b"]}"#), "a, b");
    }
}
