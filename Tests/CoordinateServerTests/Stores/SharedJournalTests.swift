import Coordinate
import CoordinateSessions
import CoordinateTesting
import Logging
import MisbehavingJournal
import SeededGenerator
import Synchronization
import Testing

@testable import CoordinateServer

/// Several servers on one unreliable store, as clients see them.
@Suite(.timeLimit(.minutes(10))) struct SharedJournalTests {
    private static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

    /// The setting of one test: a store, and a journal for each server on it.
    private struct Setting: Sendable {
        let store = SharedStore()
        let schedule = ThreadedSchedule(seed: 1)
        let deeds = Mischief.Record()
        let journals: [MisbehavingJournal]

        init(servers: Int = 3, mischief: Mischief = .none) {
            let (store, schedule, deeds) = (store, schedule, deeds)
            let numbers = Rivals()
            journals = (0..<servers).map { number in
                MisbehavingJournal(
                    store, seed: UInt64(number), mischief: mischief, on: schedule,
                    rival: { head in
                        let number = numbers.next()
                        return TallyApp().rivalEntry(after: head, number: number, mark: UInt64(number))
                    }, counting: deeds)
            }
        }

        /// Makes all journals reliable, and waits until their earlier faults are over.
        func calmDown() async throws {
            for journal in journals { journal.behave() }
            try await waitUntil("the journals are not done") { schedule.isIdle }
        }

        /// Waits until nothing is pending in some sessions.
        func settle(_ sessions: [SessionID]) async throws {
            let beginning = ContinuousClock.now
            var passed = 0
            try await waitUntil("something is pending") {
                let seconds = Int(beginning.duration(to: .now) / .seconds(1))
                store.passTime(seconds - passed)
                passed = seconds
                return !sessions.contains { store.pending(in: $0) > 0 }
            }
        }
    }

    /// Numbers for the events of absent servers.
    private final class Rivals: Sendable {
        private let last = Atomic(1_000_000)

        func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    private nonisolated(nonsending) func withServers(
        _ journals: [MisbehavingJournal], _ running: [TestServer] = [],
        _ body: nonisolated(nonsending) ([TestServer]) async throws -> Void
    ) async throws {
        guard running.count < journals.count else { return try await body(running) }
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.workers = 2
        let server = try Server(
            app: TallyApp(), configuration: configuration, logger: Self.silent, clock: .system,
            journal: journals[running.count])
        try await withServer(server) { server in try await withServers(journals, running + [server], body) }
    }

    private func newSession(_ client: SessionClient) async throws -> String {
        try await client.post("/sessions").decode(Document.Session.self).id
    }

    private func note(_ number: Int) -> JSON { ["event": "tally.note", "payload": ["number": .int(number)]] }

    // MARK: Single requests

    @Test func everyServerListsAllSessions() async throws {
        let setting = Setting()
        try await withServers(setting.journals) { servers in
            let clients = servers.map { $0.client() }
            var sessions: [String] = []
            for client in clients + clients { sessions.append(try await newSession(client)) }
            for (number, client) in clients.enumerated() {
                for (state, isMeant) in [("live", true), ("passive", false)] {
                    var seen: [String] = []
                    var next: String?
                    repeat {
                        let query = "?limit=1&state=\(state)" + (next.map { "&after=\($0)" } ?? "")
                        let page = try await client.get("/sessions\(query)").decode(Document.SessionPage.self)
                        seen += page.sessions.map(\.id)
                        next = page.next
                    } while next != nil
                    let own = sessions.enumerated().filter { ($0.offset % 3 == number) == isMeant }.map(\.element)
                    #expect(Set(seen) == Set(own), "\(state)")
                    #expect(seen.count == own.count)
                }
            }
        }
    }

    @Test func otherServersShowAcceptedEvents() async throws {
        let setting = Setting()
        try await withServers(setting.journals) { servers in
            let clients = servers.map { $0.client() }
            let session = try await newSession(clients[0])
            for number in 1...9 {
                let outcome = try await clients[number % 3].post("/sessions/\(session)/events", json: note(number))
                #expect(outcome.status == 200)
                #expect(try outcome.json["version"] == .int(number))
                var bodies: Set<[UInt8]> = []
                for client in clients {
                    let route = try await client.get("/sessions/\(session)/route")
                    #expect(try route.json["version"] == .int(number))
                    bodies.insert(route.body)
                }
                #expect(bodies.count == 1)
            }
        }
    }

    @Test func streamsAndWaitingRequestsSeeOtherServersEvents() async throws {
        let setting = Setting()
        try await withServers(setting.journals) { servers in
            let clients = servers.map { $0.client() }
            let session = try await newSession(clients[0])
            let id = try #require(SessionID(session))
            let stream = try await clients[1].follow(headers: ["Session": session])
            #expect(await stream.next()?.id == 0)
            let tag = try #require(try await clients[2].get("/sessions/\(session)/route").header("ETag"))
            async let waiting = clients[2].get(
                "/sessions/\(session)/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
            try await waitUntil("no client follows and waits") { setting.store.followerCount(of: id) >= 2 }
            for number in 1...5 {
                let outcome = try await clients[0].post("/sessions/\(session)/events", json: note(number))
                #expect(outcome.status == 200)
            }
            let answer = try await waiting
            #expect(answer.status == 200)
            #expect(try answer.json["version"]?.int ?? 0 > 0)
            for number in 1...5 { #expect(await stream.next()?.id == number) }
        }
    }

    @Test func aSessionEndsOnAllServers() async throws {
        let setting = Setting()
        try await withServers(setting.journals) { servers in
            let clients = servers.map { $0.client() }
            let session = try await newSession(clients[0])
            let id = try #require(SessionID(session))
            let stream = try await clients[1].follow(headers: ["Session": session])
            #expect(await stream.next()?.id == 0)
            let tag = try #require(try await clients[2].get("/sessions/\(session)/route").header("ETag"))
            async let waiting = clients[2].get(
                "/sessions/\(session)/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"])
            try await waitUntil("no client follows and waits") { setting.store.followerCount(of: id) >= 2 }
            #expect(try await clients[0].delete("/sessions/\(session)").status == 204)
            #expect(await stream.next()?.event == "end")
            #expect(await stream.next() == nil)
            #expect(try await waiting.status == 404)
            for client in clients {
                #expect(try await client.get("/sessions/\(session)/route").status == 404)
                #expect(try await client.post("/sessions/\(session)/events", json: note(1)).status == 404)
            }
        }
    }

    @Test func aRequestRepeatedOnAnotherServerIsExecutedOnce() async throws {
        let setting = Setting()
        try await withServers(setting.journals) { servers in
            let clients = servers.map { $0.client() }
            let session = try await newSession(clients[0])
            let key = ["Idempotency-Key": "order-66"]
            var bodies: Set<[UInt8]> = []
            for client in clients + clients {
                let answer = try await client.post("/sessions/\(session)/events", json: note(1), headers: key)
                #expect(answer.status == 200)
                bodies.insert(answer.body)
            }
            #expect(bodies.count == 1)
            #expect(setting.store.version(of: try #require(SessionID(session))) == 1)
            let other = try await clients[1].post("/sessions/\(session)/events", json: note(2), headers: key)
            #expect(other.status == 422)
        }
    }

    @Test func anOutdatedConditionIsRefusedOnEveryServer() async throws {
        let setting = Setting()
        try await withServers(setting.journals) { servers in
            let clients = servers.map { $0.client() }
            let session = try await newSession(clients[0])
            let tag = try #require(try await clients[1].get("/sessions/\(session)/route").header("ETag"))
            let first = try await clients[0].post(
                "/sessions/\(session)/events", json: note(1), headers: ["If-Match": tag])
            #expect(first.status == 200)
            let second = try await clients[1].post(
                "/sessions/\(session)/events", json: note(2), headers: ["If-Match": tag])
            #expect(second.status == 412)
            #expect(try second.json["version"] == 1)
            let end = try await clients[2].delete("/sessions/\(session)", headers: ["If-Match": tag])
            #expect(end.status == 412)
        }
    }

    @Test func anOutageIsReportedAndTheServerRecovers() async throws {
        let setting = Setting(servers: 2)
        try await withServers(setting.journals) { servers in
            let (here, there) = (servers[0].client(), servers[1].client())
            let session = try await newSession(here)
            let stream = try await here.follow(headers: ["Session": session])
            #expect(await stream.next()?.id == 0)
            let tag = try #require(try await here.get("/sessions/\(session)/route").header("ETag"))
            setting.journals[0].goAway()
            let answers = [
                try await here.get("/readyz"),
                try await here.get("/sessions/\(session)/route"),
                try await here.get(
                    "/sessions/\(session)/route", headers: ["If-None-Match": tag, "Prefer": "wait=60"]),
                try await here.get("/sessions/\(session)/events"),
                try await here.get("/sessions/\(session)"),
                try await here.get("/events", headers: ["Accept": "text/event-stream", "Session": session]),
                try await here.post("/sessions/\(session)/events", json: note(1)),
                try await here.put("/sessions/\(session)/route", json: ["path": "/tally/4"]),
                try await here.post("/sessions/\(session)/forks", json: ["version": 0]),
                try await here.post("/sessions"),
                try await here.delete("/sessions/\(session)"),
            ]
            for answer in answers {
                let type = try answer.decode(Document.Problem.self).type
                #expect(
                    answer.status == 503 && type == "/problems/journal-unavailable"
                        || answer.status == 504 && type == "/problems/outcome-unknown")
                #expect(answer.header("Retry-After") != nil)
            }
            #expect(try await here.get("/livez").status == 200)
            #expect(try await there.get("/readyz").status == 200)
            // An event accepted in the meantime arrives in the end.
            #expect(try await there.post("/sessions/\(session)/events", json: note(2)).status == 200)
            setting.journals[0].comeBack()
            #expect(await stream.next()?.id == 1)
            #expect(try await here.get("/readyz").status == 200)
            #expect(try await here.get("/sessions/\(session)/route").json["version"] == 1)
        }
    }

    // MARK: Concurrent requests

    /// A client's requests to one session, spread over all servers.
    private final class Life: Sendable {
        struct Event {
            var version: Int?
            var isUncertain = false
            var condition: Int?
        }

        struct Sighting {
            let version: Int
            let body: [UInt8]
        }

        struct State {
            var events: [Int: Event] = [:]
            var sightings: [Sighting] = []
            var tag: String?
            var tagVersion = 0
            var isEnded = false
            var unavailable = 0
            var waited = 0
        }

        let session: String
        let id: SessionID
        let state = Mutex(State())

        init(_ session: String) throws {
            self.session = session
            id = try #require(SessionID(session))
        }
    }

    @Test(arguments: [200])
    func manySessionsOnThreeServersMatchTheirJournals(sessions: Int) async throws {
        let setting = Setting(mischief: .plenty)
        try await withServers(setting.journals) { servers in
            let workers = 12
            let lives = try await withThrowingTaskGroup(of: [Life].self) { group in
                for worker in 0..<workers {
                    group.addTask {
                        let clients = servers.map { $0.client() }
                        var lives: [Life] = []
                        for number in stride(from: worker, to: sessions, by: workers) {
                            var generator = SeededGenerator(state: UInt64(number))
                            if worker == 0, number % 5 == 0 {
                                try await outage(setting, clients, Int.random(in: 0..<3, using: &generator))
                            }
                            lives.append(try await live(number, clients, setting, &generator))
                        }
                        return lives
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try await setting.calmDown()
            try await setting.settle(lives.map(\.id))
            try await setting.calmDown()
            #expect(
                lives.contains { life in setting.store.history(of: life.id)?.contains { $0.origin == .work } ?? false })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<workers {
                    group.addTask {
                        let clients = servers.map { $0.client() }
                        for number in stride(from: worker, to: lives.count, by: workers) {
                            try await check(lives[number], clients, setting.store)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(lives.count == sessions)
            #expect(lives.contains { life in life.state.withLock { $0.waited > 0 } })
            #expect(lives.contains { life in life.state.withLock { $0.isEnded } })
        }
        // Whether anything is in progress when a journal becomes unavailable, or a lease must be renewed, depends on
        // the threads.
        for deed in Mischief.Deed.allCases where deed != .lostAtOutage && deed != .lapses {
            #expect(setting.deeds[deed] > 0, "none of \(deed)")
        }
    }

    /// Makes a journal unavailable until the outage is noticed.
    private func outage(_ setting: Setting, _ clients: [SessionClient], _ server: Int) async throws {
        setting.journals[server].goAway()
        let answer = try await clients[server].get("/readyz")
        #expect(answer.status == 503)
        #expect(answer.header("Retry-After") != nil)
        #expect(try await clients[server].get("/livez").status == 200)
        setting.journals[server].comeBack()
    }

    /// Runs the requests of one session.
    private func live(
        _ number: Int, _ clients: [SessionClient], _ setting: Setting, _ generator: inout SeededGenerator
    ) async throws -> Life {
        let life = try Life(
            try await again(clients, &generator) { try await $0.post("/sessions") }.decode(Document.Session.self).id)
        let stream = number % 4 == 0 ? try await follow(life, clients, &generator) : nil
        for step in 0..<Int.random(in: 4...10, using: &generator) {
            let event = number * 1_000 + step * 3 + 1
            let some = clients.shuffled(using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0...3: try await inject(event, life, some[0], setting)
            case 4:
                async let one: Void = inject(event, life, some[0], setting)
                async let two: Void = inject(event + 1, life, some[1], setting)
                async let three: Void = look(life, some[2], setting)
                _ = try await (one, two, three)
            case 5: try await inject(event, life, some[0], setting, isConditional: true)
            case 6:
                // Repeats the request on other servers, whatever the answer was.
                for client in some { try await inject(event, life, client, setting, key: "key-\(event)") }
            case 7:
                async let waiting: Void = wait(life, some[1], setting)
                async let one: Void = inject(event, life, some[0], setting)
                _ = try await (waiting, one)
            default: try await look(life, some[0], setting)
            }
        }
        if let stream { try await read(stream, life, clients, setting, number * 1_000 + 999, &generator) }
        if number % 6 == 1 { try await end(life, clients, setting, &generator) }
        return life
    }

    /// Sends a request to one server after the other, until one answers.
    private func again(
        _ clients: [SessionClient], _ generator: inout SeededGenerator,
        _ ask: (SessionClient) async throws -> ServerAnswer
    ) async throws -> ServerAnswer {
        while true {
            let answer = try await ask(clients[Int.random(in: 0..<clients.count, using: &generator)])
            guard [503, 504].contains(answer.status) else { return answer }
            checkUnavailable(answer)
        }
    }

    private func checkUnavailable(_ answer: ServerAnswer) {
        #expect(answer.header("Retry-After") != nil, "\(answer.text)")
    }

    private func follow(
        _ life: Life, _ clients: [SessionClient], _ generator: inout SeededGenerator
    ) async throws -> LiveStream {
        while true {
            let client = clients[Int.random(in: 0..<clients.count, using: &generator)]
            do {
                return try await client.follow(headers: ["Session": life.session])
            } catch let error as UnexpectedAnswer {
                try #require(error.answer.status == 503)
                checkUnavailable(error.answer)
            }
        }
    }

    private func inject(
        _ number: Int, _ life: Life, _ client: SessionClient, _ setting: Setting, isConditional: Bool = false,
        key: String? = nil
    ) async throws {
        var headers: [String: String] = [:]
        headers["Idempotency-Key"] = key
        let condition = life.state.withLock { $0.tag.map { [version = $0.tagVersion] tag in (tag, version) } }
        if isConditional, let condition { headers["If-Match"] = condition.0 }
        let conditionVersion = isConditional ? condition?.1 : nil
        let json: JSON = [
            "event": .string(number % 3 == 0 ? "tally.push" : number % 3 == 1 ? "tally.note" : "tally.pop"),
            "payload": ["number": .int(number)],
        ]
        life.state.withLock { state in
            if state.events[number] == nil { state.events[number] = Life.Event() }
            state.events[number]?.condition = conditionVersion.map { $0 + 1 }
        }
        let answer = try await client.post("/sessions/\(life.session)/events", json: json, headers: headers)
        switch answer.status {
        case 200:
            let outcome = try answer.decode(Document.Outcome.self)
            #expect(setting.store.version(of: life.id) ?? 0 >= outcome.version)
            let former = life.state.withLock { state in
                defer { state.events[number]?.version = outcome.version }
                return state.events[number]?.version
            }
            #expect(former == nil || former == outcome.version)
            if let conditionVersion { #expect(outcome.version == conditionVersion + 1) }
        case 412: #expect(isConditional)
        case 503, 504:
            checkUnavailable(answer)
            // A lost answer does not show whether the event was executed.
            let isCertain = answer.status == 503
            life.state.withLock { state in
                state.unavailable += 1
                if !isCertain { state.events[number]?.isUncertain = true }
            }
        default: Issue.record("\(answer.status): \(answer.text)")
        }
    }

    private func look(_ life: Life, _ client: SessionClient, _ setting: Setting, wait: Bool = false) async throws {
        let floor = setting.store.version(of: life.id) ?? 0
        var headers: [String: String] = [:]
        let (tag, known) = life.state.withLock { ($0.tag, $0.tagVersion) }
        if wait, let tag { headers = ["If-None-Match": tag, "Prefer": "wait=1"] }
        let answer = try await client.get("/sessions/\(life.session)/route", headers: headers)
        switch answer.status {
        case 200:
            let version = try #require(try answer.json["version"]?.int)
            #expect(version >= floor)
            #expect(setting.store.version(of: life.id) ?? 0 >= version)
            if wait, tag != nil { #expect(version > known) }
            life.state.withLock { state in
                state.sightings.append(Life.Sighting(version: version, body: answer.body))
                state.tag = answer.header("ETag")
                state.tagVersion = version
                if wait { state.waited += 1 }
            }
        case 304: #expect(wait)
        case 503: checkUnavailable(answer)
        default: Issue.record("\(answer.status): \(answer.text)")
        }
    }

    private func wait(_ life: Life, _ client: SessionClient, _ setting: Setting) async throws {
        try await look(life, client, setting, wait: true)
    }

    /// Reads a stream up to the last event: each version once, in order.
    private func read(
        _ stream: LiveStream, _ life: Life, _ clients: [SessionClient], _ setting: Setting, _ number: Int,
        _ generator: inout SeededGenerator
    ) async throws {
        let answer = try await again(clients, &generator) {
            try await $0.post(
                "/sessions/\(life.session)/events", json: note(number), headers: ["Idempotency-Key": "last"])
        }
        let outcome = try answer.decode(Document.Outcome.self)
        life.state.withLock { $0.events[number] = Life.Event(version: outcome.version) }
        var last: Int?
        while last ?? -1 < outcome.version {
            let message = try #require(await stream.next())
            let version = try #require(message.id)
            #expect(message.event == "route")
            if let last { #expect(version == last + 1) }
            #expect(setting.store.version(of: life.id) ?? 0 >= version)
            life.state.withLock { $0.sightings.append(Life.Sighting(version: version, body: Array(message.data.utf8))) }
            last = version
        }
    }

    private func end(
        _ life: Life, _ clients: [SessionClient], _ setting: Setting, _ generator: inout SeededGenerator
    ) async throws {
        let answer = try await again(clients, &generator) { try await $0.delete("/sessions/\(life.session)") }
        // The session may have ended without an answer.
        #expect(answer.status == 204 || answer.status == 404)
        #expect(!setting.store.contains(life.id))
        life.state.withLock { $0.isEnded = true }
    }

    /// Checks the state of a session against all its answers.
    private func check(_ life: Life, _ clients: [SessionClient], _ store: SharedStore) async throws {
        let state = life.state.withLock { $0 }
        let entries = try #require(store.history(of: life.id))
        #expect(entries.map(\.version) == Array(0..<entries.count).map { $0 + 1 })
        let numbers = entries.filter { $0.pending == nil }.map { entry in
            if case .int(let number) = entry.payload[field: "number"] { number } else { -1 }
        }
        #expect(Set(numbers).count == numbers.count)
        for (number, event) in state.events {
            let place = entries.first { $0.pending == nil && $0.payload[field: "number"] == .int(number) }?.version
            if let version = event.version {
                #expect(place == version)
            } else if !event.isUncertain {
                #expect(place == nil)
            }
            if let condition = event.condition, let place { #expect(place == condition) }
        }
        var bodies: [Int: [UInt8]] = [:]
        for sighting in state.sightings {
            #expect(bodies[sighting.version] == nil || bodies[sighting.version] == sighting.body)
            bodies[sighting.version] = sighting.body
            let path = sighting.version == 0 ? "/tally/0" : entries[sighting.version - 1].path
            #expect(String(decoding: sighting.body, as: UTF8.self).contains("\"path\":\"\(path)\""))
        }
        var routes: Set<[UInt8]> = []
        var journals: Set<[UInt8]> = []
        for client in clients {
            let route = try await client.get("/sessions/\(life.session)/route")
            let journal = try await client.get("/sessions/\(life.session)/events?limit=1000")
            guard !state.isEnded else {
                #expect(route.status == 404)
                #expect(journal.status == 404)
                continue
            }
            #expect(route.status == 200)
            #expect(try route.json["version"] == .int(entries.count))
            #expect(try journal.json["events"]?.array.count == entries.count)
            routes.insert(route.body)
            journals.insert(journal.body)
        }
        #expect(routes.count <= 1)
        #expect(journals.count <= 1)
        if let route = routes.first, let seen = bodies[entries.count] { #expect(route == seen) }
        if let sighting = state.sightings.first, !state.isEnded {
            let then = try await clients[0].get("/sessions/\(life.session)/route?version=\(sighting.version)")
            #expect(then.body == sighting.body)
        }
    }
}
