import Foundation
import SeededGenerator

@testable import CoordinateTesting

/// A client of servers that are ended during the run. It repeats a request until the answer is certain.
struct TortureClient {
    /// The error for a request without an answer for a long time.
    struct Stalled: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let fleet: Fleet
    let ledger: TortureLedger
    var generator: SeededGenerator
    private var clients: [String: SessionClient] = [:]

    init(_ name: String, _ fleet: Fleet, _ ledger: TortureLedger, seed: UInt64) {
        self.name = name
        self.fleet = fleet
        self.ledger = ledger
        generator = SeededGenerator(state: seed)
    }

    mutating func chance(_ one: Int, of many: Int) -> Bool { Int.random(in: 1...many, using: &generator) <= one }

    /// A client of some running server.
    mutating func anyClient() -> SessionClient? {
        let urls = fleet.urls
        clients = clients.filter { urls.contains($0.key) }
        guard let url = urls.randomElement(using: &generator) else { return nil }
        let client = clients[url] ?? SessionClient(url: url, headers: [:])
        clients[url] = client
        return client
    }

    /// Waits to let starting servers continue.
    mutating func pause() async {
        try? await Task.sleep(for: .milliseconds(Int.random(in: 1...30, using: &generator)))
    }

    /// Sends a request to some server, and to other ones, until there is a valid answer.
    ///
    /// - Returns: The answer and the number of attempts. Every attempt but the last may have had an effect.
    mutating func ask(
        _ method: String, _ path: String, headers: [String: String] = [:], json: JSON? = nil
    ) async throws -> (answer: ServerAnswer, attempts: Int) {
        let deadline = ContinuousClock.now + .seconds(90)
        var headers = headers
        if json != nil { headers["Content-Type"] = "application/json" }
        var attempts = 0
        while ContinuousClock.now < deadline {
            if let client = anyClient() {
                attempts += 1
                do {
                    let body = json?.encoded ?? (method == "POST" ? [] : nil)
                    let answer = try await client.request(method, path, headers: headers, body: body)
                    guard [503, 504].contains(answer.status) else { return (answer, attempts) }
                    if answer.header("Retry-After") == nil {
                        ledger.violation("\(answer.status) without Retry-After: \(answer.text)")
                    }
                    ledger.count(.refused)
                } catch is RequestFailure {
                    ledger.count(.unanswered)
                }
            }
            await pause()
        }
        throw Stalled(description: "\(name) got no answer to \(method) \(path)")
    }

    /// Records an unexpected answer.
    func report(_ what: String, _ answer: ServerAnswer) {
        ledger.violation("\(name), \(what): \(answer.status) \(answer.text.prefix(300))")
    }

    /// The whole journal of a session; `nil` if the session does not exist.
    mutating func journal(of session: String) async throws -> [Document.JournalEntry]? {
        var entries: [Document.JournalEntry] = []
        var next: Int? = 0
        while let after = next {
            let (answer, _) = try await ask("GET", "/sessions/\(session)/events?after=\(after)&limit=1000")
            if answer.status == 404 { return nil }
            let page = try answer.decode(Document.Journal.self, status: 200)
            entries += page.events
            next = page.next
        }
        return entries
    }
}
