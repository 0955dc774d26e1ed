import Foundation
import Loopback

/// A client that drives one session after the other. It is the only writer of its sessions and knows the right answers.
struct Driver {
    let soak: Soak
    private let shift: Shift
    private let number: Int
    var generator: SeededGenerator
    var client: LoopbackClient
    private var due = ContinuousClock.now
    private var names = 0
    /// The sessions that it drives in turn, and their next times.
    private var places: [(session: SoakSession, due: ContinuousClock.Instant)] = []
    /// The sessions that it has left for good.
    private var left: [SoakSession] = []

    /// A wrong answer that is already reported, or a session that has ended and could have.
    struct Surprise: Error {}

    init(_ soak: Soak, _ shift: Shift, number: Int, generator: SeededGenerator) throws {
        self.soak = soak
        self.shift = shift
        self.number = number
        self.generator = generator
        client = try LoopbackClient(port: soak.port)
    }

    mutating func run() {
        while !shift.isOver {
            do {
                try lookAfterThoseLeft()
                if places.count < Soak.sessionsOfDriver { places.append((try begin(), .now)) }
                guard let index = places.indices.min(by: { places[$0].due < places[$1].due }) else { continue }
                let (session, due) = places.remove(at: index)
                wait(until: due)
                try attend(session) { driver in
                    try driver.wake(session)
                    if try driver.drive(session) { driver.rest(session) }
                }
            } catch {
                comeBack(after: error)
            }
        }
        while let session = places.popLast()?.session {
            do { try attend(session) { try $0.end(session) } } catch { comeBack(after: error) }
        }
    }

    private func wait(until due: ContinuousClock.Instant) {
        let wait = due - .now
        if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
    }

    /// Does something with a session. If it fails, no client follows the session any more.
    private mutating func attend(_ session: SoakSession, _ work: (inout Driver) throws -> Void) throws {
        do { try work(&self) } catch {
            soak.stage.leave(session)
            session.phase = .left
            throw error
        }
    }

    /// Reports an error unless it is already reported, and reconnects.
    private mutating func comeBack(after error: any Error) {
        if !(error is Surprise) { soak.tally.fail(.answers, "Driver \(number): \(error)") }
        do { client = try LoopbackClient(port: soak.port) } catch { usleep(100_000) }
    }

    // MARK: Requests

    /// Sends a request in its turn and returns the answer. Throws unless it has the expected status.
    ///
    /// - Parameter session: The session of the request.
    mutating func ask(_ request: String, of session: SoakSession? = nil, status: Int = 200) throws -> Answer {
        let answer = try ask(request)
        if answer.status == status {
            session?.use()
            soak.tally.pass(.answers)
            return answer
        }
        if answer.status == 404, let session, session.mayBeOver {
            soak.tally.count(.missed)
        } else {
            soak.tally.fail(
                .answers, "\(answer.status) instead of \(status) for \(request)\n\(answer.body.prefix(500))")
        }
        throw Surprise()
    }

    /// Sends a request in its turn, and repeats it if the server is too busy. Such a refusal changed nothing, or
    /// belonged to a retry.
    private mutating func ask(_ request: String) throws -> Answer {
        while true {
            waitForTurn()
            let answer: Answer
            do { answer = try client.ask(request) } catch {
                throw BenchmarkError("\(error) That was after \(request)")
            }
            if answer.header("Connection") == "close" { client = try LoopbackClient(port: soak.port) }
            soak.tally.count(.requests)
            guard [503, 504].contains(answer.status),
                let patience = answer.header("Retry-After").flatMap({ Double($0) })
            else {
                return answer
            }
            soak.tally.count(.refusals)
            wait(until: .now + .seconds(patience))
        }
    }

    mutating func waitForTurn() {
        wait(until: due)
        // A late driver does not catch up, so that the rate never exceeds the limit.
        due = max(due, .now - .seconds(1)) + soak.interval
    }

