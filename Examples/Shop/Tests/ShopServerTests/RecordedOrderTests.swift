import CoordinateTesting
import Foundation
import Shop
import Testing

/// A customer's session as tests: `GET /sessions/{id}/test`. No service is called when they run.
struct RecordedOrderTests {
    /// A customer whose offer expires, who logs in, and who places an order. It begins with the work `prices`.
    private func test(as language: String) async throws -> String {
        let clock = TestClock()
        return try await withServer(app: ShopApp(), clock: clock) { server in
            let client = try await server.client(options: ["locale": "en"])
            try await client.settle()
            try await client.press("Oak chair")
            try await client.press("Add to cart")
            clock.advance(by: .seconds(300))
            try await client.wait { $0.pending.isEmpty }
            try await client.press("Cart")
            try await client.press("+")
            try await client.press("Check out")
            try await client.press("Log in", entering: ["user": "anna", "password": "open sesame"])
            try await client.settle()
            try await client.press("Save address", entering: ["zip": "10115"])
            try await client.press("Save address", entering: ["country": "de"])
            try await client.press("Continue")
            try await client.press("Place order")
            #expect(try await client.settle().path.hasPrefix("/orders/"))

            let answer = try await client.get("/sessions/\(client.session().id)/test?as=\(language)").json
            let steps = answer["steps"]?.array.compactMap(\.string) ?? []
            #expect(try await client.route().version == steps.count)
            return try #require(answer["opening"]?.string) + steps.joined() + #require(answer["closing"]?.string)
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/jq"), "This test needs curl and jq."))
    func aShellScriptPlacesTheOrder() async throws {
        let script = try await test(as: "curl")
        try await withServer(app: ShopApp(), over: .socket) { server in
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", script]
            shell.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "SERVER": server.url]
            try await withCheckedThrowingContinuation { ended in
                shell.terminationHandler = { _ in ended.resume() }
                do { try shell.run() } catch { ended.resume(throwing: error) }
            }
            #expect(shell.terminationStatus == 0, "\(script)")
        }
    }

    /// `COPIED_TESTS=1` writes the file again, which is compiled. `make format` formats it.
    @Test func theCompiledTestIsTheOneThatIsWritten() async throws {
        let text = try await test(as: "swift")
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "CopiedTest.swift")
        if ProcessInfo.processInfo.environment["COPIED_TESTS"] != nil { try Data(text.utf8).write(to: file) }
        // What differs for each recording, such as the order's number, and formatting.
        let others = /leadsTo\w+|"(?:createdAt|seed|reference)": [^,\n]*|\d{6}|[\s_,]/
        let copied = try String(contentsOf: file, encoding: .utf8)
        #expect(text.replacing(others, with: "") == copied.replacing(others, with: ""))
    }
}
