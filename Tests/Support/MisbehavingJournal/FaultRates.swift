/// The frequencies of a journal's faults, in thousandths.
public struct FaultRates: Sendable {
    /// It returns the result at once.
    public var now = 0
    /// It refuses the change, and certainly does nothing.
    public var refusal = 0
    /// It makes the change, and the result is lost.
    public var lostAnswer = 0
    /// It never receives the request, and the outcome is unknown.
    public var lostRequest = 0
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
    public static let none = FaultRates()

    /// A journal that does everything that is allowed, one time in ten or so.
    public static var frequent: FaultRates {
        var rates = FaultRates()
        rates.now = 150
        rates.refusal = 40
        rates.lostAnswer = 70
        rates.lostRequest = 40
        rates.lateCommit = 50
        rates.rival = 60
        rates.echo = 150
        rates.lapse = 150
        return rates
    }

    /// What a journal did.
    public enum Count: String, CaseIterable, Sendable {
        case answersAtOnce, answersLater, refusals, lostAnswers, lostRequests, lateAttempts, lateCommits, rivalEntries
        case conflicts, conflictsWithItself, outages, refusalsWhileDisconnected, lostAtOutage, notifications, lapses
    }
}
