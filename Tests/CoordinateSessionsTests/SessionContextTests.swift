import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The session as the app knows it in turns: the same in every replay, and in forks.
struct SessionContextTests {
    private let shop = Workshop()

    private func context(of session: Session) async throws -> SessionContext? {
        try await session.look { _, tree in tree.root.sessionContext }
    }

    @Test func aTreeKnowsTheReferenceAndTheKeyWithWhichItWasStarted() throws {
        let greeting = PlainValue.object([PlainField("greeting", .string("Hi"))])
        let tree = try SessionTree(
            HostedApp(WorkApp(), logger: .silent), SessionBeginning(options: greeting, reference: "r", key: "k"))
        #expect(tree.root.sessionContext == SessionContext(reference: "r", key: "k", options: greeting))
    }

    @Test func aForkKnowsItsOriginalInTurnsAndItselfInWork() async throws {
        let session = try await shop.begin()
        let fork = try await shop.registry.find(shop.registry.fork(session, at: 0).head.record.id)
        #expect(fork.reference != session.reference)
        for _ in 0..<2 {
            for tree in [session, fork] { #expect(try await context(of: tree)?.reference == session.reference) }
            shop.passivate()
        }
        #expect(session.context.reference == session.reference)
        #expect(fork.context.reference == fork.reference)
    }
}
