internal import Synchronization

/// The frequencies of a journal's deeds, in thousandths.
public struct Mischief: Sendable {
    /// It returns the result at once.
    public var now = 0
    /// It refuses the change, and certainly does nothing.
    public var refusal = 0
    /// It makes the change, and the result is lost.
    public var lostAnswer = 0
    /// It never receives the request, and the outcome is unknown.
    public var lostQuestion = 0
    /// The result is lost, and the change is made much later.
    public var lateCommit = 0
    /// Another server appends an entry first.
    public var rival = 0
    /// It also notifies its own server of that server's entries.
    public var echo = 0
    /// It lets a lease expire before that is renewed.
    public var lapse = 0

    public init() {}

    /// A journal that is slow, but never fails.
    public static let none = Mischief()

    /// A journal that does everything that is allowed, one time in ten or so.
    public static var plenty: Mischief {
        var mischief = Mischief()
        mischief.now = 150
        mischief.refusal = 40
        mischief.lostAnswer = 70
        mischief.lostQuestion = 40
        mischief.lateCommit = 50
        mischief.rival = 60
        mischief.echo = 150
        mischief.lapse = 150
        return mischief
    }

    /// A deed of a journal.
    public enum Deed: String, CaseIterable, Sendable {
        case answersAtOnce, answersLater, refusals, lostAnswers, lostQuestions, lateAttempts, lateCommits, rivalEntries
        case conflicts, conflictsWithItself, outages, refusalsWhileAway, lostAtOutage, calls, lapses
    }

    /// Counts what journals did.
    public final class Record: Sendable {
        private let counts = Mutex<[Deed: Int]>([:])

        public init() {}

        public subscript(_ deed: Deed) -> Int { counts.withLock { $0[deed] ?? 0 } }

        func note(_ deed: Deed) {
            counts.withLock { $0[deed, default: 0] += 1 }
        }

        /// Adds the counts of another record.
        public func add(_ other: Record) {
            let more = other.counts.withLock { $0 }
            counts.withLock { $0.merge(more, uniquingKeysWith: +) }
        }
    }
}

extension Mischief.Record: CustomStringConvertible {
    public var description: String {
        Mischief.Deed.allCases.map { "\($0.rawValue) \(self[$0])" }.joined(separator: ", ")
    }
}
