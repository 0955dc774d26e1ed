public import CoordinateTesting
public import Foundation

/// A page in its own window: see ``Browser/withPage(size:_:)``.
///
/// Methods that need an element wait for it, up to ``patience``. Only visible elements count.
public struct Page: Sendable {
    /// The longest time that a page may need for anything, on a busy machine.
    public static let patience = Duration.seconds(45)

    let session: WebDriverSession
    let window: String
    /// Whether the scripts of documents run. Those of tests always do, but without timers.
    var runsScripts = true

    /// Opens an address, and returns when the page has loaded.
    public func open(_ address: String) async throws {
        try await command("/url", ["url": .string(address)])
    }

    /// Goes back in the browser's history, and returns when the page has loaded.
    public func goBack() async throws { try await command("/back", [:]) }

    /// Goes forward in the browser's history, and returns when the page has loaded.
    public func goForward() async throws { try await command("/forward", [:]) }

    /// Loads the page again.
    public func reload() async throws { try await command("/refresh", [:]) }

    /// The path of the page's address, with its query.
    public var address: String {
        get async throws { try await evaluate("return location.pathname + location.search").string ?? "" }
    }

    /// Opens an address in a tab in front of this page while the body runs. As in any browser, a page behind another
    /// tab is hidden, and becomes visible when something is done in it.
    ///
    /// - Parameter size: The new page's size in CSS pixels.
    public nonisolated(nonsending) func withTab<Result>(
        _ address: String, size: (width: Int, height: Int) = (1_440, 900),
        _ body: nonisolated(nonsending) (Page) async throws -> Result
    ) async throws -> Result {
        try await devTools("Emulation.setFocusEmulationEnabled", ["enabled": false])
        let known = try await session.get("/window/handles").array
        try await evaluate("window.open('about:blank')")
        let handles = try await session.get("/window/handles").array
        guard let handle = handles.first(where: { !known.contains($0) })?.string else {
            throw BrowserError(kind: "never", message: "no tab was opened")
        }
        let tab = Page(session: session, window: handle)
        do {
            try await tab.prepare(size: size, staysVisible: false)
            try await tab.open(address)
            let result = try await body(tab)
            try await tab.close(returningTo: window)
            return result
        } catch {
            try? await tab.close(returningTo: window)
            throw error
        }
    }

    // MARK: Reading

    /// Returns the value of a script's `return`, at once.
    @discardableResult
    public func evaluate(_ script: String, _ arguments: JSON...) async throws -> JSON {
        try await command("/execute/sync", ["script": .string(Self.vocabulary + script), "args": .array(arguments)])
    }

    /// Waits until an expression is neither false nor null, and returns its value.
    ///
    /// ```swift
    /// try await page.wait("for the third event", until: "document.body.dataset.version === '3'")
    /// ```
    ///
    /// The page itself evaluates the expression repeatedly, so the answer arrives as soon as possible. In the
    /// expression, `given` contains the arguments.
    @discardableResult
    public func wait(_ what: String, until expression: String, _ arguments: JSON...) async throws -> JSON {
        try await wait(what, until: expression, arguments)
    }

    private func wait(_ what: String, until expression: String, _ arguments: [JSON]) async throws -> JSON {
        let script = """
            \(Self.vocabulary)
            const give = arguments[arguments.length - 1];
            const given = [...arguments];
            const condition = (...given) => \(expression);
            const end = performance.now() + \(runsScripts ? 5000 : 0);
            (function look() {
              const value = condition(...given);
              if (value || performance.now() >= end) give(value);
              else setTimeout(look, 20);
            })();
            """
        let deadline = ContinuousClock.now + Self.patience
        var last = "nothing"
        while ContinuousClock.now < deadline {
            do {
                let body: JSON = ["script": .string(script), "args": .array(arguments)]
                let value = try await command("/execute/async", body)
                if value != .null, value != .bool(false) { return value }
            } catch let error as BrowserError where error.mayPass {
                last = error.description
            }
            if !runsScripts { try await Task.sleep(for: .milliseconds(20)) }
        }
        let text = try? await evaluate("return location.href + '\\n' + document.body.innerText").string
        throw BrowserError(
            kind: "never", message: "waited \(what) in vain (\(last)); the page was\n\(text ?? "nothing")")
    }

    /// Waits for an element, with exactly this text if one is given.
    ///
    /// ```swift
    /// try await page.wait(for: "#tabs .badge", text: "1")
    /// ```
    public func wait(for selector: String, text: String? = nil) async throws {
        try await wait(
            "for \(selector)\(text.map { " “\($0)”" } ?? "")", until: "seen(given[0], given[1])[0] !== undefined",
            .string(selector), text.map(JSON.string) ?? .null)
    }

    /// Waits until no such element is visible.
    public func wait(untilGone selector: String) async throws {
        try await wait(
            "until \(selector) is gone", until: "seen(given[0], null).length === 0", .string(selector))
    }

    /// Returns the text of each such element, at once.
    public func texts(_ selector: String) async throws -> [String] {
        try await evaluate("return seen(arguments[0], null).map(said)", .string(selector)).array.compactMap(\.string)
    }

