internal import CProcess
internal import Synchronization

/// The present activity of a thread of this process, as far as it may take long: noting it costs a few stores.
public struct ThreadActivity: Sendable {
    /// The number of the thread, unique while it lives.
    public let thread: UInt64
    /// The number of calls of a handler that began or ended; odd during a call.
    let calls: UInt64
    /// The number of turns of the app that began or ended; odd during a turn.
    let turns: UInt64
    /// The event of the last turn.
    public let event: String
    public let turn: Turn

    /// The purpose of a turn.
    public struct Turn: Sendable {
        /// The version to which it leads.
        public let version: Int
        /// True where this version was made before.
        public let isRepeated: Bool
        /// The session whose turn it is, as a number that is written nowhere; nil for a turn of none.
        public let subject: UInt128?

        public init(version: Int, isRepeated: Bool, subject: UInt128?) {
            self.version = version
            self.isRepeated = isRepeated
            self.subject = subject
        }
    }

    /// True where it runs the app.
    public var isInTurn: Bool { turns & 1 == 1 }
    /// True where it serves clients, and is in a call for one of them.
    public var isInCall: Bool { calls & 1 == 1 }

    /// Notes that the app runs on this thread, until ``endTurn()``. The calls are not nested.
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

    /// The number of this thread.
    public static var currentThread: UInt64 { cprocess_thread() }

    private static let stuck = Mutex<Set<UInt64>>([])

    /// True where a thread has made no progress for a second, where a ``StallWatch`` runs.
    public static func isStuck(_ thread: UInt64) -> Bool {
        stuck.withLock { $0.contains(thread) }
    }

    static func setStuck(_ threads: Set<UInt64>) {
        stuck.withLock { $0 = threads }
    }

    /// A function that notes the activity of a thread in whose turn the process crashes, and then calls `done`.
    public typealias Noter = @Sendable (ThreadActivity, _ done: @escaping @Sendable () -> Void) -> Void

    private static let noter = Mutex<Noter?>(nil)

    /// Has a crash of the process reported on the standard error, with the activity of the app.
    ///
    /// - Parameter note: Called after a crash in a turn with a subject, on a thread of its own. The process waits for
    ///   it for two seconds at most, and the thread that crashed may hold any locks.
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

    /// The activities of all threads that are in a call or a turn now.
    static var underWay: [ThreadActivity] {
        (0..<cprocess_places()).compactMap(ThreadActivity.init)
    }

    /// Reads the activity at a place; nil where there is no thread, or it is in no call and no turn.
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
