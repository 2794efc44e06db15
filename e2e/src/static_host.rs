//! A static file host without custom headers, as the app meets on the web.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;
use crawl_server::media_type;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use url::Url;

/// A host on loopback that serves a folder like GitHub Pages: with media types and
/// `Access-Control-Allow-Origin: *`, and no other headers.
#[derive(Debug)]
pub struct StaticHost {
    address: Url,
    n_requests: Arc<AtomicUsize>,
    running: JoinHandle<()>,
}

impl StaticHost {
    /// Serves a folder on a free port, until dropped.
    ///
    /// # Errors
    /// Fails if no port is available.
    pub async fn start(folder: &Path) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}/", listener.local_addr()?).parse()?;
        let n_requests = Arc::new(AtomicUsize::new(0));
        let (folder, counter) = (folder.to_path_buf(), Arc::clone(&n_requests));
        let running = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (folder, counter) = (folder.clone(), Arc::clone(&counter));
                tokio::spawn(async move {
                    // The browser may close the connection early.
                    let _ = answer(stream, folder, &counter).await;
                });
            }
        });
        Ok(Self { address, n_requests, running })
    }

    /// The address of its page.
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// Number of requests answered.
    pub fn n_requests(&self) -> usize {
        self.n_requests.load(Ordering::Relaxed)
    }
}

impl Drop for StaticHost {
    fn drop(&mut self) {
        self.running.abort();
    }
}

/// Answers one request and closes the connection.
async fn answer(stream: TcpStream, folder: PathBuf, counter: &AtomicUsize) -> Result<()> {
    let mut stream = BufReader::new(stream);
    let mut request = String::new();
    stream.read_line(&mut request).await?;
    let mut header = String::new();
    while stream.read_line(&mut header).await? > 2 {
        header.clear();
    }
    if request.is_empty() {
        return Ok(());
    }
    counter.fetch_add(1, Ordering::Relaxed);
    let path = request.split(' ').nth(1).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let found = std::fs::read(folder.join(name));
    let status = if found.is_ok() { "200 OK" } else { "404 Not Found" };
    let body = found.unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n",
        media_type(name),
        body.len(),
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(&body).await?;
    Ok(stream.shutdown().await?)
}