    /// Names for scripts: `seen(selector, text)` returns the visible elements, `said(element)` an element's text on one
    /// line, and `isLabelled(text)(element)` whether an element says this text, itself or in a part.
    private static let vocabulary = """
        const said = (element) => element.textContent.trim().replace(/\\s+/g, " ");
        const seen = (selector, text) => [...document.querySelectorAll(selector)]
          .filter((element) => element.checkVisibility() && (text === null || said(element) === text));
        const isLabelled = (text) => (element) =>
          [element, ...element.querySelectorAll("*")].some((part) =>
            said(part) === text || part.ariaLabel === text
              || [...part.childNodes].some((node) => node.nodeType === 3 && said(node) === text));

        """

    /// Returns a picture of the window as PNG.
    public func screenshot() async throws -> Data {
        try await session.focus(window)
        return try await Data(base64Encoded: session.get("/screenshot").string ?? "") ?? Data()
    }

    // MARK: Acting

    /// Clicks the center of an element, with exactly this text if one is given. Fails if something covers it.
    ///
    /// ```swift
    /// try await page.click("#actions button", text: "Continue")
    /// ```
    public func click(_ selector: String, text: String? = nil) async throws {
        try await click(
            "\(selector)\(text.map { " “\($0)”" } ?? "")", "seen(given[0], given[1])", .string(selector),
            text.map(JSON.string) ?? .null)
    }

    /// Clicks a button or a link by its text, or by a part of it in an element of its own, such as the title of a row.
    ///
    /// - Parameter selector: The part of the page that it is in.
    public func click(labelled label: String, in selector: String = "body") async throws {
        try await click(
            "“\(label)” in \(selector)", "seen(`${given[0]} :is(a, button)`, null).filter(isLabelled(given[1]))",
            .string(selector), .string(label))
    }

    /// Clicks the first element of a list that can be pressed.
    private func click(_ what: String, _ elements: String, _ arguments: JSON...) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            let element = try await wait(
                "to click \(what)", until: "\(elements).find((element) => !element.disabled)", arguments)
            do {
                // The protocol uses this field's name for elements.
                let id = element["element-6066-11e4-a52e-4f735466cecf"]?.string ?? ""
                try await command("/element/\(id)/click", [:])
                return
            } catch let error as BrowserError where error.mayPass && ContinuousClock.now < deadline {}
        }
    }

    /// Replaces the text of the field with a label.
    public func fill(labelled label: String, with text: String) async throws {
        let field = try await wait(
            "for the field “\(label)”", until: "seen('label', given[0])[0]?.control", .string(label))
        let id = field["element-6066-11e4-a52e-4f735466cecf"]?.string ?? ""
        try await command("/element/\(id)/clear", [:])
        try await command("/element/\(id)/value", ["text": .string(text)])
    }

    /// Chooses an option of a menu by its value, as a user would.
    public func choose(_ value: String, in selector: String) async throws {
        try await wait(for: selector)
        try await evaluate(
            """
            const menu = seen(arguments[0], null)[0];
            menu.value = arguments[1];
            menu.dispatchEvent(new Event("change", { bubbles: true }));
            """, .string(selector), .string(value))
    }

    /// A key that is not a character. The values are the protocol's.
    public enum Key: String, Sendable {
        case down = "\u{E015}"
        case control = "\u{E009}"
        case end = "\u{E010}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case home = "\u{E011}"
        case left = "\u{E012}"
        case right = "\u{E014}"
        case shift = "\u{E008}"
        case tab = "\u{E004}"
        case up = "\u{E013}"
    }

    /// Presses a key while other keys are held down.
    public func press(_ key: Key, holding held: Key...) async throws {
        try await press([key.rawValue], holding: held)
    }

    /// Presses a character's key while other keys are held down.
    public func press(_ character: Character, holding held: Key...) async throws {
        try await press([String(character)], holding: held)
    }

    /// Replaces the text of the focused field, key by key.
    public func type(_ text: String) async throws {
        try await press(["a"], holding: [.control])
        try await press(text.map(String.init), holding: [])
    }

    private func press(_ keys: [String], holding held: [Key]) async throws {
        let down = { (key: String) -> JSON in ["type": "keyDown", "value": .string(key)] }
        let up = { (key: String) -> JSON in ["type": "keyUp", "value": .string(key)] }
        let held = held.map(\.rawValue)
        let strokes = held.map(down) + keys.flatMap { [down($0), up($0)] } + held.map(up)
        try await command("/actions", ["actions": [["type": "key", "id": "keyboard", "actions": .array(strokes)]]])
    }

    /// Moves the mouse with its button held down, from a place in the window.
    public func drag(from start: (x: Int, y: Int), by distance: (x: Int, y: Int)) async throws {
        let move = { (x: Int, y: Int) -> JSON in
            ["type": "pointerMove", "duration": 0, "x": .int(x), "y": .int(y), "origin": "viewport"]
        }
        let actions: [JSON] = [
            move(start.x, start.y), ["type": "pointerDown", "button": 0],
            move(start.x + distance.x / 2, start.y + distance.y / 2),
            move(start.x + distance.x, start.y + distance.y), ["type": "pointerUp", "button": 0],
        ]
        try await command(
            "/actions",
            [
                "actions": [
                    [
                        "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
                        "actions": .array(actions),
                    ]
                ]
            ])
    }

    // MARK: The window

    func close(returningTo opener: String) async throws {
        try await session.focus(window)
        _ = try await session.delete("/window")
        try await session.focus(opener)
    }

    @discardableResult
    func command(_ path: String, _ body: JSON) async throws -> JSON {
        try await session.focus(window)
        return try await session.post(path, body)
    }
}
