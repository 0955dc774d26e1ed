internal import CProcess
internal import Synchronization

/// A note of what a thread is doing, for a watchdog and for crash messages. Setting it costs a few stores. The code
/// that sets it defines its meaning.
public struct ThreadNote: Sendable {
    /// The number of the thread, unique while it lives.
    public let thread: UInt64
    /// The number of notes that the thread has begun and ended. It distinguishes two notes of a thread.
    public let count: UInt64
    /// The text, of which 80 bytes are kept.
    public let text: String
    public let number: Int
    /// Whether this is a repetition.
    public let isRepeated: Bool
    /// The subject, which is never written; `nil` if there is none.
    public let subject: UInt128?

    // MARK: The current thread

    /// Sets the note of this thread, until ``end()``. Notes are not nested.
    public static func begin(_ text: String, number: Int, isRepeated: Bool, subject: UInt128?) {
        let bits = subject ?? 0
        var note = CProcessNote(
            number: Int64(number), is_repeated: isRepeated ? 1 : 0, has_subject: subject == nil ? 0 : 1,
            subject: (UInt64(truncatingIfNeeded: bits >> 64), UInt64(truncatingIfNeeded: bits)))
        var text = text
        text.withUTF8 { text in
            unsafe text.withMemoryRebound(to: CChar.self) { text in
                unsafe cprocess_begin_note(text.baseAddress, text.count, &note)
            }
        }
    }

    public static func end() {
        cprocess_end_note()
    }

    /// The number of this thread.
    public static var currentThread: UInt64 { cprocess_thread() }

    // MARK: All threads

    /// The current notes of all threads that have one.
    public static var all: [ThreadNote] {
        (0..<cprocess_places()).compactMap(ThreadNote.init)
    }

    private static let stuck = Mutex<Set<UInt64>>([])

    /// Whether a thread has made no progress for a second, if a ``Watchdog`` is running.
    public static func isStuck(_ thread: UInt64) -> Bool {
        stuck.withLock { $0.contains(thread) }
    }

    static func setStuck(_ threads: Set<UInt64>) {
        stuck.withLock { $0 = threads }
    }

    /// Reads the note at a place; `nil` if there is no thread or it has no note.
    private init?(at place: Int32) {
        var found = CProcessThread()
        guard unsafe cprocess_read_note(place, &found) != 0, found.notes & 1 == 1 else { return nil }
        thread = found.thread
        count = found.notes
        text = unsafe withUnsafeBytes(of: found.text) {
            unsafe String(decoding: $0.prefix(found.text_length), as: UTF8.self)
        }
        number = Int(found.note.number)
        isRepeated = found.note.is_repeated != 0
        subject =
            found.note.has_subject == 0
            ? nil : UInt128(found.note.subject.0) << 64 | UInt128(found.note.subject.1)
    }

    // MARK: Crashing threads

    /// The texts around a note in a crash message, which begins with `The process crashes (SIGSEGV`.
    public struct Words: Sendable {
        public var beforeText, beforeNumber, afterNumber: String
        /// The whole rest of the message for a thread without a note.
        public var withoutNote: String

        public init(beforeText: String, beforeNumber: String, afterNumber: String, withoutNote: String) {
            self.beforeText = beforeText
            self.beforeNumber = beforeNumber
            self.afterNumber = afterNumber
            self.withoutNote = withoutNote
        }
    }

    /// A function that receives the note of a crashing thread and then calls `done`.
    public typealias CrashHandler = @Sendable (ThreadNote, _ done: @escaping @Sendable () -> Void) -> Void

    private static let handler = Mutex<CrashHandler?>(nil)

    /// Writes a message to the standard error if the process crashes, with the crashing thread's note.
    ///
    /// - Parameter handle: Called after a crash with a note that has a subject, on a separate thread. The process waits
    ///   for it at most two seconds. The crashed thread may hold any locks.
    public static func reportCrashes(in words: Words, handle: @escaping CrashHandler) {
        handler.withLock { $0 = handle }
        // Never freed, because a signal handler reads it.
        func keep(_ text: String) -> UnsafePointer<CChar> {
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count + 1)
            _ = unsafe copy.initialize(from: text.utf8.map { CChar(bitPattern: $0) } + [0])
            return unsafe UnsafePointer(copy.baseAddress!)
        }
        var kept = unsafe CProcessWords(
            before_text: keep(words.beforeText), before_number: keep(words.beforeNumber),
            after_number: keep(words.afterNumber), without_note: keep(words.withoutNote))
        unsafe cprocess_catch_crashes(&kept) { place in ThreadNote.handleCrash(at: place) }
    }

    private static func handleCrash(at place: Int32) {
        guard let handler = handler.withLock({ $0 }), let note = ThreadNote(at: place) else {
            return cprocess_end_record(place)
        }
        handler(note) { cprocess_end_record(place) }
    }
}
