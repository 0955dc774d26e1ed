public import Coordinate

/// One event that a session has taken.
public struct JournalEntry: Equatable, Sendable {
    /// The source of an event.
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

    /// The session's version after the event, which is the number of events that it has taken.
    public let version: Int
    public let time: Timestamp
    /// The version of the app that took the event.
    public let appVersion: String
    public let event: String
    public internal(set) var payload: PlainValue
    /// The id of the coordinator at which it was emitted.
    public let at: String
    /// True where a coordinator intercepted it.
    public let isHandled: Bool
    /// The id of the coordinator that handled it; nil where none did.
    public let handledBy: String?
    /// The path after the event.
    public let path: String
    public var origin = Origin.client
    /// The id of the work or timer whose outcome the event is, and which ended with it; nil where it is none.
    public var pending: String?
    /// The work and the timers that its turn asked for.
    public var begun: [PendingWork] = []
    /// The ids of those that ended with it, apart from ``pending``.
    public var ended: [String] = []
    /// The moment from which the session's pending work needs looking after, as of this entry: the entry's own time
    /// where work is pending, else the time at which the first timer is due. Nil where nothing is pending.
    public var wake: Timestamp?
    /// The trace of the event (https://www.w3.org/TR/trace-context): that of its request, or of the request that asked
    /// for the work or the timer whose outcome it is.
    public var traceparent: String?
    /// The key by which a repetition of the request is recognised; nil where the client sent none.
    public var retry: Retry?
    /// A number that identifies this very entry through all attempts to append it; nil where the journal loses no
    /// results.
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

    /// The number of pending pieces of work and timers after the entry, minus that before it.
    package var pendingChange: Int {
        begun.count - ended.count - (pending == nil ? 0 : 1)
    }

    /// True where other pieces are pending after the entry than before.
    package var changesPending: Bool {
        !begun.isEmpty || !ended.isEmpty || pending != nil
    }

    /// The entry as a fork or a copy has it, without the retry and the mark, which belong to its own session alone.
    public var inherited: JournalEntry {
        guard retry != nil || mark != nil else { return self }
        var entry = self
        entry.retry = nil
        entry.mark = nil
        return entry
    }
}

/// The key by which a request is recognised when its client, unsure whether it arrived, sends it again.
///
/// The answer is not stored with it: it is a function of the events, and made again by replaying them.
public struct Retry: Equatable, Sendable {
    /// The longest key, in bytes.
    public static let maximumKeyLength = 255

    /// The key that the client gave the request.
    public let key: String
    /// A hash that tells the body from others under the same key.
    public let fingerprint: UInt64
    /// True where the answer left out the route.
    public let isMinimal: Bool

    public init(key: String, fingerprint: UInt64, isMinimal: Bool) {
        self.key = key
        self.fingerprint = fingerprint
        self.isMinimal = isMinimal
    }

    package init(key: String, body: [UInt8], isMinimal: Bool) {
        // A journal may outlive this process. A client gains nothing by a collision of its own requests.
        self.init(key: key, fingerprint: body.fingerprint, isMinimal: isMinimal)
    }
}

extension [UInt8] {
    /// A hash of these bytes, the same in every process (FNV-1a). It is not secret, and can be forged.
    package var fingerprint: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
