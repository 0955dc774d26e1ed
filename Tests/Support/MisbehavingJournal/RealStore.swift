internal import Coordinate
internal import CoordinateSessions
internal import Dispatch
internal import Synchronization

/// A real journal under a ``SharedStore``. It makes one request after the other, and waits for each.
final class RealStore: Sendable {
    private let journal: any Journal
    private let noted = Mutex<[String]>([])

    /// The longest time in which expired sessions must have ended.
    private static let patience = Duration.seconds(60)

    init(_ journal: any Journal) {
        self.journal = journal
    }

    var differences: [String] { noted.withLock { $0 } }

    private func note(_ difference: String) {
        noted.withLock { $0.append(difference) }
    }

    private func result<Value>(of future: Future<Value, JournalError>) -> Result<Value, JournalError> {
        let isThere = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, JournalError>>(.failure(.unavailable))
        future.handOver { answer in
            result.withLock { $0 = answer }
            isThere.signal()
        }
        isThere.wait()
        return result.withLock { $0 }
    }

    func change(
        _ name: String, _ expected: Result<Void, JournalError>, _ body: (any Journal) -> Future<Void, JournalError>
    ) {
        let found = result(of: body(journal))
        if found.map({ true }) != expected.map({ true }) { note("\(name): \(found) instead of \(expected)") }
    }

    func head(of session: SessionID, expecting expected: SessionHead?) -> SessionHead? {
        let found = result(of: journal.head(of: session))
        if found != .success(expected) { note("head: \(found) instead of \(String(describing: expected))") }
        return (try? found.get()) ?? nil
    }

    func read(
        _ session: SessionID, after version: Int, limit: Int, expecting expected: Result<[JournalEntry], JournalError>
    ) -> Result<[JournalEntry], JournalError> {
        let found = result(of: journal.read(session, after: version, limit: limit))
        if found != expected { note("read after \(version): \(found) instead of \(expected)") }
        return found
    }

    func keep(_ session: SessionID, until expiry: Timestamp) {
        journal.keep(session, until: expiry)
        // The journal may write it later, but does so before this.
        _ = result(of: journal.list(SessionQuery(app: "", limit: 1)))
    }

    /// Ends expired sessions. Each must be reported once.
    func expire(by now: Timestamp, expecting expired: [SessionRecord]) {
        let told = Mutex<[SessionID: [String]]>([:])
        let news = DispatchSemaphore(value: 0)
        let deadline = ContinuousClock.now + Self.patience
        while told.withLock({ $0.count }) < expired.count, .now < deadline {
            journal.expire(by: now) { session, app in
                told.withLock { $0[session, default: []].append(app) }
                news.signal()
            }
            // The journal may end a few at a time. It is called once a second, as servers do.
            while told.withLock({ $0.count }) < expired.count, news.wait(timeout: .now() + 1) == .success {}
        }
        let expected = Dictionary(uniqueKeysWithValues: expired.map { ($0.id, [$0.app]) })
        let found = told.withLock { $0 }
        if found != expected { note("\(found.count) sessions expire instead of \(expected.count), each once") }
        for session in expired where result(of: journal.head(of: session.id)) != .success(nil) {
            note("an expired session still exists")
        }
    }
}
