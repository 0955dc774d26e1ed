import Foundation
import Loopback

/// A check that a server does the work of the racing app: an event changes its session, and nothing else.
struct PeerCheck {
    /// The parts of a route document that an event changes.
    private struct Document: Decodable, Equatable {
        struct Screen: Decodable, Equatable { let actions: [Action] }
        struct Action: Decodable, Equatable { let event: String }
        struct Navigation: Decodable, Equatable { let tabs: [Tab] }
        struct Tab: Decodable, Equatable {
            let title: String
            let badge: String?
        }
        let session: String
        let version: Int
        let path: String
        let screen: Screen
        let navigation: Navigation
    }

    private struct Outcome: Decodable {
        let version: Int
        let path: String
        let route: Document?
    }

    /// What was seen.
    struct Result {
        /// A session, and its last version.
        let session: RacingSession
        let version: Int
        /// The sizes of the bodies.
        let sizes: [Workload: Int]
    }

    private let server: ServerProcess
    private let client: LoopbackClient

    init(server: ServerProcess) throws {
        self.server = server
        client = try LoopbackClient(port: server.port)
    }

    /// Sends events and throws if an answer is not what it must be.
    func run() throws -> Result {
        let session = try RacingSession(on: client)
        let other = try RacingSession(on: client)
        try expect(session, isAt: 3, isFavorite: true, of: server.name)

        let full = try send(RacingSession.favorite(false), to: session)
        let removed = try decode(Outcome.self, from: full)
        try expect(session, isAt: 4, isFavorite: false, of: server.name)
        guard removed.version == 4, removed.route == (try document(of: session)) else {
            throw BenchmarkError("\(server.name) answers an event with another route than the following GET.")
        }

        let minimal = try send(RacingSession.favorite(true), to: session, headers: ["Prefer: return=minimal"])
        let added = try decode(Outcome.self, from: minimal)
        guard added.version == 5, added.route == nil else {
            throw BenchmarkError("\(server.name) does not shorten its answer.")
        }
        try expect(session, isAt: 5, isFavorite: true, of: server.name)

        let refused = try client.ask(
            HTTPText.post("/events", #"{"event": "teams.unknown"}"#, headers: [session.session]))
        guard refused.status >= 400 else { throw BenchmarkError("\(server.name) accepts an unknown event.") }
        try expect(session, isAt: 5, isFavorite: true, of: server.name)
        try expect(other, isAt: 3, isFavorite: true, of: server.name)
        let route = try client.send(HTTPText.get("/route", headers: [session.session]))
        return Result(
            session: session, version: 5,
            sizes: [.route: route.body.utf8.count, .full: full.body.utf8.count, .minimal: minimal.body.utf8.count])
    }

    /// Throws unless a session's route shows a version, and its team as a favorite or not.
    func expect(_ session: RacingSession, isAt version: Int, isFavorite: Bool, of name: String) throws {
        let document = try document(of: session)
        let action = isFavorite ? "teams.unsetFavorite" : "teams.setFavorite"
        let badge = document.navigation.tabs.first { $0.title == "Profile" }?.badge
        guard document.session == session.id, document.version == version, document.path == "/main/teams/team/ferrari",
            document.screen.actions.map(\.event) == [action], badge == (isFavorite ? "1" : nil)
        else { throw BenchmarkError("\(name) does not show version \(version) of a session: \(document)") }
    }

    func version(of session: RacingSession) throws -> Int { try document(of: session).version }

    private func document(of session: RacingSession) throws -> Document {
        try decode(Document.self, from: client.send(HTTPText.get("/route", headers: [session.session])))
    }

    private func send(_ event: String, to session: RacingSession, headers: [String] = []) throws -> Answer {
        try client.send(HTTPText.post("/events", event, headers: [session.session] + headers))
    }

    private func decode<Value: Decodable>(_ type: Value.Type, from answer: Answer) throws -> Value {
        try JSONDecoder().decode(type, from: Data(answer.body.utf8))
    }
}
