import Coordinate
import JSON
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// Sessions that a backend finds again by their keys, references and attributes, and that begin with events.
@Suite(.timeLimit(.minutes(2))) struct FoundSessionTests {
    private let clock = ManualClock()
    private let journal = MemoryJournal()
    private let app = TestApp()

    private func registry(_ journal: (any Journal)? = nil) -> SessionRegistry {
        .make(app: app, journal: journal ?? self.journal, clock: clock.clock, limits: .make(idleTime: 100))
    }

    private func push(_ number: Int) -> EventRequest { EventInjection.push(number).event }

    // MARK: Keys

    @Test func theSessionWithAKeyIsFoundUntilItEnds() async throws {
        let registry = registry()
        let first = try await registry.getOrBegin(key: "order/7", with: .push(1), attributes: ["user": "42"])
        #expect(first.isNew)
        #expect(first.summary.head.record.key == "order/7")
        #expect(first.summary.head.record.attributes == ["user": "42"])
        #expect(first.summary.head.version == 1)
        let second = try await registry.getOrBegin(key: "order/7", with: .push(2), attributes: ["user": "7"])
        #expect(!second.isNew)
        #expect(second.summary.head == first.summary.head)
        #expect(try await registry.session(withKey: "order/7").head == first.summary.head)
        await #expect(throws: SessionError.self) { try await registry.session(withKey: "order/8") }
        await #expect(throws: SessionError.self) { try await registry.begin(key: "order/7") }
        #expect(registry.count == 1)
        try await registry.end(registry.find(first.summary.head.record.id))
        await #expect(throws: SessionError.self) { try await registry.session(withKey: "order/7") }
        #expect(try await registry.getOrBegin(key: "order/7").isNew)
    }

    @Test(arguments: [false, true]) func anExpiredSessionGivesItsKeyToTheNext(isHeld: Bool) async throws {
        let registry = registry()
        let first = try await registry.begin(key: "order").session
        let (id, held) = (first.id, isHeld ? first : nil)
        clock.advance(by: 60)
        // This is a use.
        #expect(try await registry.getOrBegin(key: "order").summary.head.record.id == id)
        clock.advance(by: 60)
        #expect(try await !registry.getOrBegin(key: "order").isNew)
        clock.advance(by: 130)
        let next = try await registry.getOrBegin(key: "order")
        #expect(next.isNew && next.summary.head.record.id != id)
        #expect(registry.count == 1)
        withExtendedLifetime(held) {}
    }

    @Test func aQuarantinedSessionKeepsItsKey() async throws {
        let id = try await registry().begin(with: .push(1), key: "order").session.id
        let changed = registry()
        app.fault.begin(.goesElsewhere)
        await #expect(throws: SessionError.self) { try await changed.find(id).route() }
        let found = try await changed.getOrBegin(key: "order")
        #expect(!found.isNew && found.summary.state == .quarantined)
        #expect(found.summary.head.record.id == id)
    }

    @Test func anUnknownOutcomeIsFoundByTheNextCall() async throws {
        struct LosingJournal: ForwardingJournal {
            let journal = MemoryJournal()
            func create(
                _ session: SessionRecord, with history: any Sequence<JournalEntry> & Sendable, until expiry: Timestamp,
                limit: Int
            ) async throws(JournalError) {
                try await journal.create(session, with: history, until: expiry, limit: limit)
                throw .outcomeUnknown
            }
        }
        let registry = registry(LosingJournal())
        #expect(await failure { try await registry.getOrBegin(key: "order") }?.word == "outcomeUnknown")
        let found = try await registry.getOrBegin(key: "order")
        #expect(!found.isNew)
        #expect(registry.count == 1)
    }

    // MARK: References

    /// The app sees the same reference and key in a fork and an import as in the original.
    @Test func aForkAndAnImportHaveTheBeginningOfTheOriginal() async throws {
        let registry = registry()
        let original = try await registry.begin(with: .push(1), key: "order", attributes: ["user": "42"]).session
        let head = try await original.summary().head
        let fork = try await registry.fork(original, at: 1)
        var edits = HistoryEdits()
        edits.insert(push(2), after: 1)
        let edited = try await registry.fork(original, at: 1, editing: edits).summary
        let upload = try SessionImport(into: registry)
        var json = JSONWriter<[UInt8]>()
        json.line(JournalHeader(of: head.record))
        upload.read(json.finish())
        let imported = try await upload.finish()
        for copy in [fork, edited, imported] {
            let record = copy.head.record
            #expect(record.key == nil && record.attributes.isEmpty)
            #expect(record.reference != head.record.reference)
            #expect(record.beginning.reference == head.record.reference)
            #expect(record.beginning.key == "order")
            #expect(try await registry.session(withReference: record.reference).head.record.id == record.id)
        }
    }

    // MARK: Attributes

    @Test func attributesAreMerged() async throws {
        let registry = registry()
        let id = try await registry.begin(attributes: ["user": "42", "plan": "pro"]).session.id
        let changed = try await registry.update(id, name: "Race day", attributes: ["plan": nil, "city": "Bern"])
        #expect(changed.head.record.name == "Race day")
        #expect(changed.head.record.attributes == ["user": "42", "city": "Bern"])
        #expect(try await registry.update(id, attributes: ["city": "Basel"]).head.record.name == "Race day")
        #expect(try await registry.update(id, name: .some(nil)).head.record.name == nil)
        #expect(try await registry.list(limit: 9, attributes: ["city": "Basel"]).sessions.map(\.head.record.id) == [id])
        #expect(try await registry.list(limit: 9, attributes: ["plan": "pro"]).sessions.isEmpty)
        let many = Dictionary(uniqueKeysWithValues: (1...15).map { ("a\($0)", "") })
        await #expect(throws: SessionError.self) { try await registry.update(id, attributes: many) }
        #expect(try await registry.summary(of: id).head.record.attributes == ["user": "42", "city": "Basel"])
        await #expect(throws: SessionError.self) {
            try await registry.begin(attributes: many.merging(["b": "", "c": ""]) { $1 })
        }
    }

    @Test func attributesInMemoryAreCounted() async throws {
        let registry = registry()
        let before = journal.memoryUse
        let id = try await registry.begin().session.id
        let value = String(repeating: "x", count: 200)
        let plain = journal.memoryUse
        _ = try await registry.update(id, attributes: ["user": value])
        #expect(journal.memoryUse >= plain + 2 * value.utf8.count)
        _ = try await registry.update(id, attributes: ["user": nil])
        #expect(journal.memoryUse == plain)
        try await registry.end(registry.find(id))
        #expect(journal.memoryUse == before)
    }

    /// A store of the host's own need not find sessions.
    @Test func aJournalThatFindsNoSessionsRefusesKeysAndAttributes() async throws {
        struct PlainJournal: ForwardingJournal {
            let journal = MemoryJournal()
            var findsSessions: Bool { false }
        }
        let registry = registry(PlainJournal())
        let id = try await registry.begin().session.id
        for error in [
            await failure { try await registry.begin(key: "order") },
            await failure { try await registry.begin(attributes: ["user": "42"]) },
            await failure { try await registry.getOrBegin(key: "order") },
            await failure { try await registry.update(id, attributes: ["user": "42"]) },
            await failure { try await registry.list(limit: 9, attributes: ["user": "42"]) },
        ] { #expect(error?.word == "keysUnsupported") }
        #expect(registry.count == 1)
    }

    @Test(arguments: [
        ("a", true), ("a0_.-z", true), (String(repeating: "a", count: 64), true), ("", false), ("A", false),
        ("0a", false), ("a b", false), ("\u{E9}", false), (String(repeating: "a", count: 65), false),
    ])
    func namesOfAttributesAreLimited(name: String, isValid: Bool) {
        #expect(SessionRecord.isAttributeName(name) == isValid)
    }

    @Test(arguments: [
        ("a/b", true), (String(repeating: "\u{E9}", count: 100), true), ("", false), ("a\n", false), ("\u{85}", false),
        (String(repeating: "a", count: 201), false),
    ])
    func keysAreLimited(key: String, isValid: Bool) {
        #expect(SessionRecord.isKey(key) == isValid)
    }

    // MARK: Events

    @Test func aSessionBeginsWithEvents() async throws {
        let registry = registry()
        let session = try await registry.begin(with: .push(1), events: (2...50).map(push)).session
        #expect(try await session.summary().head.version == 50)
        let entries = try await session.entries(after: 0, limit: 100).entries
        let step = try await SessionRegistry.make(app: TestApp(), clock: clock.clock).begin().session
        for number in 1...50 { _ = try await step.inject(.push(number)) }
        #expect(entries == (try await step.entries(after: 0, limit: 100).entries))
        #expect(try await session.inject(.push(51)).version == 51)
    }

    @Test(arguments: [0, 1, 40]) func ifAnEventIsRefusedNothingIsCreated(index: Int) async throws {
        let registry = registry()
        var events = (0..<50).map(push)
        events[index] = EventRequest(name: "test.push", payload: .object([]), at: nil)
        for first in [nil, EventInjection.push(1)] {
            let error = await failure { try await registry.begin(with: first, events: events, key: "order") }
            #expect(error?.word == "event \(index): invalidPayload")
        }
        events[index] = EventRequest(name: "test.fail", payload: .object([]), at: nil)
        let error = await failure { try await registry.begin(events: events) }
        #expect(error?.word == "event \(index): appFailed")
        await #expect(throws: SessionError.self) {
            try await registry.begin(with: .make("test.fail"), events: [push(1)])
        }
        #expect(registry.count == 0)
        #expect(app.lives.living == 0)
        #expect(registry.host.budget.bytes(of: .replays) == 0)
        #expect(try await registry.getOrBegin(key: "order", events: [push(1)]).isNew)
    }

    @Test func workThatIsStillPendingBeginsAfterTheCreation() async throws {
        let shop = Workshop()
        let events = [
            EventRequest(name: "work.ask", payload: .object([PlainField("name", .string("pay"))]), at: nil),
            EventRequest(name: "work.ask", payload: .object([PlainField("name", .string("ship"))]), at: nil),
            EventRequest(name: "work.cancel", payload: .object([PlainField("name", .string("pay"))]), at: nil),
            EventRequest(name: "work.setTimer", payload: .object([PlainField("seconds", .int(10))]), at: nil),
            EventRequest(name: "work.login", payload: .object([PlainField("password", .string("hunter2"))]), at: nil),
        ]
        let session = try await shop.registry.begin(events: events).session
        #expect(Set([await shop.world.call(0).name, await shop.world.call(1).name]) == ["ship", "login"])
        #expect(shop.world.calls.count == 2)
        #expect(try await session.journal.last?.payload == .object([]))
        shop.clock.advance(by: 11)
        shop.registry.sweep()
        #expect(try await session.summary().head.version == 6)
    }
}
