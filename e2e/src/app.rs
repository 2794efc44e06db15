//! The app's server, which a scenario can stop, restart and switch to another build.

use std::path::Path;

use anyhow::{Context, Result};
use crawl_server::{Options, Server, Site};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use url::Url;

/// A server of the app at a fixed address.
#[derive(Debug)]
pub struct App {
    options: Options,
    address: Url,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl App {
    /// Serves a folder on a free port, under a path that begins and ends with a slash.
    pub(crate) async fn start(folder: &Path, base: &str) -> Result<Self> {
        let options = Options { port: Some(0), base: base.to_owned(), ..Options::default() };
        let server = Server::bind(Site::read(folder)?, &options).await?;
        let address: Url = server.url().parse()?;
        let options = Options { port: address.port(), ..options };
        let mut app = Self { options, address, running: None };
        app.run(server);
        Ok(app)
    }

    /// The address of the page.
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// Stops the server.
    pub async fn stop(&mut self) -> Result<()> {
        if let Some((stop, running)) = self.running.take() {
            let _ = stop.send(());
            running.await.context("the server broke")?;
        }
        Ok(())
    }

    /// Serves a folder at the same address as before.
    pub async fn start_again(&mut self, folder: &Path) -> Result<()> {
        self.stop().await?;
        let server = Server::bind(Site::read(folder)?, &self.options).await?;
        self.run(server);
        Ok(())
    }

    fn run(&mut self, server: Server) {
        let (stop, stopped) = oneshot::channel();
        let running = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        self.running = Some((stop, running));
    }
}
