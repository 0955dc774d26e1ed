import Coordinate
import CoordinateExplore
import CoordinateSessions
import CoordinateTesting
import CoordinateWeb
import Foundation
import Logging
import Racing
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

/// The page of `public/` in a real browser. The tests check what a user sees and presses.
///
/// All tests share one browser and run one at a time. Each test has its own server and windows.
@Suite(.serialized, .needsBrowser, .timeLimit(.minutes(5)), .oneBrowser)
enum Inspector {}

/// What the pages look like, and who can use them: layout, accessibility, the map of screens, pictures, and the pages
/// of an app.
///
/// These tests have a browser of their own, so that they run at the same time as those of ``Inspector``.
@Suite(.serialized, .needsBrowser, .timeLimit(.minutes(5)), .oneBrowser)
enum Appearance {}

extension Trait where Self == ConditionTrait {
    static var needsBrowser: Self {
        .enabled(if: Browser.isInstalled, "needs chromium and chromedriver on the PATH: make test installs them")
    }
}

extension Trait where Self == OneBrowser {
    static var oneBrowser: Self { Self() }
}

/// A trait that starts a browser before the first test of a suite and stops it after the last one.
struct OneBrowser: SuiteTrait, TestScoping {
    /// The browser of the running suite.
    @TaskLocal static var browser: Browser?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Browser.run { browser in
            try await Self.$browser.withValue(browser) { try await function() }
        }
    }
}

/// Runs a test with an app on its own server, the racing app if none is given. The page shows a new session.
///
/// At the end, the browser's console must be empty. That also shows that the page's Content-Security-Policy blocked
/// nothing.
///
/// - Parameter expected: The statuses of refusals that the test provokes. The browser writes each of them to the
///   console.
nonisolated(nonsending) func withInspector<Result>(
    of app: (any CoordinatedApp)? = nil, size: (width: Int, height: Int) = (1_440, 900), expecting expected: [Int] = [],
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Result
) async throws -> Result {
    try await withInspector(of: try Server.showing(app), size: size, expecting: expected, body)
}

/// Runs a test with a session of three events, on the details of a team that is a favorite by now.
nonisolated(nonsending) func withThreeEvents(
    expecting expected: [Int] = [], _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Void
) async throws {
    try await withInspector(expecting: expected) { page, server in
        try await page.press("#actions button", text: "Continue", version: 1)
        try await page.press("#rows [data-row=ferrari] .tap", version: 2)
        try await page.press("#actions button", text: "Add to favorites", version: 3)
        try await body(page, server)
    }
}

/// Runs a test with a server and the page, like the test of an app.
nonisolated(nonsending) func withInspector<Result>(
    of server: Server, size: (width: Int, height: Int) = (1_440, 900), expecting expected: [Int] = [],
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Result
) async throws -> Result {
    try await withServer(server, over: .socket) { server in
        try await withPage(size: size, expecting: expected) { page in
            try await page.open("\(server.url)/#session=\(try await server.session([:]))")
            try await page.wait(until: 0)
            // The page reads the catalog separately from the session.
            try await page.wait("for the catalog", until: "document.querySelector('#app-name').textContent !== ''")
            return try await body(page, server)
        }
    }
}

/// Runs a test with an empty page. At the end, the console must be empty, as for a test of an app.
///
/// - Parameters:
///   - withoutServer: Whether the server is stopped during the test. The browser writes failed connections to the
///     console.
///   - runsScripts: Whether the scripts of the page's documents run.
nonisolated(nonsending) func withPage<Result>(
    size: (width: Int, height: Int) = (1_440, 900), expecting expected: [Int] = [], withoutServer: Bool = false,
    runsScripts: Bool = true, _ body: nonisolated(nonsending) (Page) async throws -> Result
) async throws -> Result {
    let browser = try #require(OneBrowser.browser)
    let result: Result
    do {
        result = try await browser.withPage(size: size, runsScripts: runsScripts) { page in
            let result = try await body(page)
            // A later server can get the same port. For the browser, it is the same server.
            try await page.evaluate("if (location.protocol === 'http:') localStorage.clear()")
            return result
        }
    } catch {
        // Empties the console for the next test.
        _ = try? await browser.consoleLines()
        throw error
    }
    let lines = try await browser.consoleLines()
    let statuses = expected + (withoutServer ? [503, 504] : [])
    let excuses = statuses.map { "with a status of \($0)" } + (withoutServer ? ["net::ERR_"] : [])
    let unexpected = lines.filter { line in
        // The page's dialogs use `autofocus`. The browser tries all of them at the page's first frame, and reports that
        // it skips them if the address has a fragment by then.
        !(line.source == "rendering" && line.message.contains("Autofocus processing was blocked"))
            // The browser advises on the forms of apps.
            && !(line.source == "recommendation" && line.message.contains("/app"))
            && !(line.source == "network" && excuses.contains { line.message.contains($0) })
    }
    #expect(unexpected.isEmpty)
    return result
}

/// Runs a test with a server, the racing app's if none is given, and the page as a visitor without a session sees it.
///
/// - Parameters:
///   - path: The path that the visitor opens.
///   - script: A script that runs before those of the page.
nonisolated(nonsending) func withVisit(
    to path: String = "/", of server: Server? = nil, size: (width: Int, height: Int) = (1_440, 900),
    expecting expected: [Int] = [], runsScripts: Bool = true, runningFirst script: String? = nil,
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Void
) async throws {
    try await withServer(try server ?? Server.showing(), over: .socket) { server in
        try await withPage(size: size, expecting: expected, runsScripts: runsScripts) { page in
            try await page.clearCookies()
            if let script { try await page.runFirst(script) }
            try await page.open(server.url + path)
            try await body(page, server)
        }
    }
}

/// Runs a test with the racing app and the page on its own server.
///
/// - Parameter clock: The clock for the times of events.
nonisolated(nonsending) func withRacing<Result>(
    port: UInt16 = 0, clock: SessionClock = .system, journal: any Journal = MemoryJournal(),
    _ body: nonisolated(nonsending) (TestServer) async throws -> Result
) async throws -> Result {
    try await withServer(try Server.showing(port: port, clock: clock, journal: journal), over: .socket, body)
}

extension RacingApp {
    /// The app as the copied tests of `Copied` make it.
    init() throws {
        self = try .make()
    }
}

extension TestServer {
    /// Creates a session and returns its id.
    ///
    /// - Parameter request: The body of the request.
    func session(_ request: JSON) async throws -> String {
        try await client().post("/sessions", json: request).decode(Document.Session.self).id
    }
}

extension Server {
    /// A server for an app and the page, not yet started. Without an app, it is the racing app.
    static func showing(
        _ app: (any CoordinatedApp)? = nil, port: UInt16 = 0, apiKey: String = "", clients: ClientAccess? = nil,
        theme: String = "",
        servesWebPages: Bool = true, clock: SessionClock = .system,
        journal: any Journal = MemoryJournal()
    ) throws -> Server {
        var configuration = ServerConfiguration()
        configuration.apiKey = apiKey
        configuration.clients = clients
        configuration.endpoints = [.map] + (servesWebPages ? [.webPages(theme: theme)] : [])
        configuration.port = port
        configuration.page = .folder(shipped.path)
        let logger = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
        return try Server(
            app: try app ?? RacingApp.make(), configuration: configuration, logger: logger, clock: clock,
            journal: journal)
    }
}

private let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../public").standardized
