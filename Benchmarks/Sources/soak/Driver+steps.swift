import Foundation
import Loopback

/// The actions of a client in a session.
extension Driver {
    static let paths = [
        "/splash", "/main/teams", "/main/teams/team/ferrari", "/main/teams/driver/leclerc", "/main/drivers",
        "/main/drivers/compare/hamilton/leclerc", "/main/profile", "/main/profile/edit",
    ]

    private static let events = [
        SoakSession.Event(name: "splash.didFinish"), SoakSession.Event(name: "navigation.back"),
        SoakSession.Event(name: "navigation.popToRoot"), SoakSession.Event(name: "profile.edit"),
        SoakSession.Event(name: "navigation.dismiss"),
        SoakSession.Event(name: "navigation.selectTab", payload: ["tab": "ProfileCoordinator"]),
        SoakSession.Event(name: "navigation.selectTab", payload: ["tab": "TeamsCoordinator"]),
        SoakSession.Event(name: "teams.didSelect", payload: ["team": "ferrari"]),
        SoakSession.Event(name: "teams.setFavorite", payload: ["team": "ferrari"]),
        SoakSession.Event(name: "teams.unsetFavorite", payload: ["team": "ferrari"]),
        SoakSession.Event(name: "drivers.didSelect", payload: ["driver": "hamilton"]),
        SoakSession.Event(name: "comparison.start", payload: ["driver": "leclerc"]),
    ]

