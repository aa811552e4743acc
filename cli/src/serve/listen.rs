//! Connections: accepted up to a limit, given a time for their requests to arrive, and ended
//! gracefully when the server stops.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::app::Peer;
use super::limits::{Limits, MAX_HEAD};

/// How long the head of a request may take to arrive; also how long a connection may idle.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// A pause after the system could not give a connection, as when it has no more file handles.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves until `stop` is done, then lets running requests end. Returns whether all of them did.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) -> bool {
    let connections = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer, permit)) => {
                // An answer is sent at once, not when more of it has gathered.
                let _ = stream.set_nodelay(true);
                connect(stream, peer, permit, router.clone(), &graceful);
            }
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    tracing::info!("stopping; running requests may finish");
    let ended = tokio::time::timeout(limits.drain, graceful.shutdown()).await;
    ended.is_ok()
}

async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> io::Result<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = Arc::clone(connections).acquire_owned().await;
    let permit = permit.map_err(io::Error::other)?;
    let (stream, peer) = listener.accept().await?;
    Ok((stream, peer, permit))
}

fn connect(
    stream: TcpStream,
    peer: SocketAddr,
    permit: OwnedSemaphorePermit,
    router: Router,
    graceful: &GracefulShutdown,
) {
    let service = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Peer(peer));
        service.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        let _permit = permit;
        // A client that hangs up early is nothing to report.
        let _ = connection.await;
    });
}
