//! The server, asked as browsers and programs ask it, without a socket.

mod api;
mod api_document;
mod events;
mod guards;
mod pages;
mod running;
mod served;
mod token;
mod watcher;
