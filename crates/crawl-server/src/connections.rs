//! Limits the number of open connections.
//!
//! A connection is silent while no byte is read or written: between two requests, before or within a
//! request, or while its client does not read. At the limit the connection that has been silent
//! longest is closed, so that new clients are always accepted.

use std::collections::BTreeMap;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{self, Instant};

/// The open connections of one server.
#[derive(Debug)]
pub(crate) struct Connections {
    limit: usize,
    silent_within: Duration,
    opened: Mutex<Opened>,
}

#[derive(Debug, Default)]
struct Opened {
    next: u64,
    by_number: BTreeMap<u64, Arc<Activity>>,
}

/// Time of last use of a connection, and whether it must close.
#[derive(Debug)]
struct Activity {
    start: Instant,
    /// Last byte in either direction, in milliseconds after `start`.
    last_ms: AtomicU64,
    has_received: AtomicBool,
    close: Notify,
}

impl Connections {
    /// Allows at most `limit` connections, each silent for at most `silent_within`.
    pub(crate) fn new(limit: usize, silent_within: Duration) -> Arc<Self> {
        Arc::new(Self { limit, silent_within, opened: Mutex::default() })
    }

    /// Adds a connection; closes another at the limit.
    pub(crate) fn admit<S>(self: &Arc<Self>, stream: S) -> (Watched<S>, Slot) {
        while self.opened().by_number.len() >= self.limit && self.close_longest_silent() {}
        let activity = Arc::new(Activity {
            start: Instant::now(),
            last_ms: AtomicU64::new(0),
            has_received: AtomicBool::new(false),
            close: Notify::new(),
        });
        let mut opened = self.opened();
        let number = opened.next;
        opened.next += 1;
        opened.by_number.insert(number, Arc::clone(&activity));
        let watched = Watched { stream, activity: Arc::clone(&activity) };
        (watched, Slot { connections: Arc::clone(self), number, activity })
    }

    /// Closes the connection that has been silent longest; returns false if none is open.
    pub(crate) fn close_longest_silent(&self) -> bool {
        let mut opened = self.opened();
        let longest = opened.by_number.iter().min_by_key(|(_, activity)| activity.last());
        let number = longest.map(|(number, _)| *number);
        let closed = number.and_then(|number| opened.by_number.remove(&number));
        closed.is_some_and(|activity| {
            activity.close.notify_one();
            true
        })
    }

    /// Closes connections that have not sent a byte, such as those that browsers open in advance.
    pub(crate) fn close_unused(&self) {
        self.close_if(|activity| !activity.has_received.load(Ordering::Relaxed));
    }

    /// Closes all connections.
    pub(crate) fn close_all(&self) {
        self.close_if(|_| true);
    }

    fn close_if(&self, should_close: impl Fn(&Activity) -> bool) {
        for activity in self.opened().by_number.values().filter(|activity| should_close(activity)) {
            activity.close.notify_one();
        }
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Activity {
    fn last(&self) -> Instant {
        self.start + Duration::from_millis(self.last_ms.load(Ordering::Relaxed))
    }

    fn note(&self) {
        let ms = self.start.elapsed().as_millis();
        self.last_ms.store(u64::try_from(ms).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// The slot of an open connection, freed on drop.
#[derive(Debug)]
pub(crate) struct Slot {
    connections: Arc<Connections>,
    number: u64,
    activity: Arc<Activity>,
}

impl Slot {
    /// Completes when the connection must close.
    pub(crate) async fn closes(&self) {
        tokio::select! {
            () = self.activity.close.notified() => {}
            () = self.is_silent_too_long() => {}
        }
    }

    async fn is_silent_too_long(&self) {
        loop {
            let end = self.activity.last() + self.connections.silent_within;
            if end <= Instant::now() {
                return;
            }
            time::sleep_until(end).await;
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.connections.opened().by_number.remove(&self.number);
    }
}

/// A stream that records when bytes pass.
#[derive(Debug)]
pub(crate) struct Watched<S> {
    stream: S,
    activity: Arc<Activity>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        if buffer.filled().len() > before {
            self.activity.has_received.store(true, Ordering::Relaxed);
            self.activity.note();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> Watched<S> {
    fn noted(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.activity.note();
        }
        written
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.noted(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.noted(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    /// A client, the server's end of its connection, and its slot.
    fn opened(connections: &Arc<Connections>) -> (DuplexStream, Watched<DuplexStream>, Slot) {
        let (client, server) = duplex(8);
        let (server, slot) = connections.admit(server);
        (client, server, slot)
    }

    async fn is_closed(slot: &Slot) -> bool {
        // Time is paused: only a connection that must close completes at once.
        tokio::select! {
            biased;
            () = slot.closes() => true,
            () = std::future::ready(()) => false,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_longest_silent_makes_room() {
        let connections = Connections::new(3, Duration::from_secs(60));
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(opened(&connections));
            time::advance(Duration::from_secs(1)).await;
        }
        // The first sends and the second receives, so the third is silent longest.
        held[0].0.write_all(b"a").await.unwrap();
        assert_eq!(held[0].1.read_u8().await.unwrap(), b'a');
        held[1].1.write_all(b"b").await.unwrap();
        time::advance(Duration::from_secs(1)).await;
        let new = opened(&connections);
        for (at, (_, _, slot)) in held.iter().enumerate() {
            assert_eq!(is_closed(slot).await, at == 2, "{at}");
        }
        assert!(!is_closed(&new.2).await);
        assert_eq!(connections.opened().by_number.len(), 3);
        // A client that leaves frees a slot.
        held.clear();
        assert_eq!(connections.opened().by_number.len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn silence_ends_and_speech_prolongs() {
        let connections = Connections::new(9, Duration::from_secs(60));
        let (mut client, mut server, slot) = opened(&connections);
        for _ in 0..3 {
            time::advance(Duration::from_secs(59)).await;
            assert!(!is_closed(&slot).await);
            client.write_all(b"a").await.unwrap();
            server.read_u8().await.unwrap();
        }
        let before = Instant::now();
        slot.closes().await;
        assert_eq!(before.elapsed().as_secs(), 60);
    }

    #[tokio::test(start_paused = true)]
    async fn only_unused_connections_close_at_once() {
        let connections = Connections::new(9, Duration::from_secs(60));
        let unused = opened(&connections);
        let mut used = opened(&connections);
        used.0.write_all(b"a").await.unwrap();
        used.1.read_u8().await.unwrap();
        connections.close_unused();
        assert!(is_closed(&unused.2).await);
        assert!(!is_closed(&used.2).await);
        connections.close_all();
        assert!(is_closed(&used.2).await);
    }
}
