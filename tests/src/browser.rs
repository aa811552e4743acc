//! A fresh headless Chromium on the built page, driven through WebDriver by roles and labels, as a
//! person with a screen reader would find things. It waits for conditions, never for a fixed time.

use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::prelude::*;
use xtask::paths;
use xtask::server::StaticServer;

use crate::process::Owned;

/// How many starts of Chromium are tried before it counts as broken.
const STARTS: u32 = 3;

/// How long a condition may take before a test fails. Generous, because continuous integration is
/// slow.
pub const PATIENCE: Duration = Duration::from_secs(90);

/// A condition is looked at again after this time, which grows: a look costs the page time too.
const FIRST_WAIT: Duration = Duration::from_millis(20);
const LONGEST_WAIT: Duration = Duration::from_millis(250);

/// The first displayed button or link whose accessible name starts with the argument, in one
/// request: a request for each button of a page takes a second.
const BUTTON_BY_NAME: &str = "
const name = element => (element.getAttribute('aria-label') ?? element.innerText).trim();
return [...document.querySelectorAll('button, [role=button], a')].find(element =>
  element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && name(element).startsWith(arguments[0])) ?? null";

/// What a test can change before the page is opened.
#[derive(Default)]
pub struct Setup {
    /// JavaScript that runs in each new document before the page's own scripts.
    pub before_page: Option<String>,
    /// Whether the transformer is switched off, as a user can in the settings. It takes most of a
    /// story's time, and most stories are not about it.
    pub without_transformer: bool,
    /// Chromium preferences.
    pub preferences: Option<Value>,
    /// The window size; 1280 × 900 by default.
    pub window: Option<(u32, u32)>,
    /// Further command-line flags for Chromium.
    pub flags: Vec<String>,
    /// The folder to serve; the built page by default.
    pub folder: Option<PathBuf>,
}

/// Switches the transformer off before the page reads its settings.
const WITHOUT_TRANSFORMER: &str =
    "try { localStorage.setItem('footnote.close-reading', 'off') } catch {}";

/// The page in a browser of its own, with an empty profile. Dropping it ends everything.
pub struct Page {
    /// The WebDriver session.
    pub driver: WebDriver,
    server: StaticServer,
    /// Where chromedriver listens.
    port: u16,
    _chromedriver: Owned,
    profile: TempDir,
}

/// A failing test drops the page in the middle of its work. The session is still ended: killing
/// chromedriver alone would leave Chromium running, and thirtyfour's own way waits for the runtime
/// that it blocks.
impl Drop for Page {
    fn drop(&mut self) {
        if self.driver.clone().leak().is_err() {
            return; // closed in order
        }
        let request = format!(
            "DELETE /session/{} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            self.driver.session_id()
        );
        if let Ok(mut stream) = TcpStream::connect(("localhost", self.port)) {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
            let _ = stream.write_all(request.as_bytes());
            let _ = stream.read(&mut [0; 64]);
        }
    }
}

impl Page {
    /// Opens the page as a first-time visitor.
    pub async fn open() -> Self {
        Self::open_with(Setup::default()).await
    }

    /// Opens the page with the transformer switched off.
    pub async fn open_without_transformer() -> Self {
        let setup = Setup {
            without_transformer: true,
            ..Setup::default()
        };
        Self::open_with(setup).await
    }

    /// Opens the page in a browser with a different setup.
    pub async fn open_with(setup: Setup) -> Self {
        let page = Self::blank(setup).await;
        page.driver
            .goto(page.server.url())
            .await
            .expect("the page opens");
        page
    }

