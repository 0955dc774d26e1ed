internal import CProcess
internal import Synchronization

/// What the threads of this process are doing, as far as it may take long: it costs a few stores to note it.
public struct ThreadActivity: Sendable {
    /// Tells a thread from others, while it lives.
    public let thread: UInt64
    /// Tells one call of a handler from others; odd while it lasts.
    let calls: UInt64
    /// Tells one turn of the app from others; odd while it lasts.
    let turns: UInt64
    /// What the app was given, in the last turn.
    public let event: String
    public let turn: Turn

    /// What a turn is for.
    public struct Turn: Sendable {
        /// The version that it would lead to.
        public let version: Int
        /// Whether this version was made before.
        public let isRepeated: Bool
        /// Whose turn it is, by a number that is written nowhere; nil for nobody's.
        public let subject: UInt128?

        public init(version: Int, isRepeated: Bool, subject: UInt128?) {
            self.version = version
            self.isRepeated = isRepeated
            self.subject = subject
        }
    }

    /// Whether it runs the app.
    public var isInTurn: Bool { turns & 1 == 1 }
    /// Whether it is one that serves clients, and is kept by one of them.
    public var isInCall: Bool { calls & 1 == 1 }

    /// Notes that the app is run on this thread, until ``endTurn()``. They are not nested.
    public static func beginTurn(_ event: String, _ turn: Turn) {
        var event = event
        var turn = CProcessTurn(turn)
        event.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe cprocess_begin_turn(text.baseAddress, text.count, &turn)
            }
        }
    }

    public static func endTurn() {
        cprocess_end_turn()
    }

    /// This thread's number.
    public static var currentThread: UInt64 { cprocess_thread() }

    private static let stuck = Mutex<Set<UInt64>>([])

    /// Whether a thread has not got on for a second, where somebody looks.
    public static func isStuck(_ thread: UInt64) -> Bool {
        stuck.withLock { $0.contains(thread) }
    }

    static func setStuck(_ threads: Set<UInt64>) {
        stuck.withLock { $0 = threads }
    }

    /// Notes what a thread is doing, in whose turn the process crashes, and calls `done` then.
    public typealias Noter = @Sendable (ThreadActivity, _ done: @escaping @Sendable () -> Void) -> Void

    private static let noter = Mutex<Noter?>(nil)

    /// Has it said on the standard error what the app was doing when the process crashes.
    ///
    /// - Parameter note: is called as it does so in a turn that has a subject, on a thread of its own. It is waited for two
    ///   seconds at most, and nobody knows what the thread that crashed has locked.
    public static func tellWhenCrashing(app: String, note: @escaping Noter) {
        noter.withLock { $0 = note }
        var app = app
        app.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) {
                unsafe cprocess_catch_crashes($0.baseAddress, $0.count) { place in ThreadActivity.note(place) }
            }
        }
    }

    private static func note(_ place: Int32) {
        guard let noter = noter.withLock({ $0 }), let activity = ThreadActivity(at: place) else {
            return cprocess_noted(place)
        }
        noter(activity) { cprocess_noted(place) }
    }

    /// Threads that are doing something now.
    static var underWay: [ThreadActivity] {
        (0..<cprocess_places()).compactMap(ThreadActivity.init)
    }

    /// Nil where there is no thread at this place, or it does nothing.
    private init?(at place: Int32) {
        var found = CProcessThread()
        guard unsafe cprocess_look(place, &found) != 0, (found.calls | found.turns) & 1 == 1 else { return nil }
        thread = found.thread
        calls = found.calls
        turns = found.turns
        event = unsafe withUnsafeBytes(of: found.event) {
            unsafe String(decoding: $0.prefix(found.event_length), as: UTF8.self)
        }
        turn = Turn(found.turn)
    }
}

extension CProcessTurn {
    fileprivate init(_ turn: ThreadActivity.Turn) {
        let subject = turn.subject ?? 0
        self.init(
            version: Int64(turn.version), is_repeated: turn.isRepeated ? 1 : 0,
            has_subject: turn.subject == nil ? 0 : 1,
            subject: (UInt64(truncatingIfNeeded: subject >> 64), UInt64(truncatingIfNeeded: subject)))
    }
}

extension ThreadActivity.Turn {
    fileprivate init(_ turn: CProcessTurn) {
        let subject = UInt128(turn.subject.0) << 64 | UInt128(turn.subject.1)
        self.init(
            version: Int(turn.version), isRepeated: turn.is_repeated != 0,
            subject: turn.has_subject == 0 ? nil : subject)
    }
}
