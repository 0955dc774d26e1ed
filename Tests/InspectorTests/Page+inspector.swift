import CoordinateTesting
import Foundation
import Testing
import WebDriver

/// The parts of the inspector, as a user sees them.
extension Page {
    /// Waits until the page shows a version.
    func wait(until version: Int) async throws {
        try await wait("for version \(version)", until: "document.body.dataset.version === given[0]", "\(version)")
    }

    /// Creates a session and shows it.
    func begin() async throws {
        let created = try await evaluate(
            "return fetch('/sessions', { method: 'POST' }).then((answer) => answer.json()).then(({ id }) => id)")
        try await show(try #require(created.string))
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

    /// Finds something with the palette, and waits until that row is chosen.
    func find(_ text: String, choosing title: String? = nil) async throws {
        try await click("#open-palette")
        try await wait(for: "#palette-text:focus")
        try await type(text)
        try await wait(for: "#palette [aria-selected=true] .palette-title", text: title ?? text)
    }

    /// Runs one of the page's commands with the palette.
    func run(_ command: String) async throws {
        try await find(command)
        try await press(.enter)
    }

    /// Opens a path with the palette.
    func openPath(_ path: String) async throws {
        try await find(path)
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

    /// The name and the content of the file that the page saves during an action.
    func saved(by action: () async throws -> Void) async throws -> (name: String, content: Data) {
        try await evaluate(
            """
            window.original ??= URL.createObjectURL;
            URL.createObjectURL = (file) => {
              window.file = file;
              return window.original.call(URL, file);
            };
            window.saved = undefined;
            HTMLAnchorElement.prototype.click = function () {
              const reader = new FileReader();
              reader.onload = () => { window.saved = [this.download, reader.result.split(",")[1]]; };
              reader.readAsDataURL(window.file);
            };
            """)
        try await action()
        let file = try await wait("for the file", until: "window.saved")
        return (file[0]?.string ?? "", try #require(Data(base64Encoded: file[1]?.string ?? "")))
    }

    /// The id of the shown session.
    func session() async throws -> String {
        try #require(await evaluate("return /#session=([^&]+)/.exec(location.href)?.[1]").string)
    }

    /// Expects the texts of all such elements, as soon as the page shows them.
    func expect(
        _ selector: String, shows texts: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let isShown = "JSON.stringify(seen(given[0], null).map(said)) === JSON.stringify(given[1])"
        do {
            try await wait("for \(selector)", until: isShown, .string(selector), .array(texts.map(JSON.string)))
        } catch let error as BrowserError where error.kind == "never" {
            #expect(try await self.texts(selector) == texts, sourceLocation: sourceLocation)
        }
    }

    /// What the page said last to screen readers.
    func announced() async throws -> String {
        try await evaluate("return document.querySelector('#announcer').textContent").string ?? ""
    }

    /// Expects that nothing is wider than the window.
    func expectNoOverflow(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let width = try await evaluate("return document.documentElement.scrollWidth - innerWidth").int ?? 1
        #expect(width <= 0, sourceLocation: sourceLocation)
    }

    /// The versions of the timeline's frames, newest first. Only frames that are nearly visible exist.
    func versions() async throws -> [Int] {
        try await evaluate("return seen('#frames [data-version]', null).map(({ dataset }) => Number(dataset.version))")
            .array.compactMap(\.int).reversed()
    }

    /// Goes to a version by its frame in the timeline.
    func travel(to version: Int) async throws {
        try await click("#frames [data-version='\(version)'] .frame-travel")
        try await wait(until: version)
    }

    /// Presses a tool of a frame: `edit`, `copy` or `json`. A frame shows its tools while it has the focus.
    func pressTool(_ tool: String, of version: Int) async throws {
        let frame = "#frames [data-version='\(version)']"
        try await wait(for: "\(frame) .frame-travel")
        try await evaluate("document.querySelector(`${arguments[0]} .frame-travel`).focus()", .string(frame))
        try await click("\(frame) .frame-\(tool)")
    }

    /// Shows another session by its address.
    func show(_ session: String) async throws {
        try await evaluate("location.hash = `#session=${arguments[0]}`", .string(session))
    }

    /// Shows the list of all sessions by its address.
    func showHome() async throws {
        try await evaluate("location.hash = '#home'")
    }

    /// Waits until the page shows another session than the one with an id.
    func wait(untilLeaving session: String) async throws {
        try await wait("for another session", until: "!location.hash.includes(given[0])", .string(session))
    }

    /// The value of a field.
    func value(of selector: String) async throws -> String? {
        try await evaluate("return document.querySelector(arguments[0]).value", .string(selector)).string
    }

    /// Loads the page again, which then shows a version.
    func reload(until version: Int) async throws {
        try await evaluate("document.body.dataset.version = 'old'; location.reload()")
        try await wait(until: version)
    }

    /// The contents of all three panes.
    func sight() async throws -> Sight {
        let value = try await evaluate(
            """
            const text = (selector) => seen(selector, null).map(said)[0] ?? "";
            return {
              title: text("#screen-title"), path: text("#story-route"), handled: text("#story-handled"),
              leaf: document.querySelector("#tree [aria-current]").dataset.coordinator,
              entries: seen("#frames [data-event]", null).map((frame) => frame.dataset.event).reverse(),
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
    /// The events in the timeline, newest first.
    let entries: [String]
}
