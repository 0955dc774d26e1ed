import CoordinateServer
import CoordinateTesting
import CoordinateWeb
import Foundation
import Testing
import WebDriver

@testable import Shop

/// Runs a test with the shop, and the page of a browser without a session.
///
/// At the end, the browser's console must be empty, except for refusals with the expected statuses.
///
/// - Parameters:
///   - clock: The clock of the server; `nil` for the system's.
///   - width: The width of the page in CSS pixels.
nonisolated(nonsending) func withCustomer(
    clock: TestClock? = nil, expecting expected: [Int] = [], runsScripts: Bool = false, width: Int = 1_440,
    _ body: nonisolated(nonsending) (Page, TestServer) async throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    configuration.endpoints = [.webPages()]
    let files = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../public")
    configuration.page = .folder(files.standardizedFileURL.path)
    try await withServer(app: ShopApp(), configuration: configuration, clock: clock, over: .socket) { server in
        try await Browser.run { browser in
            try await browser.withPage(size: (width, 900), runsScripts: runsScripts) { page in
                try await body(page, server)
            }
            let unexpected = try await browser.consoleLines().filter { line in
                // The browser advises on forms of apps, and says that a script has moved the focus before it.
                !["recommendation", "rendering"].contains(line.source)
                    && !(line.source == "network"
                        && expected.contains { line.message.contains("with a status of \($0)") })
            }
            #expect(unexpected.isEmpty)
        }
    }
}

extension Page {
    /// Waits for the screen with a heading, and expects its address, and that it fits into the page's width.
    func expect(
        _ heading: String, at path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await wait(for: "h1", text: heading)
        if let path { #expect(try await address == "/app\(path)", sourceLocation: sourceLocation) }
        let overflow = try await evaluate("return document.documentElement.scrollWidth - innerWidth")
        #expect(overflow.int ?? 1 <= 0, "\(heading)", sourceLocation: sourceLocation)
    }

    /// Waits for a text on the screen.
    func read(_ text: String) async throws { try await wait(for: "main *", text: text) }

    /// Waits for the error of a field, beside it and in the alert at the top.
    func expectError(_ error: String, at label: String) async throws {
        try await wait(
            "for “\(error)” at \(label)",
            until: """
                seen("[role='alert']", null).some((alert) => said(alert).includes(given[1]))
                  && seen("label", given[0]).some(({ control }) => control.ariaInvalid === "true"
                    && control.getAttribute("aria-describedby").split(" ")
                      .some((id) => said(document.getElementById(id)).includes(given[1])))
                """, .string(label), .string(error))
    }

    /// Expects that the pictures of products are loaded.
    func expectPictures(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await wait("for the pictures", until: "[...document.images].every((image) => image.complete)")
        let loaded = try await evaluate(
            """
            return seen("main img", null).filter((image) => image.naturalWidth > 0)
              .map((image) => new URL(image.src).pathname);
            """)
        #expect(
            loaded.array.compactMap(\.string) == names.map { "/images/\($0).svg" }, sourceLocation: sourceLocation)
    }

    /// Presses a button or follows a link.
    func press(_ title: String, in part: String = "main") async throws {
        try await click(labelled: title, in: part)
    }

    /// Presses a button, and waits until the page shows the effect.
    func pressAndStay(_ title: String) async throws {
        let version = "document.querySelector('[data-version]').dataset.version"
        let before = try await evaluate("return \(version)")
        try await press(title)
        try await wait("for the effect of “\(title)”", until: "\(version) !== given[0]", before)
    }

    func openTab(_ title: String) async throws { try await press(title, in: "nav") }

    func logIn(password: String = "open sesame", in language: Language = .en) async throws {
        try await wait(for: "h1", text: Text.logIn[language])
        // A page with fields does not reload itself while the prices are pending. Afterwards, it would be out of date.
        while try await !texts(".loading").isEmpty { try await reload() }
        try await fill(labelled: Text.user[language], with: "anna")
        try await fill(labelled: Text.password[language], with: password)
        try await press(Text.logIn[language])
    }
}
