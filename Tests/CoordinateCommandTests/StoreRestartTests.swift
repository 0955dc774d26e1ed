import Foundation
import Glibc
import Testing

@testable import CoordinateTesting

/// A server ends, and another one continues with its store. Clients notice only the end of their connections.
@Suite(.serialized) struct StoreRestartTests {
    /// The facts that a client knows of a session and relies on.
    private struct Known: Equatable {
        let route: [UInt8]
        let tag: String?
        let journal: [UInt8]
        let firstRoute: [UInt8]
        /// The session's document, without the fields that depend on the server or on the time of the request.
        let document: JSON

        init(_ client: SessionClient) async throws {
            let answer = try await client.get("/route")
            route = answer.body
            tag = answer.header("ETag")
            journal = try await client.exportedJournal()
            firstRoute = try await client.get("/route?version=0").body
            guard case .object(var fields) = try await client.get("/sessions/\(client.sessionID ?? "")").json else {
                throw UnexpectedAnswer(answer: answer, expected: "a session")
            }
            fields["state"] = nil
            fields["expiresAt"] = nil
            document = .object(fields)
        }
    }

    private static let key = ["Idempotency-Key": "once"]
    private static let event: JSON = ["event": "teams.didSelect", "payload": ["team": "ferrari"]]

    @Test(arguments: CrashHouse.Store.durable, [SIGTERM, SIGKILL])
    func aRestartChangesNothing(store: CrashHouse.Store, signal: Int32) async throws {
        try await CrashHouse.with(store) { house in try await check(house.journal, signal) }
    }

    private func check(_ journal: String, _ signal: Int32) async throws {
        let arguments = ["serve", "--port", "0", "--journal", journal]
        var sessions: [(id: String, known: Known)] = []
        var ended: String?
        var first: ServerAnswer?
        try await Program.run(arguments) { program in
            let url = try await program.url()
            let client = SessionClient(url: url, headers: [:])
            try await client.emit("splash.didFinish")
            first = try await client.post("/events", json: Self.event, headers: Self.key)
            try await client.emit("teams.setFavorite", ["team": "ferrari"])
            let fork = try await client.fork(at: 2)
            let forkOfFork = try await fork.fork(at: 1)
            try await fork.emit("navigation.back")
            let fresh = SessionClient(url: url, headers: [:])
            _ = try await fresh.route()
            let other = SessionClient(url: url, headers: [:])
            try await other.emit("splash.didFinish")
            ended = other.sessionID
            #expect(try await other.delete("/sessions/\(ended ?? "")").status == 204)
            for client in [client, fork, forkOfFork, fresh] {
                sessions.append((try #require(client.sessionID), try await Known(client)))
            }
            program.kill(signal)
            #expect(await program.status() == (signal == SIGTERM ? 0 : 128 + SIGKILL))
        }
        try await Program.run(arguments) { program in
            let url = try await program.url()
            let clients = sessions.map { SessionClient(url: url, headers: ["Session": $0.id]) }
            for (client, (_, known)) in zip(clients, sessions) {
                #expect(try await client.session().state == "passive")
                #expect(try await client.get("/route", headers: ["If-None-Match": known.tag ?? ""]).status == 304)
                #expect(try await Known(client) == known)
            }
            #expect(try await clients[0].get("/sessions/\(ended ?? "")").status == 404)
            let listed = try await clients[0].get("/sessions").decode(Document.SessionPage.self)
            #expect(Set(listed.sessions.map(\.id)) == Set(sessions.map(\.id)))

            let again = try await clients[0].post("/events", json: Self.event, headers: Self.key)
            #expect(again.body == first?.body)
            let mismatch = try await clients[0].post("/events", json: ["event": "navigation.back"], headers: Self.key)
            #expect(mismatch.status == 422)

            let stream = try await clients[0].follow(after: 1)
            let next = try await clients[0].post(
                "/events", json: ["event": "navigation.back"], headers: ["If-Match": sessions[0].known.tag ?? ""])
            #expect(try next.decode(Document.Outcome.self).version == 4)
            for version in 2...4 {
                let message = try #require(await stream.next())
                #expect(message.id == version)
                #expect(message.event == "route")
                #expect(try await message.data == clients[0].get("/route?version=\(version)").text)
            }
            #expect(try await clients[3].emit("splash.didFinish").version == 1)
        }
    }
}
