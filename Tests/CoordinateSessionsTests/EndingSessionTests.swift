import SessionFixtures
import Testing

@testable import CoordinateSessions

/// A session that ends on another server while a request is under way: the request reports the end, and no other error.
struct EndingSessionTests {
    private let journal = FaultyJournal()
    private let registry: SessionRegistry
    private let session: Session

    init() throws {
        registry = .make(app: TestApp(), journal: journal)
        session = try registry.begin().now().session
        for number in 0..<3 { _ = try session.inject(.make("navigation.back", retry: Self.retry("\(number)"))).now() }
    }

    private static func retry(_ key: String) -> Retry { Retry(key: key, body: [], isMinimal: false) }

    private func expectEnd<Value: Sendable>(
        before call: FaultyJournal.Call, _ body: () -> Future<Value, SessionError>
    ) {
        let id = session.id
        journal.before(call) { journal in _ = journal.end(id, at: nil) }
        let result = body().result
        guard case .failure(.hasEnded) = result else {
            Issue.record("\(String(describing: result))")
            return
        }
    }

    @Test(arguments: [FaultyJournal.Call.head, .create])
    func itCannotBeForked(call: FaultyJournal.Call) {
        expectEnd(before: call) { registry.fork(session, at: 2) }
        #expect(registry.count == 0)
    }

    @Test(arguments: [FaultyJournal.Call.head, .read])
    func itsEventsCannotBeRead(call: FaultyJournal.Call) {
        expectEnd(before: call) { session.entries(after: 0, limit: 10) }
    }

    @Test(arguments: [FaultyJournal.Call.head, .read])
    func itHasNoFormerRoute(call: FaultyJournal.Call) {
        expectEnd(before: call) { session.route(at: 1) }
    }

    @Test func outcomesOfAnEndedSessionAreNotReported() {
        expectEnd(before: .read) { session.inject(.make("navigation.back", retry: Self.retry("1"))) }
    }

    @Test func anEndedSessionAcceptsNoEvent() {
        let follower = CountingFollower()
        _ = session.follow(follower) { _, _ in true }
        expectEnd(before: .append) { session.inject(.push(1)) }
        #expect(follower.hasEnded)
        #expect(follower.versions.isEmpty)
        #expect(session.hasEnded)
        guard case .failure(.hasEnded) = registry.find(session.id).result else {
            Issue.record("The session was found.")
            return
        }
    }

    @Test func endingItSucceedsSinceItHasEnded() throws {
        let id = session.id
        journal.before(.end) { journal in _ = journal.end(id, at: nil) }
        try registry.end(session).now()
        #expect(registry.count == 0)
    }

    @Test func itsTreeIsNotRebuilt() throws {
        #expect(throws: SessionError.self) { try session.inject(.make("test.fail")).now() }
        expectEnd(before: .read) { session.route() }
        #expect(session.hasEnded)
    }
}