    /// A browser that has not opened the page yet.
    pub async fn blank(setup: Setup) -> Self {
        let dist = setup.folder.clone().unwrap_or_else(paths::dist);
        assert!(
            setup.folder.is_some() || dist.join("index.html").exists(),
            "build the page first (cargo xtask build): {}",
            dist.display()
        );
        let server = StaticServer::start(dist, 0).expect("a free port");
        let (chromedriver, port) = start_chromedriver();
        let profile = tempfile::tempdir().expect("a temporary folder");
        let capabilities = capabilities(&setup, profile.path());
        let driver = start_chromium(port, &capabilities).await;
        let switched_off = setup.without_transformer.then_some(WITHOUT_TRANSFORMER);
        for script in switched_off.into_iter().chain(setup.before_page.as_deref()) {
            let params = json!({ "source": script });
            let devtools = driver.cdp();
            let add = devtools.send_raw("Page.addScriptToEvaluateOnNewDocument", params);
            add.await.expect("a script can be added");
        }
        Self {
            driver,
            server,
            port,
            _chromedriver: chromedriver,
            profile,
        }
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// Ends the session. Merely dropping the page leaves that to the end of chromedriver.
    pub async fn close(self) {
        let _ = self.driver.clone().quit().await;
    }

    /// Stops the page's own server and waits until nothing answers there.
    pub async fn stop_server(&self) {
        self.server.stop();
        let address = self.url().trim_start_matches("http://").to_owned();
        self.wait_for("the end of the server", async || {
            std::net::TcpStream::connect(&address)
                .is_err()
                .then_some(())
        })
        .await;
    }

    /// Runs JavaScript in the page and returns its value.
    pub async fn script(&self, script: &str) -> Value {
        let ran = self.driver.execute(script, Vec::new()).await;
        ran.unwrap_or_else(|error| panic!("{error}: {script}"))
            .json()
            .clone()
    }

    /// Sends a command of the DevTools protocol.
    pub async fn devtools(&self, method: &str, params: Value) -> Value {
        let sent = self.driver.cdp().send_raw(method, params).await;
        sent.unwrap_or_else(|error| panic!("{error}: {method}"))
    }

    /// Waits until `condition` returns a value. A failure shows `what` and the page's text.
    pub async fn wait_for<T, F: Future<Output = Option<T>>>(
        &self,
        what: &str,
        condition: impl Fn() -> F,
    ) -> T {
        self.wait_up_to(PATIENCE, what, condition).await
    }

    /// Like [`Page::wait_for`], for what takes minutes on two slow cores.
    pub async fn wait_for_long<T, F: Future<Output = Option<T>>>(
        &self,
        what: &str,
        condition: impl Fn() -> F,
    ) -> T {
        self.wait_up_to(PATIENCE * 6, what, condition).await
    }

    async fn wait_up_to<T, F: Future<Output = Option<T>>>(
        &self,
        patience: Duration,
        what: &str,
        condition: impl Fn() -> F,
    ) -> T {
        let start = Instant::now();
        let mut wait = FIRST_WAIT;
        loop {
            if let Some(value) = condition().await {
                return value;
            }
            if start.elapsed() > patience {
                let text = self.text().await;
                let shot = self.screenshot("failed").await;
                panic!(
                    "waited in vain for {what}; screenshot {}\nthe page says:\n{text}",
                    shot.display()
                );
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 5 / 4).min(LONGEST_WAIT);
        }
    }

    /// All text on the page.
    pub async fn text(&self) -> String {
        let text = self
            .script("return document.body ? document.body.innerText : ''")
            .await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page shows `text` somewhere.
    pub async fn wait_for_text(&self, text: &str) {
        self.wait_for(&format!("the text “{text}”"), async || {
            self.text().await.contains(text).then_some(())
        })
        .await;
    }

    /// Waits for a displayed element that matches a CSS selector.
    pub async fn element(&self, css: &str) -> WebElement {
        self.wait_for(&format!("the element {css}"), async || {
            for element in self.driver.find_all(By::Css(css)).await.ok()? {
                if element.is_displayed().await.unwrap_or(false) {
                    return Some(element);
                }
            }
            None
        })
        .await
    }

    /// All elements that match a CSS selector, displayed or not.
    pub async fn elements(&self, css: &str) -> Vec<WebElement> {
        self.driver.find_all(By::Css(css)).await.unwrap_or_default()
    }

    /// Waits for a button by its accessible name (label or text), in full or its beginning.
    pub async fn button(&self, name: &str) -> WebElement {
        self.wait_for(&format!("a button “{name}”"), async || {
            let found = self.driver.execute(BUTTON_BY_NAME, vec![json!(name)]).await;
            let element = found.ok()?.element().ok()?;
            element
                .is_displayed()
                .await
                .unwrap_or(false)
                .then_some(element)
        })
        .await
    }

    /// Gives a file to the page's file picker, as a person would through the dialog.
    pub async fn choose_file(&self, path: &Path) {
        let input = self
            .wait_for("the file picker", async || {
                self.driver
                    .find(By::Css("input[type=file]:not([webkitdirectory])"))
                    .await
                    .ok()
            })
            .await;
        input
            .send_keys(path.to_string_lossy())
            .await
            .expect("a file can be chosen");
    }

    /// Writes a question into the box named “Question” and sends it. Each line arrives whole, as
    /// when it is pasted: the page has less to do than for every letter.
    pub async fn ask(&self, question: &str) {
        let input = self.element("[aria-label=Question]").await;
        input.focus().await.expect("the box takes the focus");
        for (at, line) in question.split('\n').enumerate() {
            if at > 0 {
                // Enter alone sends.
                input
                    .send_keys(Key::Shift + Key::Enter)
                    .await
                    .expect("a line can be ended");
            }
            self.devtools("Input.insertText", json!({ "text": line }))
                .await;
        }
        input
            .send_keys(Key::Enter + "")
            .await
            .expect("the question can be sent");
    }

    /// The most memory that the renderer process of the page and its workers ever used, in bytes; 0
    /// if `/proc` does not tell. Chromium keeps idle renderers beside it, which are smaller.
    pub fn renderer_peak_bytes(&self) -> u64 {
        let profile = self.profile.path().to_string_lossy().into_owned();
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let peaks = processes.filter_map(|process| {
            let command = std::fs::read(process.path().join("cmdline")).ok()?;
            let command = String::from_utf8_lossy(&command).into_owned();
            let is_ours = command.contains("--type=renderer") && command.contains(&profile);
            let status = std::fs::read_to_string(process.path().join("status")).ok()?;
            is_ours.then(|| peak_kilobytes(&status)).flatten()
        });
        peaks.max().unwrap_or(0) * 1024
    }

    /// Saves what the window shows under `target/screenshots`.
    pub async fn screenshot(&self, name: &str) -> PathBuf {
        let folder = paths::root().join("target/screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for screenshots");
        let path = folder.join(format!("{name}-{}.png", std::process::id()));
        if let Err(error) = self.driver.screenshot(&path).await {
            eprintln!("no screenshot: {error}");
        }
        path
    }
}

/// The accessible name of an element.
pub trait AccessibleName {
    /// Its `aria-label`, else its text.
    fn accessible_name(&self) -> impl Future<Output = String>;
}

impl AccessibleName for WebElement {
    async fn accessible_name(&self) -> String {
        match self.attr("aria-label").await {
            Ok(Some(label)) => label,
            _ => self.text().await.unwrap_or_default(),
        }
    }
}

/// A published package that `cargo xtask fixtures` downloaded.
pub fn archive(file: &str) -> PathBuf {
    let path = paths::archives().join(file);
    assert!(
        path.exists(),
        "download it first (cargo xtask fixtures {file}): {}",
        path.display()
    );
    path
}

fn capabilities(setup: &Setup, profile: &Path) -> thirtyfour::ChromeCapabilities {
    let mut capabilities = DesiredCapabilities::chrome();
    // Stories wait for what they need to see. Chromedriver's own waiting never ends on pages whose
    // workers take long to load.
    capabilities
        .set_page_load_strategy(thirtyfour::PageLoadStrategy::None)
        .expect("a strategy");
    let (width, height) = setup.window.unwrap_or((1280, 900));
    let fixed = [
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--disable-component-extensions-with-background-pages",
        "--disable-default-apps",
        // Popups of the address bar, which is never seen, are pages that each start runs.
        "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
        // The page opens in the process of the empty tab instead of one more.
        "--renderer-process-limit=1",
    ];
    let sized = [
        format!("--user-data-dir={}", profile.display()),
        format!("--window-size={width},{height}"),
    ];
    let flags = fixed.iter().map(|flag| (*flag).to_owned());
    for flag in flags.chain(sized).chain(setup.flags.iter().cloned()) {
        capabilities.add_arg(&flag).expect("a flag");
    }
    if let Some(preferences) = &setup.preferences {
        capabilities
            .add_experimental_option("prefs", preferences)
            .expect("preferences");
    }
    capabilities
}

/// The bytes in `VmHWM:   123 kB` of a process's status.
fn peak_kilobytes(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Starts Chromium; tries again if it exits at once, as it sometimes does when another one starts
/// at the same moment.
async fn start_chromium(port: u16, capabilities: &thirtyfour::ChromeCapabilities) -> WebDriver {
    let mut starts = 0;
    loop {
        starts += 1;
        let started = WebDriver::new(format!("http://localhost:{port}"), capabilities.clone());
        match started.await {
            Ok(driver) => return driver,
            Err(error) => assert!(starts < STARTS, "Chromium does not start: {error}"),
        }
    }
}

/// Starts chromedriver on a free port; tries again if it exits without naming one, as it does when
/// another process takes the port that it found free.
fn start_chromedriver() -> (Owned, u16) {
    (0..STARTS)
        .find_map(|_| try_chromedriver())
        .expect("chromedriver says its port")
}

fn try_chromedriver() -> Option<(Owned, u16)> {
    let child = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver starts (Debian: chromium-driver)");
    let mut child = Owned(child);
    let output = child.0.stdout.take().expect("piped");
    let mut lines = BufReader::new(output).lines();
    let port = lines.by_ref().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    })?;
    // Keep reading, so that chromedriver never blocks on a full pipe.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    Some((child, port))
}
