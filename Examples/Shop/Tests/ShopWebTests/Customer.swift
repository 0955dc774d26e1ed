import CoordinateServer
import CoordinateTesting
import CoordinateWeb
import Testing
import WebDriver

@testable import Shop

/// Runs a test with the shop, and the page of a browser without a session.
///
/// At the end, the browser's console must be empty, except for refusals with the expected statuses.
///
/// - Parameter clock: The clock of the server; `nil` for the system's.
nonisolated(nonsending) func withCustomer(
    clock: TestClock? = nil, expecting expected: [Int] = [], runsScripts: Bool = false,
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    configuration.endpoints = [.webPages()]
    try await withServer(app: ShopApp(), configuration: configuration, clock: clock, over: .socket) { server in
        try await Browser.run { browser in
            try await browser.withPage(runsScripts: runsScripts) { page in try await body(page, server) }
            let unexpected = try await browser.consoleLines().filter { line in
                // The browser advises on forms of apps.
                line.source != "recommendation"
                    && !(line.source == "network"
                        && expected.contains { line.message.contains("with a status of \($0)") })
            }
            #expect(unexpected.isEmpty)
        }
    }
}

extension Page {
    /// Waits for the screen with a heading, and expects its address.
    func expect(
        _ heading: String, at path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await wait(for: "h1", text: heading)
        if let path { #expect(try await address == "/app\(path)", sourceLocation: sourceLocation) }
    }

    func press(_ title: String) async throws { try await click("button", text: title) }

    func logIn(password: String = "open sesame") async throws {
        try await wait(for: "h1", text: "Log in")
        // A page with fields does not reload itself while the prices are pending. Afterwards, it would be out of date.
        while try await !texts(".loading").isEmpty { try await reload() }
        try await fill(labelled: "User", with: "anna")
        try await fill(labelled: "Password", with: password)
        try await press("Log in")
    }
}
