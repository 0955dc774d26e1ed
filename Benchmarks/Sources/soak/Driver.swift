import CoordinateClient
import Foundation
import Loopback
import SeededGenerator

/// A client that drives one session after the other. It is the only writer of its sessions and knows the right answers.
struct Driver {
    let soak: Soak
    private let shift: Shift
    private let number: Int
    var generator: SeededGenerator
    let client: SessionClient
    private var due = ContinuousClock.now
    private var names = 0
    /// The sessions that it drives in turn, and their next times.
    private var places: [(session: SoakSession, due: ContinuousClock.Instant)] = []
    /// The sessions that it has left for good.
    private var left: [SoakSession] = []

    /// A wrong answer that is already reported, or a session that has ended and could have.
    struct Surprise: Error {}

    init(_ soak: Soak, _ shift: Shift, number: Int, generator: SeededGenerator) {
        self.soak = soak
        self.shift = shift
        self.number = number
        self.generator = generator
        client = SessionClient(url: soak.url)
    }

    mutating func run() async {
        while !shift.isOver {
            do {
                try await checkSessionsLeft()
                if places.count < Soak.sessionsOfDriver { places.append((try await begin(), .now)) }
                guard let index = places.indices.min(by: { places[$0].due < places[$1].due }) else { continue }
                let (session, due) = places.remove(at: index)
                try await Task.sleep(until: due)
                do {
                    try await wake(session)
                    if try await drive(session) { pause(session) }
                } catch {
                    abandon(session, after: error)
                }
            } catch {
                report(error)
            }
        }
        while let session = places.popLast()?.session {
            do { try await end(session) } catch { abandon(session, after: error) }
        }
    }

    /// Leaves a session after an error. No client follows it any more.
    private func abandon(_ session: SoakSession, after error: any Error) {
        soak.stage.leave(session)
        session.phase = .left
        report(error)
    }

    /// Reports an error unless it is already reported.
    private func report(_ error: any Error) {
        if !(error is Surprise) { soak.tally.fail(.answers, "Driver \(number): \(error)") }
    }

    // MARK: Requests

    /// Sends a request in its turn and returns the answer. Throws unless it has the expected status.
    ///
    /// - Parameter session: The session of the request.
    mutating func ask(
        _ request: Request, of session: SoakSession? = nil, status: Int = 200
    ) async throws -> ServerAnswer {
        let answer = try await ask(request)
        if answer.status == status {
            session?.use()
            soak.tally.pass(.answers)
            return answer
        }
        if answer.status == 404, let session, session.mayBeOver {
            soak.tally.count(.missed)
        } else {
            soak.tally.fail(
                .answers, "\(answer.status) instead of \(status) for \(request)\n\(answer.text.prefix(500))")
        }
        throw Surprise()
    }

    /// Sends a request in its turn, and repeats it if the server is too busy. Such a refusal changed nothing, or
    /// belonged to a retry.
    private mutating func ask(_ request: Request) async throws -> ServerAnswer {
        while true {
            try await waitForTurn()
            let answer = try await client.request(
                request.method, request.path, headers: request.headers, body: request.body)
            soak.tally.count(.requests)
            guard [503, 504].contains(answer.status),
                let patience = answer.header("Retry-After").flatMap({ Double($0) })
            else { return answer }
            soak.tally.count(.refusals)
            try await Task.sleep(for: .seconds(patience))
        }
    }

    mutating func waitForTurn() async throws {
        try await Task.sleep(until: due)
        // A late driver does not catch up, so that the rate never exceeds the limit.
        due = max(due, .now - .seconds(1)) + soak.interval
    }

