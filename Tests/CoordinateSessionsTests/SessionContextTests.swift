import Coordinate
import SessionFixtures
import Testing

@testable import CoordinateSessions

/// The session as the app knows it in turns: the same in every replay, and in forks.
struct SessionContextTests {
    private let shop = Workshop()

    private func context(of session: Session) throws -> SessionContext? {
        try session.look { _, state in .success(state.tree?.root.sessionContext) }.now()
    }

    @Test func aTreeKnowsTheReferenceAndTheKeyWithWhichItWasStarted() throws {
        let greeting = PlainValue.object([PlainField("greeting", .string("Hi"))])
        let tree = try SessionTree(
            HostedApp(WorkApp(), logger: .silent), SessionBeginning(options: greeting, reference: "r", key: "k"))
        #expect(tree.root.sessionContext == SessionContext(reference: "r", key: "k", options: greeting))
    }

    @Test func aForkKnowsItsOriginalInTurnsAndItselfInWork() throws {
        let session = try shop.begin()
        let fork = try shop.registry.find(shop.registry.fork(session, at: 0).now().head.record.id).now()
        #expect(fork.reference != session.reference)
        for _ in 0..<2 {
            for tree in [session, fork] { #expect(try context(of: tree)?.reference == session.reference) }
            shop.passivate()
        }
        #expect(session.context.reference == session.reference)
        #expect(fork.context.reference == fork.reference)
    }
}
