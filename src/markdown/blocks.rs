//! A file as a tree of blocks.

use std::ops::Range;

use pulldown_cmark::{Event, MetadataBlockKind, Options, Parser, Tag, TagEnd};

use super::inline::{Collector, Inline};

/// Lists and quotations inside each other, deeper than anybody writes. What lies deeper is read as
/// if it stood at this depth, so that no file can exhaust the stack.
const DEEPEST: usize = 64;

/// A block and what it holds.
#[derive(Debug)]
pub(super) enum Block {
    /// A heading: level 1 to 6.
    Heading(u8, Inline),
    /// A paragraph, or the text of a tight list item.
    Text(Inline),
    /// A list: its items, each with its blocks.
    List(Vec<Vec<Block>>),
    /// A quotation.
    Quote(Vec<Block>),
    /// A table: the heads of its columns, and its rows with their bytes.
    Table(Vec<Inline>, Vec<(Range<usize>, Vec<Inline>)>),
    /// Code: its language and the bytes of its lines.
    Code(String, Vec<Range<usize>>),
}

/// A block that is being read.
enum Open {
    Plain,
    List,
    Item,
    Quote,
    Heading(u8),
    Table,
    Head(Vec<Inline>),
    Row(Range<usize>, Vec<Inline>),
    Cell,
    Code(String, Vec<Range<usize>>),
    /// Front matter, raw HTML, footnotes: nothing in it counts.
    Ignored,
}

/// The blocks of a text.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut reader =
        Reader { text, stack: vec![Frame::new(Open::Plain)], inline: Collector::default() };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.read(event, range);
    }
    reader.end_text();
    reader.stack.swap_remove(0).blocks
}

struct Frame {
    open: Open,
    blocks: Vec<Block>,
    /// Items of a list, rows of a table.
    items: Vec<Vec<Block>>,
    rows: Vec<(Range<usize>, Vec<Inline>)>,
    columns: Vec<Inline>,
}

impl Frame {
    const fn new(open: Open) -> Self {
        Self { open, blocks: Vec::new(), items: Vec::new(), rows: Vec::new(), columns: Vec::new() }
    }
}

struct Reader<'t> {
    text: &'t str,
    stack: Vec<Frame>,
    inline: Collector,
}

impl Reader<'_> {
    fn read(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag, range),
            Event::Text(_) => match &mut self.top().open {
                Open::Code(_, lines) => lines.push(range),
                Open::Ignored => {}
                _ => self.inline.add(self.text, range),
            },
            Event::Code(_) => self.inline.add_code(self.text, range),
            Event::InlineHtml(html) if html.starts_with("<!--") => {
                self.inline.add_comment(self.text, range);
            }
            Event::SoftBreak => self.inline.line_break(false),
            Event::HardBreak => self.inline.line_break(true),
            Event::Rule => self.end_text(),
            Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_) => self.inline.add(self.text, range),
            Event::Html(_) | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        let open = match tag {
            Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript => {
                // The marks count, too: a line may begin with them.
                return self.inline.add(self.text, range.start..range.start);
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                return self.inline.add_link(self.text, range, &dest_url);
            }
            Tag::Paragraph => Open::Plain,
            Tag::Heading { level, .. } => Open::Heading(level as u8),
            Tag::BlockQuote(_) | Tag::List(_) | Tag::Item if self.stack.len() > DEEPEST => {
                Open::Plain
            }
            Tag::BlockQuote(_) => Open::Quote,
            Tag::CodeBlock(kind) => {
                let info = match &kind {
                    pulldown_cmark::CodeBlockKind::Fenced(info) => info.as_ref(),
                    pulldown_cmark::CodeBlockKind::Indented => "",
                };
                let language = info.split([' ', ',', '{']).next().unwrap_or_default();
                Open::Code(language.to_lowercase(), Vec::new())
            }
            Tag::List(_) => Open::List,
            Tag::Item => Open::Item,
            Tag::Table(_) => Open::Table,
            Tag::TableHead => Open::Head(Vec::new()),
            Tag::TableRow => Open::Row(range, Vec::new()),
            Tag::TableCell => Open::Cell,
            Tag::MetadataBlock(MetadataBlockKind::YamlStyle | MetadataBlockKind::PlusesStyle)
            | Tag::HtmlBlock
            | Tag::FootnoteDefinition(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => Open::Ignored,
        };
        self.end_text();
        self.stack.push(Frame::new(open));
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image => return self.inline.add(self.text, range.end..range.end),
            _ => {}
        }
        if matches!(self.top().open, Open::Cell | Open::Heading(_)) {
            let inline = self.inline.take(self.text);
            let frame = self.pop();
            match (frame.open, &mut self.top().open) {
                (Open::Cell, Open::Head(cells) | Open::Row(_, cells)) => cells.push(inline),
                (Open::Heading(level), _) => self.top().blocks.push(Block::Heading(level, inline)),
                _ => {}
            }
            return;
        }
        self.end_text();
        let frame = self.pop();
        let parent = self.top();
        match frame.open {
            Open::Plain if parent.blocks.is_empty() => parent.blocks = frame.blocks,
            Open::Plain => parent.blocks.extend(frame.blocks),
            Open::Item if matches!(parent.open, Open::List) => parent.items.push(frame.blocks),
            Open::Item => parent.blocks.extend(frame.blocks),
            Open::List => parent.blocks.push(Block::List(frame.items)),
            Open::Quote => parent.blocks.push(Block::Quote(frame.blocks)),
            Open::Head(cells) => parent.columns = cells,
            Open::Row(range, cells) => parent.rows.push((range, cells)),
            Open::Table => parent.blocks.push(Block::Table(frame.columns, frame.rows)),
            Open::Code(language, lines) => parent.blocks.push(Block::Code(language, lines)),
            Open::Heading(_) | Open::Cell | Open::Ignored => {}
        }
    }

    /// Ends a text that no tag surrounds, as in tight list items.
    fn end_text(&mut self) {
        let inline = self.inline.take(self.text);
        if !inline.is_empty() {
            let frame = self.top();
            if !matches!(frame.open, Open::Ignored) {
                frame.blocks.push(Block::Text(inline));
            }
        }
    }

    fn top(&mut self) -> &mut Frame {
        // The outermost frame is never taken off.
        let last = self.stack.len() - 1;
        &mut self.stack[last]
    }

    fn pop(&mut self) -> Frame {
        if self.stack.len() > 1
            && let Some(frame) = self.stack.pop()
        {
            return frame;
        }
        Frame::new(Open::Ignored)
    }
}
