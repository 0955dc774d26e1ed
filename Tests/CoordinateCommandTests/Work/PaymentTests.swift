import Foundation
import Glibc
import PostgreSQLCluster
import SessionFixtures
import Testing

@testable import CoordinateTesting

/// A payment is executed once, whatever happens to its servers.
@Suite(.serialized) struct PaymentTests {
    @Test func aPaymentIsExecutedOnceIfItsServerIsKilledBeforeTheOutcome() async throws {
        try await withTill { till in
            let journal = "sqlite:\(till.folder.appending(path: "sessions.sqlite").path)"
            till.hold()
            let id = try await serve(journal, till) { program, client in
                try await client.emit("payment.pay")
                try await till.hasAttempts(1)
                program.kill(SIGKILL)
                _ = await program.status()
                return client.sessionID ?? ""
            }
            till.release()
            try await serve(journal, till) { program, client in
                // Without any request for the session, pending work starts again.
                try await till.hasAttempts(2)
                let client = client.inSession(id)
                #expect(try await client.settle().path == "/paid/receipt%20of%201-1")
                try await check(client, till, attempts: [1, 2])
            }
        }
    }

    /// Servers are killed while timers are pending: the only server with SQLite, one of two with PostgreSQL.
    @Test(arguments: CrashHouse.Store.durable)
    func everyTimerFiresOnceIfServersAreKilled(store: CrashHouse.Store) async throws {
        try await CrashHouse.with(store) { house in
            let sessions = try await house.serve { _, client in
                var sessions: [String] = []
                for number in 0..<12 {
                    let id = try #require(try await client.post("/sessions", json: [:]).json["id"]?.string)
                    // Some timers are due before the next server starts, and some after it was killed.
                    for seconds in [1, 2 + number % 3] {
                        try await client.inSession(id).emit("payment.remind", ["seconds": .int(seconds)])
                    }
                    sessions.append(id)
                }
                return sessions
            }
            for _ in 0..<4 {
                try await house.serve { _, client in
                    // A server runs until it has fired a timer, or until it has checked for due timers.
                    for id in sessions { _ = try await client.inSession(id).journal() }
                }
            }
            if store == .postgreSQL {
                try await house.serve { one, _ in
                    try await house.serve { other, client in
                        _ = try await client.inSession(sessions[0]).journal()
                        one.kill(SIGKILL)
                        try await expectOneOfEachTimer(sessions, client)
                    }
                }
            } else {
                try await house.serve { _, client in try await expectOneOfEachTimer(sessions, client) }
            }
        }
    }

    private func expectOneOfEachTimer(_ sessions: [String], _ client: SessionClient) async throws {
        for id in sessions {
            let client = client.inSession(id)
            while try await client.session().pending > 0 { try await Task.sleep(for: .milliseconds(5)) }
            let events = try await client.journal().events.map(\.event)
            #expect(events.count { $0 == "payment.didRemind" } == 2, "\(events)")
        }
    }

