internal import Coordinate

/// A session that takes the events of an exported journal, line by line as they come in.
///
/// A line that cannot be replayed, or goes another way than it did when it was recorded, ends it all: nothing is left.
final class SessionImport {
    /// Nobody else may use it before all is read.
    let session: Session
    private(set) var isFinished = false
    private let host: AppHost
    /// The line that is not complete yet.
    private var rest: [UInt8] = []
    private var lineNumber = 0

    init(host: AppHost) throws(SessionError) {
        self.host = host
        session = try Session(host: host)
    }

    deinit {
        if !isFinished { session.end() }
    }

    /// Takes the next part of the journal.
    func read(_ part: [UInt8]) throws(SessionError) {
        var unread = part[...]
        while let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest + unread[..<end]
            rest = []
            unread = unread[(end + 1)...]
            try take(line)
        }
        rest += unread
    }

    /// Ends the journal.
    ///
    /// - Returns: the session, which nobody else knows yet.
    func finish() throws(SessionError) -> Session {
        if !rest.isEmpty || lineNumber == 0 { try take(rest) }
        isFinished = true
        return session
    }

    private func take(_ line: [UInt8]) throws(SessionError) {
        lineNumber += 1
        if lineNumber == 1 {
            let header = try parsed { () throws(JournalSyntaxError) in try JournalHeader(line: line) }
            guard header.app == host.app.name else {
                throw invalid("it is a journal of the app \(header.app), and this is \(host.app.name).")
            }
            return
        }
        let entry = try parsed { () throws(JournalSyntaxError) in try JournalEntry(line: line) }
        guard entry.version == lineNumber - 1 else {
            throw invalid("its version must be \(lineNumber - 1), the number of events with it.")
        }
        let replayed: JournalEntry
        do throws(SessionError) {
            replayed = try session.replay(entry)
        } catch .journal(let error) {
            throw .journal(error)
        } catch {
            throw invalid(error.description)
        }
        try compare("handled", "\(entry.isHandled)", "\(replayed.isHandled)")
        try compare("handledBy", entry.handledBy ?? "nobody", replayed.handledBy ?? "nobody")
        try compare("path", entry.path, replayed.path)
    }

    private func compare(_ field: String, _ recorded: String, _ replayed: String) throws(SessionError) {
        guard recorded == replayed else {
            throw invalid("\(field) was \(recorded) when it was recorded, and is \(replayed) now.")
        }
    }

    private func parsed<Value>(_ parse: () throws(JournalSyntaxError) -> Value) throws(SessionError) -> Value {
        do throws(JournalSyntaxError) {
            return try parse()
        } catch {
            throw invalid(error.reason)
        }
    }

    private func invalid(_ reason: String) -> SessionError {
        .invalidJournal(line: lineNumber, reason: reason)
    }
}
