import Coordinate
import CoordinateSessions
import SessionFixtures
import Testing

/// Sessions that have ended and are kept, and sessions that are erased: they are gone for servers, and complete for an
/// archive.
@Suite(.timeLimit(.minutes(2)))
struct EndedSessionTests {
    @Test(arguments: Store.durable) func anEndedSessionIsReadWithAllThatItShared(store: Store) async throws {
        try await store.withJournal { journal in
            journal.keepEnded(for: 3_600)
            let parent = try await journal.add()
            try await journal.append(upTo: 5, path: "/parent", to: parent)
            let fork = try await journal.fork(parent, at: 3)
            try await journal.append(upTo: 5, after: 3, path: "/fork", to: fork)
            let unchanged = try await journal.fork(fork, at: 4)
            for (session, version) in [(parent, nil), (fork, 5), (unchanged, 4)] as [(SessionID, Int?)] {
                try await journal.end(session, at: version).value
            }
            #expect(try await journal.head(of: fork).value == nil)
            await #expect(throws: JournalError.noSuchSession) { try await journal.entries(of: fork) }
            await #expect(throws: JournalError.noSuchSession) { try await journal.end(fork, at: nil).value }
            #expect(journal.count == 0)

            let heads = try await journal.ended()
            let sorted = [parent, fork, unchanged].sorted { $0.description < $1.description }
            #expect(heads.map(\.record.id) == sorted)
            let head = try #require(heads.first { $0.record.id == fork })
            #expect(head.version == 5 && head.path == "/fork")
            #expect(head.record.parent == ForkPoint(session: parent, version: 3))
            let rest = journal.endedSessions(of: "Racing", by: Timestamp(seconds: 0), after: sorted[0], limit: 1)
            #expect(try await rest.value.map(\.record.id) == [sorted[1]])
            let others = journal.endedSessions(of: "Notes", by: Timestamp(seconds: 0), after: nil, limit: 9)
            #expect(try await others.value.isEmpty)

            let middle = try await journal.readEnded(fork, after: 1, limit: 3).value
            #expect(middle.map(\.path) == ["/parent", "/parent", "/fork"])
            #expect(middle.map(\.version) == [2, 3, 4])
            #expect(try await journal.readEnded(parent, after: 0, limit: 9).value.count == 5)
            try await journal.removeEnded(parent).value
            await #expect(throws: JournalError.noSuchSession) { try await journal.removeEnded(parent).value }
            #expect(try await journal.readEnded(fork, after: 0, limit: 9).value.count == 5)
            try await journal.removeEnded(fork).value
            #expect(
                try await journal.readEnded(unchanged, after: 2, limit: 9).value.map(\.path) == ["/parent", "/fork"])
            #expect(try await journal.ended().map(\.version) == [4])
        }
    }

    @Test(arguments: Store.durable) func anExpiredSessionIsKeptAsWell(store: Store) async throws {
        try await store.withJournal { journal in
            journal.keepEnded(for: 1_000_000_000)
            let session = try await journal.add(until: Timestamp(seconds: 10))
            try await journal.append(upTo: 2, to: session)
            #expect(try await journal.ended(by: 9).isEmpty)
            #expect(try await journal.ended(by: 10).map(\.version) == [2])
            #expect(journal.count == 0)
            let other = try await journal.add(until: Timestamp(seconds: 20))
            while try await journal.head(of: other).value != nil { journal.expire(by: Timestamp(seconds: 20)) }
            #expect(Set(try await journal.ended().map(\.record.id)) == [session, other])
        }
    }

    @Test(arguments: Store.available) func withoutATimeNothingIsKept(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add()
            try await journal.append(upTo: 3, to: session)
            try await journal.end(session, at: nil).value
            #expect(try await journal.ended().isEmpty)
            await #expect(throws: JournalError.noSuchSession) {
                try await journal.readEnded(session, after: 0, limit: 9).value
            }
        }
    }

    // MARK: Erasing

    @Test(arguments: Store.durable) func forksKeepWhatTheyShareWithAnErasedSession(store: Store) async throws {
        try await store.withJournal { journal in
            journal.keepEnded(for: 3_600)
            let session = try await journal.add()
            try await journal.append(upTo: 2, to: session)
            // So many that a file moves all entries so far out of its log.
            try await journal.append(upTo: 30, to: journal.add())
            let before = try await journal.fork(session, at: 1)
            let after = try await journal.fork(session, at: 2)
            try await journal.append(.make(version: 3), to: after).value
            let grandchild = try await journal.fork(after, at: 3)
            let atStart = try await journal.fork(session, at: 0)
            let ended = try await journal.fork(session, at: 2)
            try await journal.end(ended, at: nil).value
            let edited = SessionRecord(
                id: .random(), app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 1), seed: 1, path: "/",
                parent: ForkPoint(session: session, version: 1), isEdited: true)
            _ = try await journal.add(edited, with: [.make(version: 1)])

            let erasure = try await journal.erase(session).value
            let holders = [
                Erasure.Holder(before, .fork, upTo: 1, hasEnded: false),
                Erasure.Holder(after, .fork, upTo: 2, hasEnded: false),
                Erasure.Holder(grandchild, .fork, upTo: 2, hasEnded: false),
                Erasure.Holder(ended, .fork, upTo: 2, hasEnded: true),
                Erasure.Holder(edited.id, .editedFork, upTo: 1, hasEnded: false),
            ]
            #expect(erasure.holders == holders.sorted { $0.session.description < $1.session.description })
            #expect(!erasure.isContinuation)
            #expect(journal.count == 6)
            for (fork, count) in [(before, 1), (after, 3), (grandchild, 3), (atStart, 0)] {
                #expect(try await journal.entries(of: fork).map(\.version) == Array((1...4).prefix(count)))
                try await journal.append(.make(version: count + 1), to: fork).value
            }
            #expect(try await journal.readEnded(ended, after: 0, limit: 9).value.count == 2)
            await #expect(throws: JournalError.noSuchSession) { try await journal.entries(of: session) }
        }
    }

    @Test(arguments: Store.durable) func theOriginalOfAnErasedForkIsNamed(store: Store) async throws {
        try await store.withJournal { journal in
            let original = try await journal.add()
            try await journal.append(upTo: 3, to: original)
            let fork = try await journal.fork(original, at: 1)
            try await journal.append(upTo: 4, after: 1, to: fork)
            let erasure = try await journal.erase(fork).value
            #expect(erasure.holders == [Erasure.Holder(original, .original, upTo: 1, hasEnded: false)])
            #expect(try await journal.head(of: original).value?.version == 3)
            #expect(try await journal.entries(of: original).count == 3)
        }
    }

    @Test(arguments: Store.durable) func aSessionThatHasEndedAndIsKeptIsErased(store: Store) async throws {
        try await store.withJournal { journal in
            journal.keepEnded(for: 3_600)
            let (session, other) = (try await journal.add(), try await journal.add())
            for session in [session, other] {
                try await journal.append(upTo: 2, to: session)
                try await journal.end(session, at: nil).value
            }
            _ = try await journal.erase(session).value
            #expect(try await journal.ended().map(\.record.id) == [other])
            await #expect(throws: JournalError.noSuchSession) { try await journal.erase(session).value }
        }
    }
}
