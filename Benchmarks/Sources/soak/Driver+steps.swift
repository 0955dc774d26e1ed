import CoordinateClient
import SeededGenerator

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
    mutating func step(in session: SoakSession) async throws {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<16: try await send(anyEvent(), to: session)
        case 16..<36: try await send(anyEvent(), to: session, ["Prefer": "return=minimal"])
        case 36..<42: try await sendTwice(anyEvent(), to: session)
        case 42..<46: try await sendAndLoseTheAnswer(anyEvent(), to: session)
        case 46..<51: try await sendConditionally(anyEvent(), to: session)
        case 51..<55: try await openPath(in: session)
        case 55..<57: try await sendNonsense(to: session)
        case 57..<75: _ = try await tag(of: session)
        case 75..<88: try await readAgain(session)
        case 88..<92: try await lookBack(in: session)
        case 92..<95: try await compareVersions(of: session)
        case 95..<96: try await waitForChange(of: session)
        default: try await look(at: session)
        }
    }

    private mutating func anyEvent() -> SoakSession.Event {
        let event = Self.events.randomElement(using: &generator) ?? SoakSession.Event(name: "navigation.back")
        return generator.once(in: 3) ? SoakSession.Event(name: "profile.rename", payload: ["name": newName()]) : event
    }

    // MARK: Writing

    private func request(
        _ event: SoakSession.Event, to session: SoakSession, _ headers: [String: String] = [:]
    ) -> Request { .send(event.json, to: "\(session.path)/events", headers: headers) }

    private mutating func send(
        _ event: SoakSession.Event, to session: SoakSession, _ headers: [String: String] = [:]
    ) async throws {
        try record(event, try await ask(request(event, to: session, headers), of: session), in: session)
    }

    /// Records an acknowledged event.
    private func record(_ event: SoakSession.Event, _ answer: ServerAnswer, in session: SoakSession) throws {
        let version = try answer.decode(Document.Outcome.self).version
        soak.tally.count(.events)
        try expect(
            session.acknowledge(event, as: version),
            "\(event) is version \(version) of \(session.id), not \(session.version).")
    }

    /// Sends an event and then repeats it, as if the answer were lost.
    private mutating func sendTwice(_ event: SoakSession.Event, to session: SoakSession) async throws {
        let request = request(event, to: session, ["Idempotency-Key": newName()])
        let first = try await ask(request, of: session)
        try record(event, first, in: session)
        let second = try await ask(request, of: session)
        soak.tally.count(.retries)
        try expect(first.body == second.body, "A retry was answered with \(second.text), not with \(first.text)")
    }

    /// Sends an event, disconnects, and sends it again. It happens once, whichever of the two arrives first.
    private mutating func sendAndLoseTheAnswer(_ event: SoakSession.Event, to session: SoakSession) async throws {
        let request = request(event, to: session, ["Idempotency-Key": newName()])
        try await waitForTurn()
        let lost = Task { [client] in
            try await client.request(request.method, request.path, headers: request.headers, body: request.body)
        }
        try await Task.sleep(for: generator.duration(0...0.002))
        lost.cancel()
        _ = try? await lost.value
        soak.tally.count(.retries)
        try record(event, try await ask(request, of: session), in: session)
    }

    /// Sends an event on the condition of the current version, and one on the condition of the previous version.
    private mutating func sendConditionally(_ event: SoakSession.Event, to session: SoakSession) async throws {
        let condition = ["If-Match": try await tag(of: session)]
        try await send(event, to: session, condition)
        let conflict = try await ask(request(event, to: session, condition), of: session, status: 412)
        let version = try conflict.json["version"]?.int
        try expect(
            version == session.version, "A conflict reports version \(version ?? -1), not \(session.version).")
    }

    private mutating func openPath(in session: SoakSession) async throws {
        let path = Self.paths.randomElement(using: &generator) ?? "/splash"
        let answer = try await ask(.send(["path": .string(path)], "PUT", to: "\(session.path)/route"), of: session)
        try record(SoakSession.Event(name: "navigation.open", payload: ["path": path]), answer, in: session)
    }

    /// Sends invalid requests, which create no version.
    private mutating func sendNonsense(to session: SoakSession) async throws {
        let event = [
            SoakSession.Event(name: "teams.didSelect", payload: ["team": "unknown"]),
            SoakSession.Event(name: "nothing.happened"),
        ][Int.random(in: 0...1, using: &generator)]
        _ = try await ask(request(event, to: session), of: session, status: 422)
    }

    // MARK: Reading

    /// Reads the route and returns its entity tag.
    private mutating func tag(of session: SoakSession) async throws -> String {
        let answer = try await ask(.get("\(session.path)/route"), of: session)
        let version = try answer.decode(Document.Route.self).version
        try expect(version == session.version, "\(session.id) is at \(version), not at \(session.version).")
        let tag = answer.header("ETag")
        try expect(tag != nil, "A route has no tag.")
        return tag ?? ""
    }

    /// Reads the route again while it does not change.
    private mutating func readAgain(_ session: SoakSession) async throws {
        let condition = ["If-None-Match": try await tag(of: session)]
        for _ in 0..<3 {
            _ = try await ask(.get("\(session.path)/route", headers: condition), of: session, status: 304)
        }
    }

    /// Waits for a change that does not happen.
    private mutating func waitForChange(of session: SoakSession) async throws {
        let headers = ["If-None-Match": try await tag(of: session), "Prefer": "wait=1"]
        _ = try await ask(.get("\(session.path)/route", headers: headers), of: session, status: 304)
    }

    private mutating func lookBack(in session: SoakSession) async throws {
        let version = Int.random(in: 0...session.version, using: &generator)
        let route = try await ask(.get("\(session.path)/route?version=\(version)"), of: session)
            .decode(Document.Route.self)
        try expect(route.version == version, "The route of version \(version) has version \(route.version).")
    }

    private mutating func compareVersions(of session: SoakSession) async throws {
        let newest = session.version
        let oldest = Int.random(in: 0...newest, using: &generator)
        let changes = try await ask(.get("\(session.path)/changes?from=\(oldest)&to=\(newest)"), of: session).json
        try expect(
            changes["from"]?.int == oldest && changes["to"]?.int == newest,
            "Changes from \(oldest) to \(newest) are \(changes).")
    }

    private mutating func look(at session: SoakSession) async throws {
        let version = try await ask(.get(session.path), of: session).decode(Document.Session.self).version
        try expect(version == session.version, "\(session.id) is at \(version), not at \(session.version).")
    }
}
