internal import Synchronization

/// How often a journal does what: of a thousand.
public struct Mischief: Sendable {
    /// It answers at once.
    public var now = 0
    /// It refuses, and certainly does nothing.
    public var refusal = 0
    /// It does as asked, and its answer is lost.
    public var lostAnswer = 0
    /// It never hears what was asked, and nobody knows.
    public var lostQuestion = 0
    /// Its answer is lost before it does as asked, which it does much later.
    public var lateCommit = 0
    /// Another server appends an entry first.
    public var rival = 0
    /// It tells its own server of its own entries, too.
    public var echo = 0
    /// It lets a lease run out before that is renewed.
    public var lapse = 0

    public init() {}

    /// A journal that answers in its own time, and does no wrong.
    public static let none = Mischief()

    /// A journal that does everything that it may, one time in ten or so.
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

    /// What a journal did.
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

        /// Adds what another one counted.
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
