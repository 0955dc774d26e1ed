import CoordinateServer
import CoordinateTesting
import Foundation
import Logging
import Racing
import Testing
import WebDriver

/// The page of `public/`, in a real browser: what is tested is what somebody sees and presses.
///
/// One browser serves all tests, which take turns in it; each test has a server and windows of its own.
@Suite(
    .serialized,
    .enabled(if: Browser.isInstalled, "needs chromium and chromedriver on the PATH: make test installs them"),
    .timeLimit(.minutes(5)), .oneBrowser)
enum Inspector {}

extension Trait where Self == OneBrowser {
    static var oneBrowser: Self { Self() }
}

/// Starts a browser before the first test of a suite, and ends it after the last one.
struct OneBrowser: SuiteTrait, TestScoping {
    /// The browser of the suite that runs.
    @TaskLocal static var browser: Browser?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Browser.run { browser in
            try await Self.$browser.withValue(browser) { try await function() }
        }
    }
}

/// The racing app on a server of its own, and the page that it serves, opened and left to start a session by itself.
///
/// At the end the console is looked at: it has to be empty, which is also to say that nothing was refused by the
/// page's Content-Security-Policy.
///
/// - Parameter expected: The statuses of refusals that the test provokes; the browser writes each to the console.
nonisolated(nonsending) func withInspector<Result>(
    size: (width: Int, height: Int) = (1_440, 900), expecting expected: [Int] = [],
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Result
) async throws -> Result {
    try await withRacing { server in
        try await withPage(size: size, expecting: expected) { page in
            try await page.open(server.url)
            try await page.wait(until: 0)
            return try await body(page, server)
        }
    }
}

/// An empty page; at the end the console is looked at, as ``withInspector(size:expecting:_:)`` does.
nonisolated(nonsending) func withPage<Result>(
    size: (width: Int, height: Int) = (1_440, 900), expecting expected: [Int] = [],
    _ body: nonisolated(nonsending) (Page) async throws -> Result
) async throws -> Result {
    let browser = try #require(OneBrowser.browser)
    let result = try await browser.withPage(size: size, body)
    let lines = try await browser.consoleLines()
    let unexpected = lines.filter { line in
        !expected.contains { line.source == "network" && line.message.contains("with a status of \($0)") }
    }
    #expect(unexpected.isEmpty)
    return result
}

/// The racing app with the page, on a server of its own.
nonisolated(nonsending) func withRacing<Result>(
    port: UInt16 = 0, _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    var configuration = ServerConfiguration()
    configuration.port = port
    configuration.publicFolder = shipped.appending(path: "public").path
    let season = try Data(contentsOf: shipped.appending(path: "config/racing.json"))
    let app = RacingApp(season: try JSONDecoder().decode(Season.self, from: season))
    let logger = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
    return try await withServer(try Server(app: app, configuration: configuration, logger: logger), body)
}

/// The folder with `config/` and `public/`.
private let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
