internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD
internal import Synchronization

extension API {
    /// `GET /sessions/{id}/test`: a test that repeats the session's events.
    func getTest(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let id = try named(passage.session)
        let expected = "one of \(RecordedTest.Language.allCases.map(\.rawValue).joined(separator: ", "))"
        guard let language = try request.queryItem("as", expected, RecordedTest.Language.init) else {
            throw .malformedRequest("The query must name a language as \"as\", \(expected): ?as=swift.")
        }
        let client = client(of: request)
        let isOperator = passage.requester.isOperator
        let server = request.authority.map { "\(access.proxies.isSecure(request) ? "https" : "http")://\($0)" }
        return answer {
            let session = try await self.sessions.find(id, for: client)
            let head = try await session.journal().head
            guard head.version <= TestWriting.maximumSteps else { throw Problem.testTooLong }
            let writing = TestWriting(chargedTo: self.budget) {
                RecordedTest(
                    as: language, of: self.app, JournalHeader(of: head.record), at: $0, isForOperator: isOperator,
                    server: server)
            }
            try await session.forEachState(upTo: head.version, for: client) { writing.append($1, showing: $0) }
            // The document may be large, and other clients of this worker must not wait.
            return try await withTaskExecutorPreference(self.readers) { .json(try writing.document) }
        }
    }
}

extension Problem {
    fileprivate static let testTooLong = Problem(
        .tooManyEvents,
        """
        A test has at most \(TestWriting.maximumSteps) steps and \(TestWriting.maximumSize >> 20) MiB. Write this one \
        with the command export.
        """)
}

/// A test that is written while its events are replayed, in slices on different threads. Its memory is charged while it
/// exists.
private final class TestWriting: Sendable {
    static let maximumSteps = 10_000
    /// The largest size of the steps, in bytes.
    static let maximumSize = 16 << 20

    private struct State {
        var test: RecordedTest?
        var size = 0
    }

    private let state = Mutex(State())
    private let budget: MemoryBudget
    private let begin: @Sendable (VisibleState) -> RecordedTest

    init(chargedTo budget: MemoryBudget, _ begin: @escaping @Sendable (VisibleState) -> RecordedTest) {
        self.budget = budget
        self.begin = begin
    }

    deinit {
        budget.charge(-state.withLock(\.size), to: .replays)
    }

    /// Appends an event; `nil` begins the test.
    ///
    /// - Returns: Whether there is room for more.
    func append(_ entry: JournalEntry?, showing visible: VisibleState) -> Bool {
        state.withLock { state in
            guard let entry else {
                state.test = begin(visible)
                return true
            }
            state.test?.append(entry, showing: visible)
            let size = state.test?.steps.last?.utf8.count ?? 0
            state.size += size
            budget.charge(size, to: .replays)
            return state.size <= Self.maximumSize
        }
    }

    /// The test's parts, which are the whole test if they are joined.
    var document: HTTPBody {
        get throws(Problem) {
            try state.withLock { state throws(Problem) in
                guard let test = state.test, state.size <= Self.maximumSize else { throw .testTooLong }
                var json = DocumentWriter(capacity: state.size + 4_096)
                json.object {
                    $0.field("opening", test.opening)
                    $0.array("steps", test.steps) { $0.string($1) }
                    $0.field("closing", test.closing)
                }
                return json.finish()
            }
        }
    }
}
