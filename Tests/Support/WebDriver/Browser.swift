import CoordinateTesting
import Foundation

/// Chromium without a window, controlled through chromedriver.
///
/// ```swift
/// try await Browser.run { browser in
///     try await browser.withPage { page in
///         try await page.open("http://127.0.0.1:8080/")
///         try await page.click("#actions button", text: "Continue")
///     }
/// }
/// ```
public struct Browser: Sendable {
    /// A line of the browser's console.
    public struct ConsoleLine: Sendable, CustomStringConvertible {
        /// `SEVERE`, `WARNING`, `INFO` or `DEBUG`.
        public let level: String
        /// The line's source: `console-api`, `javascript`, `network`, `security` …
        public let source: String
        public let message: String

        public var description: String { "\(level) \(source): \(message)" }
    }

    let session: WebDriverSession

    /// Whether chromium and chromedriver are on the `PATH`.
    public static var isInstalled: Bool { program != nil && executable("chromedriver") != nil }

    /// Runs a browser with its own profile while the body runs.
    public nonisolated(nonsending) static func run<Result>(
        _ body: nonisolated(nonsending) (Browser) async throws -> Result
    ) async throws -> Result {
        guard let program, let driver = executable("chromedriver") else {
            throw BrowserError(kind: "no driver", message: "chromium and chromedriver must be on the PATH")
        }
        return try await ChromeDriver.run(driver) { port, folder in
            try await WebDriverSession.run(port: port, capabilities: program.capabilities(profile: folder)) { session in
                try await body(Browser(session: session))
            }
        }
    }

    /// A program that shows pages, and the name by which chromedriver knows it.
    private struct Program {
        let path: String
        let name: String
        let options: JSON

        func capabilities(profile: String) -> JSON {
            // The sandbox does not work for root or in containers, where tests run. The tests open only their own
            // pages. Containers have little shared memory.
            let arguments: JSON = [
                "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
                "--disable-background-networking", "--hide-scrollbars", "--lang=en-GB", "--user-data-dir=\(profile)",
            ]
            return [
                "browserName": .string(name),
                "goog:chromeOptions": ["binary": .string(path), "args": .array(arguments.array + options.array)],
                "goog:loggingPrefs": ["browser": "ALL"],
            ]
        }
    }

    /// Chromium without its own interface if it is installed, which opens a page in half the time; otherwise chromium.
    private static var program: Program? {
        executable("chromium-headless-shell").map { Program(path: $0, name: "chrome-headless-shell", options: []) }
            ?? executable("chromium").map { Program(path: $0, name: "chrome", options: ["--headless=new"]) }
    }

    private static func executable(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Opens an empty page while the body runs.
    ///
    /// - Parameters:
    ///   - size: The page's size in CSS pixels.
    ///   - runsScripts: Whether the scripts of its documents run.
    public nonisolated(nonsending) func withPage<Result>(
        size: (width: Int, height: Int) = (1_440, 900), runsScripts: Bool = true,
        _ body: nonisolated(nonsending) (Page) async throws -> Result
    ) async throws -> Result {
        let opener = try await session.get("/window/handles")[0]?.string ?? ""
        try await session.focus(opener)
        let window = try await session.post("/window/new", ["type": "window"])
        let page = Page(session: session, window: window["handle"]?.string ?? "", runsScripts: runsScripts)
        do {
            try await page.prepare(size: size)
            if !runsScripts { try await page.devTools("Emulation.setScriptExecutionDisabled", ["value": true]) }
            let result = try await body(page)
            try await page.close(returningTo: opener)
            return result
        } catch {
            try? await page.close(returningTo: opener)
            throw error
        }
    }

    /// Returns the lines that all pages have written to the console since the last call.
    public func consoleLines() async throws -> [ConsoleLine] {
        try await session.post("/se/log", ["type": "browser"]).array.map { line in
            ConsoleLine(
                level: line["level"]?.string ?? "", source: line["source"]?.string ?? "",
                message: line["message"]?.string ?? "")
        }
    }
}