    /// Does one thing in a session. Every second step sends an event, and each event is accepted, handled or not.
    mutating func step(in session: SoakSession) throws {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<16: try send(anyEvent(), to: session)
        case 16..<36: try send(anyEvent(), to: session, ["Prefer: return=minimal"])
        case 36..<42: try sendTwice(anyEvent(), to: session)
        case 42..<46: try sendAndLoseTheAnswer(anyEvent(), to: session)
        case 46..<51: try sendConditionally(anyEvent(), to: session)
        case 51..<55: try openPath(in: session)
        case 55..<57: try sendNonsense(to: session)
        case 57..<75: _ = try route(of: session)
        case 75..<88: try askAgain(for: session)
        case 88..<92: try lookBack(in: session)
        case 92..<95: try compareVersions(of: session)
        case 95..<96: try waitForChange(of: session)
        default: try look(at: session)
        }
    }

    private mutating func anyEvent() -> SoakSession.Event {
        let event = Self.events.randomElement(using: &generator) ?? SoakSession.Event(name: "navigation.back")
        return generator.once(in: 3) ? SoakSession.Event(name: "profile.rename", payload: ["name": newName()]) : event
    }

    // MARK: Writing

    private func request(_ event: SoakSession.Event, to session: SoakSession, _ headers: [String]) -> String {
        HTTPText.post("/sessions/\(session.id)/events", event.json, headers: headers)
    }

    private mutating func send(
        _ event: SoakSession.Event, to session: SoakSession, _ headers: [String] = []
    ) throws {
        try note(event, try ask(request(event, to: session, headers), of: session), in: session)
    }

    /// Records an acknowledged event.
    private func note(_ event: SoakSession.Event, _ answer: Answer, in session: SoakSession) throws {
        let version = try decode(Versioned.self, from: answer).version
        soak.tally.count(.events)
        try expect(
            session.acknowledge(event, as: version),
            "\(event) is version \(version) of \(session.id), not \(session.version).")
    }

    /// Sends an event and then repeats it, as if the answer were lost.
    private mutating func sendTwice(_ event: SoakSession.Event, to session: SoakSession) throws {
        let request = request(event, to: session, ["Idempotency-Key: \(newName())"])
        let first = try ask(request, of: session)
        try note(event, first, in: session)
        let second = try ask(request, of: session)
        soak.tally.count(.retries)
        try expect(first.body == second.body, "A retry was answered with \(second.body), not with \(first.body)")
    }

    /// Sends an event, disconnects, and sends it again. It happens once, whichever of the two arrives first.
    private mutating func sendAndLoseTheAnswer(_ event: SoakSession.Event, to session: SoakSession) throws {
        let request = request(event, to: session, ["Idempotency-Key: \(newName())"])
        waitForTurn()
        try client.write(request)
        client = try LoopbackClient(port: soak.port)
        soak.tally.count(.retries)
        try note(event, try ask(request, of: session), in: session)
    }

    /// Sends an event on the condition of the current version, and one on the condition of the previous version.
    private mutating func sendConditionally(_ event: SoakSession.Event, to session: SoakSession) throws {
        let condition = "If-Match: \(try route(of: session))"
        try send(event, to: session, [condition])
        struct Conflict: Decodable { let version: Int }
        let conflict = try ask(request(event, to: session, [condition]), of: session, status: 412)
        let version = try decode(Conflict.self, from: conflict).version
        try expect(version == session.version, "A conflict reports version \(version), not \(session.version).")
    }

    private mutating func openPath(in session: SoakSession) throws {
        let path = Self.paths.randomElement(using: &generator) ?? "/splash"
        let body = "{\"path\": \"\(path)\"}"
        let request = """
            PUT /sessions/\(session.id)/route HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        try note(
            SoakSession.Event(name: "navigation.open", payload: ["path": path]),
            try ask(request, of: session), in: session)
    }

    /// Sends invalid requests, which create no version.
    private mutating func sendNonsense(to session: SoakSession) throws {
        let event = [
            SoakSession.Event(name: "teams.didSelect", payload: ["team": "unknown"]),
            SoakSession.Event(name: "nothing.happened"),
        ][Int.random(in: 0...1, using: &generator)]
        _ = try ask(request(event, to: session, []), of: session, status: 422)
    }

    // MARK: Reading

    /// Reads the route and returns its entity tag.
    private mutating func route(of session: SoakSession) throws -> String {
        let answer = try ask(HTTPText.get("/sessions/\(session.id)/route"), of: session)
        let version = try decode(Versioned.self, from: answer).version
        try expect(version == session.version, "\(session.id) is at \(version), not at \(session.version).")
        guard let tag = answer.header("ETag") else {
            soak.tally.fail(.answers, "A route has no tag.")
            throw Surprise()
        }
        return tag
    }

    /// Reads the route again while it does not change.
    private mutating func askAgain(for session: SoakSession) throws {
        let condition = "If-None-Match: \(try route(of: session))"
        for _ in 0..<3 {
            _ = try ask(
                HTTPText.get("/sessions/\(session.id)/route", headers: [condition]), of: session, status: 304)
        }
    }

    /// Waits for a change that does not happen.
    private mutating func waitForChange(of session: SoakSession) throws {
        let headers = ["If-None-Match: \(try route(of: session))", "Prefer: wait=1"]
        _ = try ask(HTTPText.get("/sessions/\(session.id)/route", headers: headers), of: session, status: 304)
    }

    private mutating func lookBack(in session: SoakSession) throws {
        let version = Int.random(in: 0...session.version, using: &generator)
        let answer = try ask(HTTPText.get("/sessions/\(session.id)/route?version=\(version)"), of: session)
        let told = try decode(Versioned.self, from: answer).version
        try expect(told == version, "The route of version \(version) has version \(told).")
    }

    private mutating func compareVersions(of session: SoakSession) throws {
        let newest = session.version
        let oldest = Int.random(in: 0...newest, using: &generator)
        struct Changes: Decodable {
            let from: Int
            let to: Int
        }
        let answer = try ask(
            HTTPText.get("/sessions/\(session.id)/changes?from=\(oldest)&to=\(newest)"), of: session)
        let changes = try decode(Changes.self, from: answer)
        try expect(
            changes.from == oldest && changes.to == newest, "Changes from \(oldest) to \(newest) are \(changes).")
    }

    private mutating func look(at session: SoakSession) throws {
        let answer = try ask(HTTPText.get("/sessions/\(session.id)"), of: session)
        let version = try decode(Versioned.self, from: answer).version
        try expect(version == session.version, "\(session.id) is at \(version), not at \(session.version).")
    }
}
