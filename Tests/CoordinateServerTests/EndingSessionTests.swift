import Coordinate
import Synchronization
import Testing

@testable import CoordinateServer

/// A session that ends while its journal is being read: it is not there any more, and nothing else is wrong.
struct EndingSessionTests {
    private let journal = InterruptedJournal()
    private let session: Session

    init() throws {
        session = try Session(host: AppHost(app: TestApp(), journal: journal, logger: .silent))
        for number in 0..<3 {
            let retry = Retry(key: "\(number)", body: [], isMinimal: false)
            _ = try session.inject(back, retry: retry, wantsRoute: false)
        }
        journal.beforeNextRead { [session] in session.end() }
    }

    private let back = EventRequest(name: "navigation.back", payload: .object([]), at: nil)

    private func expectEnd(_ body: () throws -> Void) {
        let error = #expect(throws: SessionError.self) { try body() }
        guard case .hasEnded = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func itCannotBeForked() {
        expectEnd { _ = try session.fork(at: 2) }
    }

    @Test func itCannotBeExported() {
        expectEnd { try session.forEachEntry { _ in } }
    }

    @Test func itHasNoFormerRoute() {
        expectEnd { _ = try session.route(at: 1) }
    }

    @Test func itsOutcomesAreNotToldAgain() {
        expectEnd { _ = try session.inject(back, retry: Retry(key: "1", body: [], isMinimal: false), wantsRoute: true) }
    }
}

/// A journal that lets something else happen right before a read.
private final class InterruptedJournal: Journal {
    private let journal = MemoryJournal()
    private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

    func beforeNextRead(_ body: @escaping @Sendable () -> Void) {
        interruption.withLock { $0 = body }
    }

    func append(_ entry: JournalEntry, to session: SessionID) throws(JournalError) {
        try journal.append(entry, to: session)
    }

    func read(_ session: SessionID, after version: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
        let interrupt = interruption.withLock { interruption in
            defer { interruption = nil }
            return interruption
        }
        interrupt?()
        return journal.read(session, after: version, limit: limit)
    }

    func end(_ session: SessionID) { journal.end(session) }

    func check() {}
}
