//! Programs that a test starts, and that end with it.

use std::net::TcpListener;
use std::process::Child;

/// A child process that ends when its owner is dropped.
pub struct Owned(pub Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port of localhost that was free a moment ago, for programs that cannot choose one themselves.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    listener.local_addr().expect("its address").port()
}
