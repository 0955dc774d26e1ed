import CoordinateTesting
import Dispatch
import Foundation
import RawClient
import Synchronization

/// One session of the W3C's WebDriver protocol (https://www.w3.org/TR/webdriver2), which controls one browser.
///
/// Commands go to the focused window, so they are sent one after another.
final class WebDriverSession: Sendable {
    /// The longest time for one command, in seconds. The first command starts the browser.
    private static let patience = 120

    private let server: String
    private let path: String
    private let window = Mutex("")

    private init(server: String, path: String) {
        self.server = server
        self.path = path
    }

    /// Starts a browser, and ends it when the body returns or throws.
    nonisolated(nonsending) static func run<Result>(
        port: Int, capabilities: JSON, _ body: nonisolated(nonsending) (WebDriverSession) async throws -> Result
    ) async throws -> Result {
        let driver = WebDriverSession(server: "http://127.0.0.1:\(port)", path: "/session")
        let started = try await driver.post("", ["capabilities": ["alwaysMatch": capabilities]])
        guard let id = started["sessionId"]?.string else {
            throw BrowserError(kind: "no driver", message: "\(started) names no session")
        }
        let session = WebDriverSession(server: driver.server, path: "/session/\(id)")
        do {
            let result = try await body(session)
            try await session.delete("")
            return result
        } catch {
            _ = try? await session.delete("")
            throw error
        }
    }

    /// Makes a window the target of commands.
    func focus(_ handle: String) async throws {
        guard window.withLock({ $0 != handle }) else { return }
        try await post("/window", ["handle": .string(handle)])
        window.withLock { $0 = handle }
    }

    func get(_ path: String) async throws -> JSON { try await send("GET", path, []) }

    @discardableResult
    func delete(_ path: String) async throws -> JSON { try await send("DELETE", path, []) }

    @discardableResult
    func post(_ path: String, _ body: JSON = [:]) async throws -> JSON { try await send("POST", path, body.encoded) }

    /// Sends a command and returns the `value` of the answer.
    ///
    /// It does not use Foundation's client, which cannot parse the driver's header lines: they have no space after the
    /// colon (https://github.com/swiftlang/swift-corelibs-foundation/issues/4965).
    private func send(_ method: String, _ path: String, _ body: [UInt8]) async throws -> JSON {
        let request = """
            \(method) \(self.path)\(path) HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            Content-Length: \(body.count)\r
            Connection: close\r
            \r
            \(String(decoding: body, as: UTF8.self))
            """
        let server = server
        // The client blocks, so it runs on a new thread.
        let answer = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result { try RawClient.answer(of: server, to: request, patience: Self.patience).body })
            }
        }
        let value = try JSONDecoder().decode(JSON.self, from: Data(answer.utf8))["value"] ?? .null
        guard let kind = value["error"]?.string else { return value }
        throw BrowserError(kind: kind, message: value["message"]?.string ?? "")
    }
}
