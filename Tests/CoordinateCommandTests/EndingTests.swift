import CoordinateTesting
import Foundation
import Glibc
import RawClient
import SessionFixtures
import Testing

/// The end of the server and its messages: on a signal, when its app traps, and when its app's turn does not end.
@Suite(.serialized, .timeLimit(.minutes(3))) struct EndingTests {
    private nonisolated(nonsending) func serve<Result>(
        _ arguments: [String] = [], environment: [String: String] = [:],
        _ body: nonisolated(nonsending) (Program, _ url: String) async throws -> Result
    ) async throws -> Result {
        try await withFolder { folder in
            try await Program.run(
                ["serve", "--port", "0"] + arguments, of: "payment-server",
                // A backtrace takes longer than everything else.
                environment: environment.merging(["TILL": folder.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 },
                in: folder
            ) { program in
                try await body(program, try await program.url())
            }
        }
    }

    /// Sends an event that is never answered.
    private func begin(_ event: String, of url: String) throws -> RawClient {
        let client = try RawClient(url: url)
        try client.send(Self.post(event))
        return client
    }

    static func post(_ event: String, to session: String? = nil) -> String {
        let body = #"{"event": "payment.\#(event)"}"#
        return "POST /events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + (session.map { "Session: \($0)\r\n" } ?? "") + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

    // MARK: Signals

    @Test func startAndEndAreLogged() async throws {
        try await serve(["--host", "0.0.0.0"]) { program, url in
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
            let lines = await program.remainingErrors()
            for text in [
                "Serving the app Payment 1 on \(url), sessions in MemoryJournal, libmicrohttpd ",
                "there is no API key", "The server is stopping: SIGTERM.", "The server stopped after ",
            ] { #expect(lines.contains(text), "\(lines)") }
        }
    }

    @Test func anUnreadLogDoesNotBlockTheServer() async throws {
        try await serve(["--access-log"]) { program, url in
            let client = try RawClient(url: url)
            // Much more than the pipe and the queue hold.
            for _ in 0..<80 {
                // Lets others on this thread continue.
                await Task.yield()
                try client.send(String(repeating: Self.get("/livez"), count: 100))
                for _ in 0..<100 { #expect(try client.answer().status == 200) }
            }
            let metrics = try RawClient.answer(of: url, to: Self.get("/metrics")).body
            let dropped = metrics.split(separator: "\n").first { $0.hasPrefix("coordinate_log_lines_dropped_total ") }
            #expect(try #require(dropped?.split(separator: " ").last.flatMap { Int($0) }) > 0)
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
        }
    }

    @Test func aSecondSignalEndsTheProcessDespiteAnEndlessTurn() async throws {
        try await serve(environment: ["COORDINATE_WORKERS": "1"]) { program, url in
            let client = try begin("hang", of: url)
            try await hasLogged("payment.hang", program)
            program.kill(SIGTERM)
            try await hasLogged("The server is stopping", program)
            program.kill(SIGTERM)
            #expect(await program.status() == 1)
            withExtendedLifetime(client) {}
        }
    }

    // MARK: The app

    @Test func aBlockedWorkerIsLoggedAndItsClientsReachAnotherOne() async throws {
        try await serve(environment: ["COORDINATE_WORKERS": "2"]) { program, url in
            // Both workers have some of these connections.
            let idle = try (0..<40).map { _ in
                let client = try RawClient(url: url)
                try client.send(Self.get("/livez"))
                #expect(try client.answer().status == 200)
                return client
            }
            let client = try begin("loop", of: url)
            let line = try await hasLogged("payment.loop", program)
            let words = #/has been running payment\.loop, for version 1, for (\d+) s, and blocks a worker/#
            let time = try #require(line.firstMatch(of: words).flatMap { Int($0.1) }, "\(line)")
            // The first check after a second reports it, perhaps late, but not the check after ten seconds.
            #expect((1..<10).contains(time))
            // The clients of that worker see the end of their connections, and reach another worker.
            for former in idle {
                let isKept = (try? former.send(Self.get("/livez"))) != nil && (try? former.answer().status) == 200
                if !isKept { #expect(try RawClient.answer(of: url, to: Self.get("/livez")).status == 200) }
            }
            for _ in 0..<20 { #expect(try RawClient.answer(of: url, to: Self.get("/livez")).status == 200) }
            withExtendedLifetime(client) {}
        }
    }

    @Test(arguments: [("trap", [SIGILL, SIGTRAP]), ("recurse", [SIGSEGV, SIGBUS])])
    func aCrashReportNamesTheTurn(event: String, signals: [Int32]) async throws {
        try await serve { program, url in
            let session = try RawClient.answer(
                of: url, to: "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
            let id = try #require(session.body.split(separator: "\"").dropFirst(3).first)
            let client = try begin(event, of: url)
            #expect(signals.map { 128 + $0 }.contains(await program.status()))
            let lines = await program.remainingErrors()
            #expect(lines.contains("in a turn of the app Payment 1: event payment.\(event), "), "\(lines)")
            #expect(!lines.contains(id))
            withExtendedLifetime(client) {}
        }
    }

    // MARK: Requests

    @Test func theAccessLogHasOneLinePerRequestAndNoIDs() async throws {
        let environment = ["COORDINATE_ACCESS_LOG": "true", "COORDINATE_TRUSTED_PROXIES": "127.0.0.1"]
        try await serve(environment: environment) { program, url in
            let head = try RawClient.answer(of: url, to: Self.get("/route")).head
            let id = try #require(
                head.split(separator: "\r\n").first { $0.hasPrefix("Session: ") }?.dropFirst("Session: ".count))
            for request in [
                Self.get("/sessions/\(id)/route?key=swordfish"), Self.get("/nowhere/\(id)"), Self.post("cancel"),
                "swordfish /\(id) HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /route HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: swordfish\r\n\r\n",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n",
            ] { _ = try RawClient.answer(of: url, to: request) }
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
            let all = await program.remainingErrors()
            #expect(!all.contains(id))
            #expect(!all.contains("swordfish"))
            let lines = try all.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
                try JSONDecoder().decode(JSON.self, from: Data($0.utf8))
            }
            #expect(
                lines.map { "\($0["method"]?.string ?? "") \($0["path"]?.string ?? "") \($0["status"]?.int ?? 0)" }
                    .sorted() == [
                        "- - 404", "GET - 404", "GET - 411", "GET /livez 200", "GET /route 200",
                        "GET /sessions/{id}/route 200",
                        "POST /events 200",
                    ], "\(all)")
            #expect(lines.allSatisfy { $0["microseconds"]?.int ?? -1 >= 0 && $0["bytes"]?.int ?? 0 > 0 })
            // The client, not the proxy.
            #expect(lines.allSatisfy { $0["client"] == ($0["path"] == "/livez" ? "192.0.2.7" : "127.0.0.1") })
        }
    }

    @Test func wrongKeysAreCountedButNotLogged() async throws {
        try await serve(environment: ["COORDINATE_API_KEY": "right"]) { program, url in
            for _ in 0..<3 {
                let answer = try RawClient.answer(
                    of: url, to: "GET /route HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer swordfish\r\n\r\n")
                #expect(answer.status == 401)
            }
            program.kill(SIGTERM)
            #expect(await program.status() == 0)
            let lines = await program.remainingErrors()
            #expect(lines.contains("1 request was refused for a wrong API key."))
            #expect(lines.components(separatedBy: "refused").count == 2)
            #expect(!lines.contains("swordfish"))
        }
    }

    /// Waits for a line of the log.
    @discardableResult
    private func hasLogged(_ text: String, _ program: Program) async throws -> String {
        while let line = await program.errorLine() {
            if line.contains(text) { return line }
        }
        throw NotLogged(text: text)
    }

    private struct NotLogged: Error { let text: String }
}
