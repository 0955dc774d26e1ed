import CoordinateTesting
import Testing
import WebDriver

/// The parts of the inspector, as a user sees them.
extension Page {
    /// Waits until the page shows a version.
    func wait(until version: Int) async throws {
        try await wait("for version \(version)", until: "document.body.dataset.version === given[0]", "\(version)")
    }

    /// Starts the session that the page offers at the first visit.
    func begin() async throws {
        try await click("#begin-start")
    }

    /// Waits until the page follows the live stream.
    func waitUntilLive() async throws {
        try await wait(for: "#connection[data-status=live]")
    }

    /// Presses something in the app and waits for the version that this creates.
    func press(_ selector: String, text: String? = nil, version: Int) async throws {
        try await click("#phone " + selector, text: text)
        try await wait(until: version)
    }

    /// Fills in a field, as if typed.
    func fill(_ selector: String, with text: String) async throws {
        try await click(selector)
        try await type(text)
    }

    /// Opens a deep link in the address bar.
    func openPath(_ path: String) async throws {
        try await fill("#address", with: path)
        try await press(.enter)
    }

    /// Starts a new session after the shown one has ended, with the app's default options.
    func startAnew() async throws {
        try await click("#ended-new")
        let start = "document.querySelector('#starter[open] #starter-start')"
        try await wait("for a session", until: "\(start) ?? !seen('#ended', null)[0]")
        if try await evaluate("return \(start) !== null") == true { try await click("#starter-start") }
    }

    /// Makes the page record its notices in `notices`, because they disappear by themselves.
    func noteNotices() async throws {
        try await evaluate(
            """
            const notice = document.querySelector("#notice");
            window.notices = [];
            new MutationObserver(() => notice.matches(".shown") && notices.push(notice.textContent))
              .observe(notice, { childList: true });
            """)
    }

    /// The text that the page copies to the clipboard during an action.
    func copied(by action: () async throws -> Void) async throws -> String {
        try await allowClipboard()
        try await evaluate("return navigator.clipboard.writeText('')")
        try await action()
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            let text = try await clipboard()
            if !text.isEmpty { return text }
        }
        throw BrowserError(kind: "never", message: "nothing was copied")
    }

    /// The id of the shown session.
    func session() async throws -> String {
        try #require(await evaluate("return /#session=([^&]+)/.exec(location.href)?.[1]").string)
    }

    /// The contents of all three panes.
    func sight() async throws -> Sight {
        let value = try await evaluate(
            """
            const text = (selector) => seen(selector, null).map(said)[0] ?? "";
            return {
              title: text("#screen-title"), path: text("#story-route"), handled: text("#story-handled"),
              leaf: document.querySelector("#tree [aria-current]").dataset.coordinator,
              entries: seen("#entries [data-event]", null).map((entry) => entry.dataset.event),
            };
            """)
        return Sight(
            title: value["title"]?.string ?? "", path: value["path"]?.string ?? "",
            handled: value["handled"]?.string ?? "", leaf: value["leaf"]?.string ?? "",
            entries: value["entries"]?.array.compactMap(\.string) ?? [])
    }
}

/// What a user can read on the page.
struct Sight: Equatable {
    /// The screen's title.
    let title: String
    let path: String
    /// The last event's handler, as shown on the page.
    let handled: String
    /// The coordinator that the tree marks as the visible leaf.
    let leaf: String
    /// The events in the journal, newest first.
    let entries: [String]
}
