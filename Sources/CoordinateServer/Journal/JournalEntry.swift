internal import Coordinate

/// One accepted event.
struct JournalEntry: Equatable, Sendable {
    /// How many events the session has accepted with it.
    let version: Int
    let time: Timestamp
    let event: String
    let payload: PlainValue
    /// The id of the coordinator it was emitted at.
    let at: String
    /// Whether somebody intercepted it.
    let isHandled: Bool
    /// Nil where nobody handled it.
    let handledBy: String?
    /// The path after the event.
    let path: String
    /// What tells a repetition of the request; nil where the client did not provide for one.
    var retry: Retry?
}

/// How a request is known when its client, unsure whether it arrived, sends it again.
///
/// The answer need not be kept with it: it is a function of the events, and made again by replaying them.
struct Retry: Equatable, Sendable {
    /// The longest key, in bytes.
    static let maximumKeyLength = 255

    /// What the client calls the request: its header `Idempotency-Key`.
    let key: String
    /// Tells the body from others under the same key.
    let fingerprint: UInt64
    /// Whether the answer left the route out.
    let isMinimal: Bool

    init(key: String, fingerprint: UInt64, isMinimal: Bool) {
        self.key = key
        self.fingerprint = fingerprint
        self.isMinimal = isMinimal
    }

    init(key: String, body: [UInt8], isMinimal: Bool) {
        // FNV-1a: the same in every process, as a journal may outlive this one. Nobody gains by a collision with
        // requests of their own.
        let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        self.init(key: key, fingerprint: hash, isMinimal: isMinimal)
    }
}
