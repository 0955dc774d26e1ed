import Coordinate
import CoordinateSessions
import SessionFixtures
import Testing

/// Sessions that are erased.
@Suite(.timeLimit(.minutes(2)))
struct ErasureTests {
    @Test(arguments: Store.complete) func forksKeepWhatTheyShareWithAnErasedSession(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add()
            try await journal.append(upTo: 2, to: session)
            // So many that a file moves all entries so far out of its log.
            try await journal.append(upTo: 30, to: journal.add())
            let before = try await journal.fork(session, at: 1)
            let after = try await journal.fork(session, at: 2)
            try await journal.append(.make(version: 3), to: after)
            let grandchild = try await journal.fork(after, at: 3)
            let atStart = try await journal.fork(session, at: 0)
            let edited = SessionRecord(
                id: .random(), app: "Racing", appVersion: "1.0", createdAt: Timestamp(seconds: 1), seed: 1, path: "/",
                parent: ForkPoint(session: session, version: 1), isEdited: true)
            _ = try await journal.add(edited, with: [.make(version: 1)])

            let erasure = try await journal.erase(session)
            let holders = [
                Erasure.Holder(before, .fork, upTo: 1),
                Erasure.Holder(after, .fork, upTo: 2),
                Erasure.Holder(grandchild, .fork, upTo: 2),
                Erasure.Holder(edited.id, .editedFork, upTo: 1),
            ]
            #expect(erasure.holders == holders.sorted { $0.session.description < $1.session.description })
            #expect(!erasure.isContinuation)
            #expect(journal.count == 6)
            for (fork, count) in [(before, 1), (after, 3), (grandchild, 3), (atStart, 0)] {
                #expect(try await journal.entries(of: fork).map(\.version) == Array((1...4).prefix(count)))
                try await journal.append(.make(version: count + 1), to: fork)
            }
            await #expect(throws: JournalError.noSuchSession) { try await journal.entries(of: session) }
        }
    }

    @Test(arguments: Store.complete) func theOriginalOfAnErasedForkIsNamed(store: Store) async throws {
        try await store.withJournal { journal in
            let original = try await journal.add()
            try await journal.append(upTo: 3, to: original)
            let fork = try await journal.fork(original, at: 1)
            try await journal.append(upTo: 4, after: 1, to: fork)
            let erasure = try await journal.erase(fork)
            #expect(erasure.holders == [Erasure.Holder(original, .original, upTo: 1)])
            #expect(try await journal.head(of: original)?.version == 3)
            #expect(try await journal.entries(of: original).count == 3)
        }
    }

    @Test(arguments: Store.complete) func aSessionThatHasEndedCannotBeErased(store: Store) async throws {
        try await store.withJournal { journal in
            let session = try await journal.add()
            try await journal.append(upTo: 2, to: session)
            let fork = try await journal.fork(session, at: 1)
            try await journal.end(session, at: nil)
            await #expect(throws: JournalError.noSuchSession) { try await journal.erase(session) }
            #expect(try await journal.erase(fork).holders == [])
        }
    }
}
