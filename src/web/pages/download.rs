//! The exact text of a view as a file. Nothing is hidden in it.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::answer::Asked;
use super::subject::answer;
use super::understood::refusal;
use crate::model::MessageKind;
use crate::report::Places;
use crate::report::text::{Painter, shown};
use crate::web::{AppState, Kind, Problem};

/// `GET /prompt.txt?view=...`: the views of the API's prompt endpoint.
pub(super) async fn prompt_text(
    State(state): State<AppState>,
    asked: Asked,
) -> Result<Response, Problem> {
    if let Some(why) = refusal(&asked.query) {
        return Err(Problem::new(Kind::BadRequest, why));
    }
    let painter = Painter::new(
        false,
        Places::new(state.workspace(), &[], state.environment().home.as_deref()),
    );
    let found = answer(&state, asked, "/prompt.txt".to_owned(), move |subject, at| {
        let name = at.query.get("view").unwrap_or("sent");
        let text = if name == MessageKind::ToolOutput.name() {
            let messages = subject.prompt().messages.iter();
            let messages = messages.filter(|message| message.kind == MessageKind::ToolOutput);
            Ok(messages.map(|message| message.text.as_str()).collect())
        } else {
            shown(subject.view, name, &painter, false)
        };
        text.map(|text| (text, format!("{}-{name}.txt", subject.agent().info.id)))
    })
    .await?;
    let (text, name) = found.map_err(|known| {
        Problem::new(Kind::UnknownLayer, format!("Views are {}.", known.join(", ")))
    })?;
    // The name is made of ids: letters, digits and dashes.
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, text).into_response())
}
