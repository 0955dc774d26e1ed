@testable import CoordinateTesting

extension TortureClient {
    private static let navigation: [(name: String, payload: JSON)] = [
        ("splash.didFinish", [:]), ("teams.didSelect", ["team": "ferrari"]), ("navigation.back", [:]),
        ("teams.setFavorite", ["team": "ferrari"]), ("navigation.selectTab", ["tab": "ProfileCoordinator"]),
        ("profile.edit", [:]), ("navigation.selectTab", ["tab": "TeamsCoordinator"]), ("navigation.dismiss", [:]),
    ]

    /// Acts as clients do, in shared sessions and in some of its own, until the run is over.
    mutating func write(sharing places: Int) async throws {
        var own = try await begin()
        while !ledger.isOver {
            let place = Int.random(in: 0..<places, using: &generator)
            let session = chance(1, of: 2) ? own : ledger.shared(place)
            switch Int.random(in: 0..<200, using: &generator) {
            case 0...1: own = try await begin()
            case 2...3: own = try await fork(session) ?? own
            case 4:
                try await end(own)
                own = try await begin()
            case 5:
                let former = ledger.shared(place)
                if ledger.share(try await begin(), insteadOf: former) { try await end(former) }
            case 6...30: try await look(at: session)
            default: try await post(to: session)
            }
            if ledger.history(of: own).isEnding { own = try await begin() }
        }
    }

    mutating func begin() async throws -> String {
        let (answer, _) = try await ask("POST", "/sessions")
        let session = try answer.decode(Document.Session.self, status: 201)
        ledger.insert(session.id)
        return session.id
    }

    private mutating func fork(_ parent: String) async throws -> String? {
        let newest = ledger.history(of: parent).newest
        let version = Int.random(in: max(0, newest - 20)...newest, using: &generator)
        let (answer, _) = try await ask("POST", "/sessions/\(parent)/forks", json: ["version": .int(version)])
        if answer.status == 404, answer.text.contains("session-not-found") {
            ledger.miss(parent, by: name)
            return nil
        }
        let fork = try answer.decode(Document.Session.self, status: 201)
        if (fork.version, fork.parent?.version) != (version, version) || fork.parent?.session != parent {
            report("forking at \(version)", answer)
        }
        ledger.insert(fork.id, forkedFrom: parent, at: version)
        return fork.id
    }

    private mutating func end(_ session: String) async throws {
        ledger.beginEnd(of: session)
        let (answer, attempts) = try await ask("DELETE", "/sessions/\(session)")
        if answer.status != 204, answer.status != 404 || attempts == 1 { report("ending", answer) }
        ledger.recordEnd(of: session)
    }

    /// Reads where a session is. That must never be earlier than any version acknowledged before.
    @discardableResult
    private mutating func look(at session: String) async throws -> (tag: String, version: Int)? {
        let newest = ledger.history(of: session).newest
        let (answer, _) = try await ask("GET", "/sessions/\(session)/route")
        if answer.status == 404 {
            ledger.miss(session, by: name)
            return nil
        }
        let version = try answer.decode(Document.Route.self, status: 200).version
        ledger.see(version, of: session, atLeast: newest, by: name)
        return answer.header("ETag").map { ($0, version) }
    }

    private mutating func post(to session: String) async throws {
        let key = "key-\(ledger.nextNumber())"
        let other = Self.navigation.randomElement(using: &generator)
        let event =
            if let other, chance(1, of: 3) {
                TortureLedger.Event(name: other.name, payload: other.payload)
            } else {
                TortureLedger.Event(name: "profile.rename", payload: ["name": .string(key)])
            }
        var headers = ["Idempotency-Key": key]
        if chance(2, of: 3) { headers["Prefer"] = "return=minimal" }
        var condition: (tag: String, version: Int)?
        if chance(1, of: 8) {
            guard let seen = try await look(at: session) else { return }
            condition = seen
            headers["If-Match"] = seen.tag
        }
        let json: JSON = ["event": .string(event.name), "payload": event.payload]
        let (answer, attempts) = try await ask("POST", "/sessions/\(session)/events", headers: headers, json: json)
        if answer.status == 404 { return ledger.miss(session, by: name) }
        if answer.status == 412, let condition {
            ledger.count(.conflicts)
            guard let version = try answer.json["version"]?.int, version > condition.version else {
                return report("with a condition on \(condition.version)", answer)
            }
            // The event may have been executed the first time, and its key forgotten by now.
            if attempts == 1 || version - condition.version <= Self.keysRemembered { ledger.refuse(event, of: session) }
            return
        }
        let version = try accept(answer, event, in: session)
        if let condition, version != condition.version + 1 { report("on \(condition.version)", answer) }
        if chance(1, of: 10) { try await postAgain(json, headers, event, version, in: session) }
    }

    /// The number of keys that a session promises to remember.
    static let keysRemembered = 64

    private func accept(_ answer: ServerAnswer, _ event: TortureLedger.Event, in session: String) throws -> Int {
        let outcome = try answer.decode(Document.Outcome.self, status: 200)
        if outcome.event != event.name { report("sending \(event.name)", answer) }
        ledger.acknowledge(event, at: outcome.version, of: session)
        return outcome.version
    }

    /// Repeats an executed request on any server, and expects the same answer as long as the key is remembered.
    private mutating func postAgain(
        _ json: JSON, _ headers: [String: String], _ event: TortureLedger.Event, _ version: Int, in session: String
    ) async throws {
        ledger.count(.repeats)
        let (answer, _) = try await ask("POST", "/sessions/\(session)/events", headers: headers, json: json)
        switch answer.status {
        case 404: ledger.miss(session, by: name)
        case 412 where try (answer.json["version"]?.int ?? 0) - version > Self.keysRemembered: break
        case 200:
            let again = try accept(answer, event, in: session)
            if again != version, again - version <= Self.keysRemembered { report("repeating \(version)", answer) }
        default: report("repeating \(version)", answer)
        }
    }
}