    func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        guard condition else {
            soak.tally.fail(.answers, text())
            throw Surprise()
        }
    }

    /// The common fields of session, route and outcome documents.
    struct Versioned: Decodable {
        let version: Int
        let path: String
        let state: String?
    }

    func decode<Document: Decodable>(_: Document.Type, from answer: Answer) throws -> Document {
        do {
            return try JSONDecoder().decode(Document.self, from: Data(answer.body.utf8))
        } catch {
            soak.tally.fail(.answers, "\(error) in \(answer.body.prefix(500))")
            throw Surprise()
        }
    }

    mutating func newName() -> String {
        names += 1
        return "\(number)-\(names)"
    }

    // MARK: Sessions

    /// Creates a session in one of the possible ways, with or without followers.
    private mutating func begin() throws -> SoakSession {
        let session: SoakSession
        let other = places.randomElement(using: &generator)?.session
        switch (Int.random(in: 0..<10, using: &generator), other) {
        case (0...1, let other?): session = try fork(other)
        case (2...3, let other?): session = try copy(other)
        case (4...5, _):
            guard let id = try ask(HTTPText.get("/route")).header("Session") else {
                soak.tally.fail(.answers, "The server did not name a new session.")
                throw Surprise()
            }
            session = SoakSession(id)
        case (6...7, _):
            let path = Self.paths.randomElement(using: &generator) ?? "/splash"
            session = try newSession(
                try ask(HTTPText.post("/sessions", "{\"path\": \"\(path)\"}"), status: 201),
                events: [SoakSession.Event(name: "navigation.open", payload: ["path": path])])
        default: session = try newSession(try ask(HTTPText.post("/sessions", ""), status: 201), events: [])
        }
        if generator.once(in: 2) { soak.stage.enter(session) }
        return session
    }

    /// Creates a session with the first events of another one.
    private mutating func fork(_ session: SoakSession) throws -> SoakSession {
        let version = Int.random(in: 0...session.version, using: &generator)
        let answer = try ask(
            HTTPText.post("/sessions/\(session.id)/forks", "{\"version\": \(version)}"), of: session, status: 201)
        soak.tally.count(.forks)
        return try newSession(answer, events: Array(session.events.prefix(version)))
    }

    /// Exports a session and imports it as another one.
    private mutating func copy(_ session: SoakSession) throws -> SoakSession {
        let journal = try ask(
            HTTPText.get("/sessions/\(session.id)/events", headers: ["Accept: application/x-ndjson"]), of: session)
        let answer = try ask(HTTPText.post("/sessions", journal.body, type: "application/x-ndjson"), status: 201)
        soak.tally.count(.imports)
        return try newSession(answer, events: session.events)
    }

    private struct NewSession: Decodable {
        let id: String
        let version: Int
    }

    private func newSession(_ answer: Answer, events: [SoakSession.Event]) throws -> SoakSession {
        let document = try decode(NewSession.self, from: answer)
        try expect(document.version == events.count, "A new session is at \(document.version), not \(events.count).")
        return SoakSession(document.id, events: events)
    }

    /// Uses a session for a while. Returns whether to continue with it.
    private mutating func drive(_ session: SoakSession) throws -> Bool {
        for _ in 0..<Int.random(in: 5...20, using: &generator) where !shift.isOver {
            // A session's history has a limit.
            if session.version > 150 || generator.once(in: 80) {
                try end(session)
                return false
            }
            if generator.once(in: 120) {
                try leave(session)
                return false
            }
            try step(in: session)
        }
        return true
    }

    /// Leaves a session alone for a moment, or until it becomes passive unless it is followed.
    private mutating func rest(_ session: SoakSession) {
        places.append((session, .now + generator.duration(generator.once(in: 3) ? 4...6 : 0...1)))
    }

    /// Returns to a session, which may be passive by now.
    private mutating func wake(_ session: SoakSession) throws {
        let document = try decode(
            Versioned.self, from: try ask(HTTPText.get("/sessions/\(session.id)"), of: session))
        try expect(
            document.version == session.version,
            "\(session.id) rested at \(session.version), and is at \(document.version).")
        if document.state == "passive" { soak.tally.count(.wakings) }
        let route = try decode(
            Versioned.self, from: try ask(HTTPText.get("/sessions/\(session.id)/route"), of: session))
        try expect(
            route.version == session.version && route.path == document.path,
            "\(session.id) was at \(document.path), and woke at \(route.path), version \(route.version).")
    }

    private mutating func end(_ session: SoakSession) throws {
        try compareJournal(of: session)
        soak.stage.leave(session)
        session.phase = .ending
        _ = try ask(
            "DELETE /sessions/\(session.id) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", of: session, status: 204)
        _ = try ask(HTTPText.get("/sessions/\(session.id)/route"), status: 404)
        soak.tally.count(.ends)
    }

    private mutating func leave(_ session: SoakSession) throws {
        try compareJournal(of: session)
        soak.stage.leave(session)
        session.phase = .left
        left.append(session)
    }

    /// Checks that sessions have ended that were not used for long.
    private mutating func lookAfterThoseLeft() throws {
        while let index = left.firstIndex(where: \.hasToBeOver) {
            let session = left.remove(at: index)
            let answer = try ask(HTTPText.get("/sessions/\(session.id)"))
            soak.tally.expect(
                .expiry, answer.status == 404, "\(session.id) was idle and has not ended: \(answer.body.prefix(300))")
        }
    }

    // MARK: Journals

    /// An entry of a journal, with the fields that the client knows.
    private struct Entry: Decodable {
        let version: Int
        let event: String
        let payload: [String: String]
    }

    private struct Page: Decodable {
        let events: [Entry]
        let next: Int?
    }

    /// Reads a session's journal and compares it with the acknowledged events.
    private mutating func compareJournal(of session: SoakSession) throws {
        var entries: [Entry] = []
        if generator.once(in: 2) {
            let answer = try ask(
                HTTPText.get("/sessions/\(session.id)/events", headers: ["Accept: application/x-ndjson"]), of: session)
            for line in answer.body.split(separator: "\n").dropFirst() {
                entries.append(try JSONDecoder().decode(Entry.self, from: Data(line.utf8)))
            }
        } else {
            var next: Int? = 0
            while let after = next {
                let page = try decode(
                    Page.self,
                    from: try ask(HTTPText.get("/sessions/\(session.id)/events?after=\(after)&limit=60"), of: session))
                entries += page.events
                next = page.next
            }
        }
        let events = entries.map { SoakSession.Event(name: $0.event, payload: $0.payload) }
        soak.tally.expect(
            .journals, entries.map(\.version) == Array(1..<(entries.count + 1)) && events == session.events,
            "The journal of \(session.id) is \(entries), but the acknowledged events are \(session.events)")
    }
}
