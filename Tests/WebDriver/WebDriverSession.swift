import CoordinateTesting
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One session of the W3C's WebDriver protocol (https://www.w3.org/TR/webdriver2), which is one browser.
///
/// Commands go to the window that was switched to, so they are sent one after another.
final class WebDriverSession: Sendable {
    private let web: URLSession
    private let url: String
    private let window = Mutex("")

    private init(web: URLSession, url: String) {
        self.web = web
        self.url = url
    }

    /// Starts a browser, and ends it again whether the body returns or throws.
    nonisolated(nonsending) static func run<Result>(
        port: Int, capabilities: JSON, _ body: nonisolated(nonsending) (WebDriverSession) async throws -> Result
    ) async throws -> Result {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        // A browser on a machine that is busy takes its time to start.
        configuration.timeoutIntervalForRequest = 180
        let web = URLSession(configuration: configuration)
        defer { web.finishTasksAndInvalidate() }
        let driver = WebDriverSession(web: web, url: "http://127.0.0.1:\(port)/session")
        let started = try await driver.post("", ["capabilities": ["alwaysMatch": capabilities]])
        guard let id = started["sessionId"]?.string else {
            throw BrowserError(kind: "no driver", message: "\(started) names no session")
        }
        let session = WebDriverSession(web: web, url: "\(driver.url)/\(id)")
        do {
            let result = try await body(session)
            _ = try await session.delete("")
            return result
        } catch {
            _ = try? await session.delete("")
            throw error
        }
    }

    /// Makes a window the one that commands go to.
    func focus(_ handle: String) async throws {
        guard window.withLock({ $0 != handle }) else { return }
        try await post("/window", ["handle": .string(handle)])
        window.withLock { $0 = handle }
    }

    func get(_ path: String) async throws -> JSON { try await send("GET", path, nil) }

    func delete(_ path: String) async throws -> JSON { try await send("DELETE", path, nil) }

    @discardableResult
    func post(_ path: String, _ body: JSON = [:]) async throws -> JSON { try await send("POST", path, body) }

    /// Sends a command; its answer is the `value` of the document that comes back.
    private func send(_ method: String, _ path: String, _ body: JSON?) async throws -> JSON {
        guard let url = URL(string: url + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.encoded) }
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (content, _) = try await web.data(for: request)
        let value = try JSONDecoder().decode(JSON.self, from: content)["value"] ?? .null
        guard let kind = value["error"]?.string else { return value }
        throw BrowserError(kind: kind, message: value["message"]?.string ?? "")
    }
}