    @Test(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
    func anotherServerTakesOverAfterAKill() async throws {
        let journal = try await PostgreSQLCluster.shared.makeAddress()
        try await withTill { till in
            till.hold()
            try await serve(journal, till) { second, other in
                let id = try await serve(journal, till) { program, client in
                    try await client.emit("payment.pay")
                    try await till.hasAttempts(1)
                    program.kill(SIGKILL)
                    _ = await program.status()
                    return client.sessionID ?? ""
                }
                // The other server may have been first.
                let wasFirst = till.lines(of: "attempts").map { $0.hasSuffix("/1-1 1") } == [true]
                if wasFirst { try await till.hasAttempts(2) }
                till.release()
                let client = other.inSession(id)
                #expect(try await client.settle().path == "/paid/receipt%20of%201-1")
                try await check(client, till, attempts: wasFirst ? [1, 2] : [2])
            }
        }
    }

    @Test(.enabled(if: PostgreSQLCluster.isAvailable, Comment(rawValue: PostgreSQLCluster.hint)))
    func onlyOneOfTwoServersExecutesAPayment() async throws {
        let journal = try await PostgreSQLCluster.shared.makeAddress()
        try await withTill { till in
            till.hold()
            try await serve(journal, till) { _, one in
                try await serve(journal, till) { _, two in
                    try await one.emit("payment.pay")
                    try await till.hasAttempts(1)
                    let id = one.sessionID ?? ""
                    let other = two.inSession(id)
                    // The other server knows of the session, and many sweeps pass.
                    #expect(try await other.route().path == "/paying")
                    try await other.emit("payment.remind", ["seconds": 2])
                    try await other.wait { $0.path == "/reminded/1" }
                    till.release()
                    try await one.settle()
                    #expect(try await other.settle().path == "/paid/receipt%20of%201-1")
                    let attempts = till.lines(of: "attempts").compactMap { $0.last?.wholeNumberValue }
                    #expect(attempts.count == 1)
                    try await check(other, till, attempts: attempts)
                }
            }
        }
    }

    @Test func theProgramLearnsItsAddressAndWhenSessionsBeginAndEnd() async throws {
        try await withTill { till in
            try await serve("memory", till) { _, client in
                try await till.has(1, "address")
                let answer = try await SessionClient(url: till.lines(of: "address")[0]).get("/livez")
                #expect(answer.status == 200)
                try await client.emit("payment.cancel")
                let id = try #require(client.sessionID)
                try await till.has(1, "begun")
                #expect(till.lines(of: "begun") == [id])
                #expect(try await client.request("DELETE", "/sessions/\(id)").status == 204)
                try await till.has(1, "ended")
                #expect(till.lines(of: "ended") == [id])
            }
        }
    }

    // MARK: Checks

    /// Checks that the payment was attempted, executed once, and reported once.
    ///
    /// - Parameter attempts: The numbers of the attempts.
    private func check(_ client: SessionClient, _ till: TestTill, attempts: [Int]) async throws {
        let key = "\(try #require(try await client.session().reference))/1-1"
        #expect(till.lines(of: "attempts") == attempts.map { "\(key) \($0)" })
        #expect(till.lines(of: "taken") == [key])
        let reported = try await client.journal().events.filter { $0.event == "payment.didPay" }
        #expect(reported.count == 1)
    }

    private func serve<Result>(
        _ journal: String, _ till: TestTill,
        _ body: nonisolated(nonsending) (Program, SessionClient) async throws -> Result
    ) async throws -> Result {
        try await Program.run(
            ["serve", "--port", "0", "--journal", journal], of: "payment-server",
            environment: ["TILL": till.folder.path], in: till.folder
        ) { program in
            try await body(program, SessionClient(url: try await program.url(), headers: [:]))
        }
    }
}

/// The folder to which the payment server writes.
struct TestTill {
    let folder: URL

    func hold() { put("hold") }
    func release() { remove("hold") }

    func put(_ name: String) {
        _ = FileManager.default.createFile(atPath: folder.appending(path: name).path, contents: nil)
    }

    func remove(_ name: String) { try? FileManager.default.removeItem(at: folder.appending(path: name)) }

    func lines(of name: String) -> [String] {
        let content = try? String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return content?.split(separator: "\n").map(String.init) ?? []
    }

    /// Returns when there were that many attempts.
    func hasAttempts(_ count: Int) async throws { try await has(count, "attempts") }

    /// Returns when a file has that many lines.
    func has(_ count: Int, _ name: String) async throws {
        try await waitUntil("\(name) has too few lines") { lines(of: name).count >= count }
    }
}

nonisolated(nonsending) private func withTill<Result>(
    _ body: nonisolated(nonsending) (TestTill) async throws -> Result
) async throws -> Result { try await withFolder { try await body(TestTill(folder: $0)) } }
