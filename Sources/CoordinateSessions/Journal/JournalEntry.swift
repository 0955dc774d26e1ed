public import Coordinate

/// One event that a session has accepted.
public struct JournalEntry: Equatable, Sendable {
    /// The source of an event.
    public enum Origin: String, CaseIterable, Sendable {
        /// A request.
        case client
        /// Work that a turn requested.
        case work
        /// A timer that a turn had set.
        case timer
        /// The program that hosts the app.
        case host
    }

    /// The session's version after the event, which is the number of events that it has accepted.
    public let version: Int
    public let time: Timestamp
    /// The version of the app that ran the event.
    public let appVersion: String
    public let event: String
    public internal(set) var payload: PlainValue
    /// The id of the coordinator that emitted it.
    public let at: String
    /// Whether a coordinator handled it.
    public let isHandled: Bool
    /// The id of the coordinator that handled it; `nil` if none did.
    public let handledBy: String?
    /// The path after the event.
    public let path: String
    public var origin = Origin.client
    /// The id of the work or timer whose outcome the event is, and which ended with it; `nil` if it is not an outcome.
    public var pending: String?
    /// The work and the timers that its turn requested.
    public var begun: [PendingWork] = []
    /// The ids of those that ended with it, apart from ``pending``.
    public var ended: [String] = []
    /// The moment from which the session's pending work is due, as of this entry: the entry's own time if work is
    /// pending, else the time of the first timer; `nil` if nothing is pending.
    public var wake: Timestamp?
    /// The trace of the event (https://www.w3.org/TR/trace-context): that of its request, or of the request that led to
    /// the work or the timer whose outcome it is.
    public var traceparent: String?
    /// The key that identifies a repetition of the request; `nil` if the client sent none.
    public var retry: Retry?
    /// A number that identifies this very entry through all attempts to append it; `nil` if the journal loses no
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

    /// Whether the entry changes the set of pending work and timers.
    package var changesPending: Bool {
        !begun.isEmpty || !ended.isEmpty || pending != nil
    }

    /// The entry as a fork or a copy has it: without the retry and the mark, which belong to its own session alone.
    public var inherited: JournalEntry {
        guard retry != nil || mark != nil else { return self }
        var entry = self
        entry.retry = nil
        entry.mark = nil
        return entry
    }
}

/// The key that identifies a request whose client is unsure whether it arrived, and sends it again.
///
/// The response is not stored with it: it follows from the events, and a replay reproduces it.
public struct Retry: Equatable, Sendable {
    /// The longest key, in bytes.
    public static let maximumKeyLength = 255

    /// The key that the client gave the request.
    public let key: String
    /// A hash that distinguishes the body from other bodies with the same key.
    public let fingerprint: UInt64
    /// Whether the response left out the route.
    public let isMinimal: Bool

    public init(key: String, fingerprint: UInt64, isMinimal: Bool) {
        self.key = key
        self.fingerprint = fingerprint
        self.isMinimal = isMinimal
    }

    package init(key: String, body: [UInt8], isMinimal: Bool) {
        // The hash is stable across processes, since a journal may outlive this one. A client gains nothing from a
        // collision among its own requests.
        self.init(key: key, fingerprint: body.fingerprint, isMinimal: isMinimal)
    }
}

extension [UInt8] {
    /// A hash of these bytes, the same in every process (FNV-1a). It is not secret, and can be forged.
    package var fingerprint: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
