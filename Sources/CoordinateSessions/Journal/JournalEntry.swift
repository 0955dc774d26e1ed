public import Coordinate

/// One accepted event.
public struct JournalEntry: Equatable, Sendable {
    /// Who an event came from.
    public enum Origin: String, CaseIterable, Sendable {
        /// A request.
        case client
        /// Work that a turn had asked for.
        case work
        /// A timer that a turn had set.
        case timer
        /// The program that hosts the app.
        case host
    }

    /// How many events the session has accepted with it.
    public let version: Int
    public let time: Timestamp
    /// The version of the app that took it.
    public let appVersion: String
    public let event: String
    public internal(set) var payload: PlainValue
    /// The id of the coordinator it was emitted at.
    public let at: String
    /// True where somebody intercepted it.
    public let isHandled: Bool
    /// Nil where nobody handled it.
    public let handledBy: String?
    /// The path after the event.
    public let path: String
    public var origin = Origin.client
    /// The id of the work or timer it came from, which is over with it.
    public var pending: String?
    /// The work and the timers that its turn asked for.
    public var begun: [PendingWork] = []
    /// The ids of those that are over with it, but for its own.
    public var ended: [String] = []
    /// When the session is to be looked after for what is pending with this entry: the entry's own time for work, else
    /// when the first timer is due. Nil where nothing is pending.
    public var wake: Timestamp?
    /// The trace it belongs to (https://www.w3.org/TR/trace-context): that of its request, or of the one that asked for the work
    /// or the timer it came from.
    public var traceparent: String?
    /// What tells a repetition of the request; nil where the client did not provide for one.
    public var retry: Retry?
    /// What tells this very entry from all others, through all attempts to append it; nil where the journal loses no
    /// answers.
    public var mark: UInt64?

    public init(
        version: Int, time: Timestamp, appVersion: String, event: String, payload: PlainValue, at: String,
        isHandled: Bool, handledBy: String?, path: String, origin: Origin = .client, pending: String? = nil,
        begun: [PendingWork] = [], ended: [String] = [], wake: Timestamp? = nil, traceparent: String? = nil,
        retry: Retry? = nil, mark: UInt64? = nil
    ) {
        self.version = version
        self.time = time
        self.appVersion = appVersion
        self.event = event
        self.payload = payload
        self.at = at
        self.isHandled = isHandled
        self.handledBy = handledBy
        self.path = path
        self.origin = origin
        self.pending = pending
        self.begun = begun
        self.ended = ended
        self.wake = wake
        self.traceparent = traceparent
        self.retry = retry
        self.mark = mark
    }

    /// How many more pieces of work and timers are under way after it than before.
    package var pendingChange: Int {
        begun.count - ended.count - (pending == nil ? 0 : 1)
    }

    /// Whether other things are pending after it than before.
    package var changesPending: Bool {
        !begun.isEmpty || !ended.isEmpty || pending != nil
    }

    /// The entry as a fork or a copy has it: what the client of its session could repeat belongs to that session alone.
    public var inherited: JournalEntry {
        guard retry != nil || mark != nil else { return self }
        var entry = self
        entry.retry = nil
        entry.mark = nil
        return entry
    }
}

/// How a request is known when its client, unsure whether it arrived, sends it again.
///
/// The answer need not be kept with it: it is a function of the events, and made again by replaying them.
public struct Retry: Equatable, Sendable {
    /// The longest key, in bytes.
    public static let maximumKeyLength = 255

    /// What the client calls the request.
    public let key: String
    /// Tells the body from others under the same key.
    public let fingerprint: UInt64
    /// Whether the answer left the route out.
    public let isMinimal: Bool

    public init(key: String, fingerprint: UInt64, isMinimal: Bool) {
        self.key = key
        self.fingerprint = fingerprint
        self.isMinimal = isMinimal
    }

    package init(key: String, body: [UInt8], isMinimal: Bool) {
        // A journal may outlive this process. Nobody gains by a collision with requests of their own.
        self.init(key: key, fingerprint: body.fingerprint, isMinimal: isMinimal)
    }
}

extension [UInt8] {
    /// A number that tells these bytes from others; the same in every process (FNV-1a). It is no secret, and can be forged.
    package var fingerprint: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
