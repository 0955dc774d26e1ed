import CoordinateTesting

/// What a page is made to believe of the machine it is on, over Chromium's own DevTools protocol
/// (https://chromedevtools.github.io/devtools-protocol/).
extension Page {
    /// Makes a new page as tests need it: it has the focus, always, and nothing in it moves by itself, so that a click
    /// goes where its target was seen.
    ///
    /// - Parameter staysVisible: Whether it does not matter what is in front of it.
    func prepare(size: (width: Int, height: Int), staysVisible: Bool = true) async throws {
        try await devTools("Emulation.setFocusEmulationEnabled", ["enabled": .bool(staysVisible)])
        try await resize(width: size.width, height: size.height)
        try await prefer()
    }

    /// Gives the page another size, in CSS pixels.
    public func resize(width: Int, height: Int) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": .int(width), "height": .int(height), "deviceScaleFactor": 1, "mobile": false])
    }

    /// What the user of the page likes.
    public func prefer(dark: Bool = false, motion: Bool = false, forcedColors: Bool = false) async throws {
        let features: JSON = [
            ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"],
            ["name": "prefers-reduced-motion", "value": motion ? "no-preference" : "reduce"],
            ["name": "forced-colors", "value": forcedColors ? "active" : "none"],
        ]
        try await devTools("Emulation.setEmulatedMedia", ["features": features])
    }

    /// Has a script run in each document that the page opens from now on, before any of the document's own.
    public func runFirst(_ script: String) async throws {
        try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// What was copied last, for pages that may know it: see ``allowClipboard()``.
    public func clipboard() async throws -> String {
        let value = try await command(
            "/execute/async", ["script": "navigator.clipboard.readText().then(arguments[0])", "args": []])
        return value.string ?? ""
    }

    /// Lets pages use the clipboard, as a user would who is asked.
    public func allowClipboard() async throws {
        try await devTools(
            "Browser.grantPermissions", ["permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]])
    }

    @discardableResult
    func devTools(_ command: String, _ parameters: JSON) async throws -> JSON {
        try await self.command("/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }
}
