import CoordinateTesting
import CoordinateWeb
import Foundation
import Racing
import Testing

@testable import CoordinateServer

/// An app's own look: a style sheet named in the settings.
struct WebLookTests {
    private func configuration(_ theme: URL) -> ServerConfiguration {
        .make(endpoints: [.webPages(theme: theme.path)])
    }

    @Test func theAppsStyleSheetComesAfterTheLibrarys() async throws {
        let theme = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).css")
        try Data(":root { --accent: #b00020; }".utf8).write(to: theme)
        defer { try? FileManager.default.removeItem(at: theme) }
        try await withRacing(configuration: configuration(theme)) { server in
            let browser = WebClient(client: server.client())
            let page = try await browser.get("/app")
            #expect(
                page.text.contains(
                    """
                    <link rel="stylesheet" href="/web/app.css">
                    <link rel="stylesheet" href="/web/theme.css">

                    """))
            let sheet = try await browser.client.get("/web/theme.css")
            #expect(sheet.text == ":root { --accent: #b00020; }")
            #expect(sheet.header("Content-Type") == "text/css; charset=utf-8")
            // Messages have it as well.
            let message = try await browser.get("/app/nowhere")
            #expect(message.text.contains("/web/theme.css"))
        }
    }

    @Test func withoutOneItIsEmpty() async throws {
        try await withRacing { server in
            let browser = WebClient(client: server.client())
            let theme = try await browser.client.get("/web/theme.css")
            #expect(theme.status == 200)
            #expect(!theme.text.contains("{"))
        }
    }

    @Test func aMissingStyleSheetIsFoundAtTheStart() async throws {
        let missing = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).css")
        let configuration = configuration(missing)
        await #expect(throws: ServerError.self) {
            try await withRacing(configuration: configuration) { _ in }
        }
    }
}
