import Coordinate
import CoordinateSessions
import CoordinateTesting
import Foundation
import Logging
import Racing
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

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
    try await withInspector(of: try RacingApp.make(), size: size, expecting: expected, body)
}

/// An app on a server of its own, and the page that it serves, as ``withInspector(size:expecting:_:)`` has them.
///
/// - Parameter clock: Tells when events happen, and timers are due.
nonisolated(nonsending) func withInspector<Result>(
    of app: any CoordinatedApp, clock: SessionClock = .system, size: (width: Int, height: Int) = (1_440, 900),
    expecting expected: [Int] = [], _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Result
) async throws -> Result {
    try await withInspector(of: try Server.showing(app, clock: clock), size: size, expecting: expected, body)
}

/// A server, and the page that it serves, as ``withInspector(size:expecting:_:)`` has them.
nonisolated(nonsending) func withInspector<Result>(
    of server: Server, size: (width: Int, height: Int) = (1_440, 900), expecting expected: [Int] = [],
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Result
) async throws -> Result {
    try await withServer(server) { server in
        try await withPage(size: size, expecting: expected) { page in
            try await page.open(server.url)
            try await page.wait(until: 0)
            // What the app knows of paths, events and options is asked for beside the session.
            try await page.wait("for the catalog", until: "document.querySelector('#app-name').textContent !== ''")
            return try await body(page, server)
        }
    }
}

/// An empty page; at the end the console is looked at, as ``withInspector(size:expecting:_:)`` does.
///
/// - Parameter withoutServer: Whether the server is gone for a while, or about to go, which the browser writes to the
///   console as well.
nonisolated(nonsending) func withPage<Result>(
    size: (width: Int, height: Int) = (1_440, 900), expecting expected: [Int] = [], withoutServer: Bool = false,
    _ body: nonisolated(nonsending) (Page) async throws -> Result
) async throws -> Result {
    let browser = try #require(OneBrowser.browser)
    let result: Result
    do {
        result = try await browser.withPage(size: size) { page in
            let result = try await body(page)
            // A later server may be given the same port, and is the same to the browser then.
            try await page.evaluate("if (location.protocol === 'http:') localStorage.clear()")
            return result
        }
    } catch {
        // The next test's console begins empty.
        _ = try? await browser.consoleLines()
        throw error
    }
    let lines = try await browser.consoleLines()
    let statuses = expected + (withoutServer ? [503, 504] : [])
    let excuses = statuses.map { "with a status of \($0)" } + (withoutServer ? ["net::ERR_"] : [])
    let unexpected = lines.filter { line in
        // The page's dialogs say by `autofocus` what has the focus when they are opened. The browser tries all of them at
        // the first frame of a page, too, and writes that it does not where the address has a fragment by then.
        !(line.source == "rendering" && line.message.contains("Autofocus processing was blocked"))
            && !(line.source == "network" && excuses.contains { line.message.contains($0) })
    }
    #expect(unexpected.isEmpty)
    return result
}

/// The racing app with the page, on a server of its own.
///
/// - Parameter clock: Tells when events happen.
nonisolated(nonsending) func withRacing<Result>(
    port: UInt16 = 0, clock: SessionClock = .system, journal: any Journal = MemoryJournal(),
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    try await withServer(try Server.racing(port: port, clock: clock, journal: journal), body)
}

extension TestServer {
    /// A new session's id.
    ///
    /// - Parameter request: The body of the request that makes it.
    func session(_ request: JSON) async throws -> String {
        try await client().post("/sessions", json: request).decode(Document.Session.self).id
    }
}

extension Server {
    /// A server of the racing app with the page, to be started.
    static func racing(
        port: UInt16, clock: SessionClock = .system, journal: any Journal = MemoryJournal()
    ) throws -> Server {
        try showing(try RacingApp.make(), port: port, clock: clock, journal: journal)
    }

    /// A server of an app with the page, to be started.
    static func showing(
        _ app: any CoordinatedApp, port: UInt16 = 0, apiKey: String = "", clock: SessionClock = .system,
        journal: any Journal = MemoryJournal()
    ) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.apiKey = apiKey
        configuration.port = port
        configuration.page = .folder(shipped.path)
        let logger = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        return try Server(app: app, configuration: configuration, logger: logger, clock: clock, journal: journal)
    }
}

private let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../public").standardized
