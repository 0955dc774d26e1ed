import CoordinateTesting

/// Emulates properties of the machine with the Chromium DevTools protocol
/// (https://chromedevtools.github.io/devtools-protocol/).
extension Page {
    /// Prepares a new page for tests: it always has the focus, and nothing in it is animated, so that a click hits its
    /// target.
    ///
    /// - Parameter staysVisible: Whether the page counts as visible behind other tabs.
    func prepare(size: (width: Int, height: Int), staysVisible: Bool = true) async throws {
        try await devTools("Emulation.setFocusEmulationEnabled", ["enabled": .bool(staysVisible)])
        try await resize(width: size.width, height: size.height)
        try await prefer()
    }

    /// Changes the page's size, in CSS pixels.
    ///
    /// - Parameter scale: The pixels of the screen per CSS pixel.
    public func resize(width: Int, height: Int, scale: Int = 1) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": .int(width), "height": .int(height), "deviceScaleFactor": .int(scale), "mobile": false])
    }

    /// Sets the user's preferences.
    public func prefer(dark: Bool = false, motion: Bool = false, forcedColors: Bool = false) async throws {
        let features: JSON = [
            ["name": "prefers-color-scheme", "value": dark ? "dark" : "light"],
            ["name": "prefers-reduced-motion", "value": motion ? "no-preference" : "reduce"],
            ["name": "forced-colors", "value": forcedColors ? "active" : "none"],
        ]
        try await devTools("Emulation.setEmulatedMedia", ["features": features])
    }

    /// Runs a script in each document that the page opens from now on, before the document's own scripts.
    public func runFirst(_ script: String) async throws {
        try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": .string(script)])
    }

    /// Returns the clipboard's text, for pages with access: see ``allowClipboard()``.
    public func clipboard() async throws -> String {
        let value = try await command(
            "/execute/async", ["script": "navigator.clipboard.readText().then(arguments[0])", "args": []])
        return value.string ?? ""
    }

    /// Allows pages to use the clipboard, as a user would when asked.
    public func allowClipboard() async throws {
        try await devTools(
            "Browser.grantPermissions", ["permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]])
    }

    /// Forgets all cookies, as a new browser has none.
    public func clearCookies() async throws {
        try await devTools("Network.clearBrowserCookies", [:])
    }

    /// Puts the browser into a session of the server.
    public func enter(_ session: String, of server: String) async throws {
        try await devTools(
            "Network.setCookie",
            [
                "name": .string(Self.sessionCookie(of: server)), "value": .string(session), "url": .string(server),
                "httpOnly": true,
            ])
    }

    /// The name of the session's cookie of a server with a port.
    private static func sessionCookie(of server: String) -> String {
        "session-\(server.split(separator: ":").last ?? "")"
    }

    /// The id of the session in the browser's cookie; empty if it has none. Scripts cannot read it.
    public var sessionCookie: String {
        get async throws {
            let cookies = try await devTools("Network.getCookies", [:])["cookies"]?.array ?? []
            let name = try await Self.sessionCookie(of: evaluate("return location.origin").string ?? "")
            return cookies.first { $0["name"]?.string == name }?["value"]?.string ?? ""
        }
    }

    @discardableResult
    func devTools(_ command: String, _ parameters: JSON) async throws -> JSON {
        try await self.command("/goog/cdp/execute", ["cmd": .string(command), "params": parameters])
    }
}