    func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        guard condition else {
            soak.tally.fail(.answers, text())
            throw Surprise()
        }
    }

    mutating func newName() -> String {
        names += 1
        return "\(number)-\(names)"
    }

    // MARK: Sessions

    /// Creates a session in one of the possible ways, with or without followers.
    private mutating func begin() async throws -> SoakSession {
        let session: SoakSession
        let other = places.randomElement(using: &generator)?.session
        switch (Int.random(in: 0..<10, using: &generator), other) {
        case (0...1, let other?): session = try await fork(other)
        case (2...3, let other?): session = try await copy(other)
        case (4...5, _):
            // Without a cookie, each request begins another session.
            try await waitForTurn()
            let answer = try await SessionClient(url: soak.url).get("/route")
            soak.tally.count(.requests)
            session = SoakSession(try answer.decode(Document.Route.self, status: 200).session)
        case (6...7, _):
            let path = Self.paths.randomElement(using: &generator) ?? "/splash"
            session = try newSession(
                try await ask(.send(["path": .string(path)], to: "/sessions"), status: 201),
                events: [SoakSession.Event(name: "navigation.open", payload: ["path": path])])
        default: session = try newSession(try await ask(.send([:], to: "/sessions"), status: 201), events: [])
        }
        if generator.once(in: 2) { soak.stage.enter(session) }
        return session
    }

    /// Creates a session with the first events of another one.
    private mutating func fork(_ session: SoakSession) async throws -> SoakSession {
        let version = Int.random(in: 0...session.version, using: &generator)
        let answer = try await ask(
            .send(["version": .int(version)], to: "\(session.path)/forks"), of: session, status: 201)
        soak.tally.count(.forks)
        return try newSession(answer, events: Array(session.events.prefix(version)))
    }

    /// Exports a session and imports it as another one.
    private mutating func copy(_ session: SoakSession) async throws -> SoakSession {
        let lines = "application/x-ndjson"
        let journal = try await ask(.get("\(session.path)/events", headers: ["Accept": lines]), of: session)
        let answer = try await ask(
            Request(method: "POST", path: "/sessions", headers: ["Content-Type": lines], body: journal.body),
            status: 201)
        soak.tally.count(.imports)
        return try newSession(answer, events: session.events)
    }

    private func newSession(_ answer: ServerAnswer, events: [SoakSession.Event]) throws -> SoakSession {
        let document = try answer.decode(Document.Session.self)
        try expect(document.version == events.count, "A new session is at \(document.version), not \(events.count).")
        return SoakSession(document.id, events: events)
    }

    /// Uses a session for a while. Returns whether to continue with it.
    private mutating func drive(_ session: SoakSession) async throws -> Bool {
        for _ in 0..<Int.random(in: 5...20, using: &generator) where !shift.isOver {
            // A session's history has a limit.
            if session.version > 150 || generator.once(in: 80) {
                try await end(session)
                return false
            }
            if generator.once(in: 120) {
                try await leave(session)
                return false
            }
            try await step(in: session)
        }
        return true
    }

    /// Leaves a session alone for a moment, or until it becomes passive unless it is followed.
    private mutating func pause(_ session: SoakSession) {
        places.append((session, .now + generator.duration(generator.once(in: 3) ? 4...6 : 0...1)))
    }

    /// Returns to a session, which may be passive by now.
    private mutating func wake(_ session: SoakSession) async throws {
        let document = try await ask(.get(session.path), of: session).decode(Document.Session.self)
        try expect(
            document.version == session.version,
            "\(session.id) was left at \(session.version), and is at \(document.version).")
        if document.state == "passive" { soak.tally.count(.wakings) }
        let route = try await ask(.get("\(session.path)/route"), of: session).decode(Document.Route.self)
        try expect(
            route.version == session.version && route.path == document.path,
            "\(session.id) was at \(document.path), and woke at \(route.path), version \(route.version).")
    }

    private mutating func end(_ session: SoakSession) async throws {
        try await compareJournal(of: session)
        soak.stage.leave(session)
        session.phase = .ending
        _ = try await ask(Request(method: "DELETE", path: session.path), of: session, status: 204)
        _ = try await ask(.get("\(session.path)/route"), status: 404)
        soak.tally.count(.ends)
    }

    private mutating func leave(_ session: SoakSession) async throws {
        try await compareJournal(of: session)
        soak.stage.leave(session)
        session.phase = .left
        left.append(session)
    }

    /// Checks that sessions have ended that were not used for long.
    private mutating func checkSessionsLeft() async throws {
        while let index = left.firstIndex(where: \.hasToBeOver) {
            let session = left.remove(at: index)
            let answer = try await ask(.get(session.path))
            soak.tally.expect(
                .expiry, answer.status == 404, "\(session.id) was idle and has not ended: \(answer.text.prefix(300))")
        }
    }

    // MARK: Journals

    /// Reads a session's journal and compares it with the acknowledged events.
    private mutating func compareJournal(of session: SoakSession) async throws {
        var entries: [JSON] = []
        if generator.once(in: 2) {
            let headers = ["Accept": "application/x-ndjson"]
            let answer = try await ask(.get("\(session.path)/events", headers: headers), of: session)
            for line in answer.text.split(separator: "\n").dropFirst() {
                entries.append(try JSONDecoder().decode(JSON.self, from: Data(line.utf8)))
            }
        } else {
            var next: Int? = 0
            while let after = next {
                let page = try await ask(.get("\(session.path)/events?after=\(after)&limit=60"), of: session).json
                entries += page["events"]?.array ?? []
                next = page["next"]?.int
            }
        }
        let events = entries.map { entry in
            SoakSession.Event(
                name: entry["event"]?.string ?? "",
                payload: entry["payload"]?.object.compactMapValues(\.string) ?? [:])
        }
        let isInOrder = entries.map { $0["version"]?.int } == Array(1..<(entries.count + 1))
        soak.tally.expect(
            .journals, isInOrder && events == session.events,
            "The journal of \(session.id) is \(entries), but the acknowledged events are \(session.events)")
    }
}
