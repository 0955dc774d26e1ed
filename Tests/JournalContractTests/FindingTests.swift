import Coordinate
import CoordinateSessions
import SessionFixtures
import Testing

/// Sessions that are found by their keys, references and attributes.
@Suite(.timeLimit(.minutes(2)))
struct FindingTests {
    // MARK: Keys

    @Test(arguments: Store.withModel) func ofManyCreationsWithAKeyOneSucceeds(store: Store) async throws {
        try await store.withJournal { journal in
            let records = (0..<40).map { number in
                SessionRecord.make(app: number % 2 == 0 ? "Racing" : "Notes", key: "order/\(number % 4)")
            }
            // Some have more entries than are added at once.
            let created = records.enumerated().map { number, record in
                let history = number % 10 == 3 ? (1...1_100).map { JournalEntry.make(version: $0) } : []
                let creation = Task.immediate {
                    try await journal.create(record, with: history, until: .distant, limit: 1_000)
                }
                return (record, creation)
            }
            var added: [SessionRecord] = []
            for (record, answer) in created {
                do {
                    try await answer.value
                    added.append(record)
                } catch {
                    #expect(error as? JournalError == .keyTaken)
                }
            }
            #expect(
                added.map { "\($0.app) \($0.key ?? "")" }.sorted() == [
                    "Notes order/1", "Notes order/3", "Racing order/0", "Racing order/2",
                ])
            #expect(journal.count == 4)
            for record in added {
                let key = try #require(record.key)
                #expect(try await journal.session(withKey: key, of: record.app) == record.id)
                #expect(try await journal.head(of: record.id)?.record == record)
            }
            for record in records where !added.contains(record) {
                #expect(try await journal.head(of: record.id) == nil)
                #expect(try await journal.session(withReference: record.reference, of: record.app) == nil)
            }
            #expect(try await journal.session(withKey: "order/1", of: "Racing") == nil)
            #expect(try await journal.session(withKey: "order/4", of: "Racing") == nil)
        }
    }

    @Test(arguments: Store.withModel) func aKeyIsFreeAfterTheEndOfItsSession(store: Store) async throws {
        try await store.withJournal { journal in
            let first = try await journal.add(.make(key: "order"))
            await #expect(throws: JournalError.keyTaken) { try await journal.add(.make(key: "order")) }
            try await journal.end(first, at: nil)
            #expect(try await journal.session(withKey: "order", of: "Racing") == nil)
            let second = try await journal.add(.make(key: "order"), until: Timestamp(seconds: 5))
            // An expired session holds its key until it ends.
            journal.expire(by: Timestamp(seconds: 4))
            await journal.flush()
            await #expect(throws: JournalError.keyTaken) { try await journal.add(.make(key: "order")) }
            repeat {
                journal.expire(by: Timestamp(seconds: 5))
                await journal.flush()
            } while try await journal.head(of: second) != nil
            #expect(try await journal.session(withKey: "order", of: "Racing") == nil)
            let third = try await journal.add(.make(key: "order"))
            #expect(try await journal.session(withKey: "order", of: "Racing") == third)
        }
    }

    /// Characters that look alike are different in keys.
    @Test(arguments: Store.available) func keysAreBytes(store: Store) async throws {
        try await store.withJournal { journal in
            let keys = ["caf\u{E9}", "cafe\u{301}", "CAF\u{C9}", "a\\b'\"", String(repeating: "\u{10FFFF}", count: 50)]
            var sessions: [SessionID] = []
            for key in keys { sessions.append(try await journal.add(.make(key: key))) }
            for (key, session) in zip(keys, sessions) {
                #expect(try await journal.session(withKey: key, of: "Racing") == session)
                #expect(try await journal.head(of: session)?.record.key?.utf8.elementsEqual(key.utf8) == true)
            }
        }
    }

    // MARK: References

    @Test(arguments: Store.withModel) func aSessionIsFoundByItsReferenceUntilItEnds(store: Store) async throws {
        try await store.withJournal { journal in
            let record = SessionRecord.make()
            let session = try await journal.add(record)
            let fork = SessionRecord.make(parent: ForkPoint(session: session, version: 0))
            _ = try await journal.add(fork)
            #expect(try await journal.session(withReference: record.reference, of: "Racing") == session)
            #expect(try await journal.session(withReference: fork.reference, of: "Racing") == fork.id)
            #expect(try await journal.session(withReference: record.reference, of: "Notes") == nil)
            #expect(try await journal.session(withReference: session.description, of: "Racing") == nil)
            #expect(try await journal.session(withReference: "", of: "Racing") == nil)
            try await journal.end(session, at: nil)
            #expect(try await journal.session(withReference: record.reference, of: "Racing") == nil)
        }
    }

    // MARK: Attributes

    @Test(arguments: Store.available) func sessionsAreListedByAllOfSomeAttributes(store: Store) async throws {
        try await store.withJournal { journal in
            let owners = [["user": "42", "plan": "pro"], ["user": "42"], ["user": "7", "plan": "pro"], [:]]
            var sessions: [SessionID] = []
            for attributes in owners { sessions.append(try await journal.add(.make(attributes: attributes))) }
            _ = try await journal.add(.make(app: "Notes", attributes: owners[0]))
            func listed(_ attributes: [String: String], path: String? = nil) async throws -> Set<SessionID> {
                let query = SessionQuery(app: "Racing", limit: 9, path: path, attributes: attributes)
                return Set(try await journal.pages(of: query).map(\.record.id))
            }
            #expect(try await listed(["user": "42"]) == [sessions[0], sessions[1]])
            #expect(try await listed(["user": "42", "plan": "pro"]) == [sessions[0]])
            #expect(try await listed(["plan": "42"]) == [])
            #expect(try await listed(["user": "42", "plan": "free"]) == [])
            #expect(try await listed(["user": "42"], path: "/main") == [])
            // Another value, none, and a new one.
            var record = try #require(try await journal.head(of: sessions[0])).record
            let former = record
            record.attributes = ["user": "8", "city": "Z\u{FC}rich\u{0}"]
            try await journal.update(record, replacing: former)
            #expect(try await journal.head(of: sessions[0])?.record == record)
            #expect(try await listed(["user": "42"]) == [sessions[1]])
            #expect(try await listed(["plan": "pro"]) == [sessions[2]])
            #expect(try await listed(["user": "8", "city": "Z\u{FC}rich\u{0}"]) == [sessions[0]])
            #expect(try await listed(["city": "Zu\u{308}rich\u{0}"]) == [])
            try await journal.end(sessions[0], at: nil)
            #expect(try await listed(["user": "8"]) == [])
        }
    }

    /// Each session is listed once, although sessions that were listed are used between the pages.
    @Test(arguments: Store.available, [1, 3, 7]) func pagesHaveNoGapsAndRepetitions(store: Store, limit: Int)
        async throws
    {
        try await store.withJournal { journal in
            for number in 0..<60 {
                let attributes = ["user": number % 3 == 0 ? "42" : "7", "plan": number % 2 == 0 ? "pro" : "free"]
                _ = try await journal.add(.make(attributes: attributes), until: Timestamp(seconds: 100 + number / 2))
            }
            var lastUse = 1_000
            for (attributes, count) in [(["user": "42"], 20), (["user": "42", "plan": "pro"], 10)] {
                var query = SessionQuery(app: "Racing", limit: limit, attributes: attributes)
                var heads: [SessionHead] = []
                repeat {
                    let page = try await journal.list(query)
                    #expect(page.sessions.count == limit || page.next == nil)
                    heads += page.sessions
                    query.after = page.next
                    if let used = page.sessions.first?.record.id {
                        lastUse += 1
                        journal.keep(used, until: Timestamp(seconds: lastUse))
                        await journal.flush()
                    }
                } while query.after != nil
                #expect(Set(heads.map(\.record.id)).count == count && heads.count == count)
                #expect(zip(heads, heads.dropFirst()).allSatisfy { $0.expiresAt >= $1.expiresAt })
            }
        }
    }

    /// There are more sessions than any journal examines at a time. Many share one attribute, and few the other.
    @Test(arguments: Store.available) func aSessionIsFoundBehindManyOthers(store: Store) async throws {
        try await store.withJournal { journal in
            let wanted = try await journal.add(
                .make(attributes: ["a": "many", "b": "one", "c": "many"]),
                with: [.make(version: 1, path: "/wanted")], until: Timestamp(seconds: 99))
            let count = store == .postgreSQL || store == .text ? 1_200 : 10_500
            let made = (0..<count).map { _ in
                Task.immediate {
                    try await journal.create(
                        .make(attributes: ["a": "many", "c": "many"]), with: [], until: Timestamp(seconds: 100),
                        limit: 20_000)
                }
            }
            for answer in made { try await answer.value }
            let attributes = ["a": "many", "b": "one", "c": "many"]
            let page = try await journal.list(SessionQuery(app: "Racing", limit: 10, attributes: attributes))
            #expect(page.sessions.map(\.record.id) == [wanted])
            #expect(page.next == nil)
            let query = SessionQuery(app: "Racing", limit: 10, path: "/wanted")
            if count > 10_000 {
                let first = try await journal.list(query)
                #expect(first.sessions.isEmpty && first.next != nil)
            }
            #expect(try await journal.pages(of: query).map(\.record.id) == [wanted])
        }
    }
}
