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
    /// The version that the turn would lead to.
    public let version: Int

    /// Whether it runs the app.
    public var isInTurn: Bool { turns & 1 == 1 }
    /// Whether it is one that serves clients, and is kept by one of them.
    public var isInCall: Bool { calls & 1 == 1 }

    /// Notes that the app is run on this thread, until ``endTurn()``. They are not nested.
    public static func beginTurn(_ event: String, version: Int) {
        var event = event
        event.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe cprocess_begin_turn(text.baseAddress, text.count, Int64(version))
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

    /// Has it said on the standard error what the app was doing when the process crashes.
    public static func tellWhenCrashing(app: String) {
        var app = app
        app.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { unsafe cprocess_catch_crashes($0.baseAddress, $0.count) }
        }
    }

    /// Threads that are doing something now.
    static var underWay: [ThreadActivity] {
        (0..<cprocess_places()).compactMap { place in
            var found = CProcessThread()
            guard unsafe cprocess_look(place, &found) != 0, (found.calls | found.turns) & 1 == 1 else { return nil }
            let event = unsafe withUnsafeBytes(of: found.event) {
                unsafe String(decoding: $0.prefix(found.event_length), as: UTF8.self)
            }
            return ThreadActivity(
                thread: found.thread, calls: found.calls, turns: found.turns, event: event, version: Int(found.version))
        }
    }
}
