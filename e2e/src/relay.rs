//! A relay between the browser and the app's server that counts the bytes the server sends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use url::Url;

/// Bytes read from the server at once.
const CHUNK_BYTES: usize = 16 << 10;

/// A relay at a port of its own. It ends when it is dropped.
#[derive(Debug)]
pub struct Relay {
    address: Url,
    sent: Arc<AtomicU64>,
    running: JoinHandle<()>,
}

impl Relay {
    /// Relays every connection to the server at `server`.
    pub async fn start(server: &Url) -> Result<Self> {
        let to =
            (server.host_str().context("a host")?.to_owned(), server.port().context("a port")?);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let mut address = server.clone();
        let port = listener.local_addr()?.port();
        address.set_port(Some(port)).ok().context("an address with a port")?;
        address.set_host(Some("127.0.0.1"))?;
        let sent = Arc::new(AtomicU64::new(0));
        let counted = sent.clone();
        let running = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (to, counted) = (to.clone(), counted.clone());
                tokio::spawn(async move {
                    // A connection that breaks is the browser's to open again.
                    let _ = relay(client, &to, &counted).await;
                });
            }
        });
        Ok(Self { address, sent, running })
    }

    /// The address of the page through the relay.
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// Bytes that the server has sent since the last call, headers included.
    pub fn take_sent(&self) -> u64 {
        self.sent.swap(0, Ordering::Relaxed)
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn relay(client: TcpStream, to: &(String, u16), sent: &AtomicU64) -> Result<()> {
    let server = TcpStream::connect((to.0.as_str(), to.1)).await?;
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let asks = async move { copy(&mut from_client, &mut to_server).await };
    let answers = async move {
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            let n = from_server.read(&mut chunk).await?;
            if n == 0 {
                return to_client.shutdown().await;
            }
            sent.fetch_add(n as u64, Ordering::Relaxed);
            to_client.write_all(&chunk[..n]).await?;
        }
    };
    tokio::select! {
        asked = asks => drop(asked?),
        answered = answers => answered?,
    }
    Ok(())
}
