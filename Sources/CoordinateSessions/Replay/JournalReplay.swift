package import Coordinate
internal import JSON

/// A replay of an exported journal on a separate tree, line by line as the lines arrive.
///
/// A line that cannot be replayed, or leads elsewhere than when it was recorded, ends the replay with an error.
package final class JournalReplay {
    private let app: HostedApp
    /// The tree, once the first line was read.
    private(set) var tree: SessionTree?
    /// The path before any event.
    package private(set) var firstPath = ""
    /// The work and the timers that are pending before any event.
    package private(set) var firstWork: [PendingWork] = []
    /// The first line, once it was read.
    package private(set) var header: JournalHeader?
    /// Called with the root when the tree has started.
    private let began: (CoordinatorNode) -> Void
    /// Called with each entry that replayed as it was recorded.
    private let replayed: (JournalEntry) throws(SessionError) -> Void
    /// The longest line, in bytes: twice the largest event body that a server can be configured to accept.
    package static let maximumLineLength = 32 * 1024 * 1024

    private let maximumLineLength: Int
    /// The latest allowed time of an entry; `nil` if entries may have any times.
    private let latest: Timestamp?
    /// The time of the last entry.
    private var lastTime: Timestamp?
    /// The bytes that have arrived. Those from `start` on are not replayed yet.
    private var text: [UInt8] = []
    private var start = 0
    /// The offset before which no line ends.
    private var searched = 0
    private var lineNumber = 0
    /// The length of the line being replayed, in bytes; 0 for an entry of a store.
    private var lineLength = 0

    /// - Parameters:
    ///   - maximumLineLength: The longest line, in bytes. The replay stores no more of a line.
    ///   - latest: The latest allowed time of an entry. With one, times may not go back either; `nil` allows any times.
    package init(
        _ app: HostedApp, maximumLineLength: Int = JournalReplay.maximumLineLength, latest: Timestamp? = nil,
        _ replayed: @escaping (JournalEntry) throws(SessionError) -> Void = { _ in },
        began: @escaping (CoordinatorNode) -> Void = { _ in }
    ) {
        self.app = app
        self.maximumLineLength = maximumLineLength
        self.latest = latest
        self.began = began
        self.replayed = replayed
    }

    /// The path to which the replay has led so far.
    package var path: String { tree?.root.path ?? "" }

    /// The root of the tree; `nil` before the first line. It must not be changed.
    package var root: CoordinatorNode? { tree?.root }

    /// Adds the next part of the journal, and replays its complete lines.
    package func read(_ part: [UInt8]) throws(SessionError) {
        append(part)
        while try readLine() {}
    }

    /// Adds the next part of the journal, without replaying it.
    func append(_ part: [UInt8]) {
        text.removeFirst(start)
        searched -= start
        start = 0
        text += part
    }

    /// Replays the next line; `false` if none is complete.
    func readLine() throws(SessionError) -> Bool {
        let end = text[searched...].firstIndex(of: UInt8(ascii: "\n"))
        searched = end ?? text.count
        guard searched - start <= maximumLineLength else {
            lineNumber += 1
            throw invalid("it is longer than a line of an exported journal may be.")
        }
        guard let end else { return false }
        let line = Array(text[start..<end])
        start = end + 1
        searched = start
        try read(line: line)
        return true
    }

    /// Ends the journal, and replays a last line without a line break.
    package func finish() throws(SessionError) {
        while try readLine() {}
        let remainder = Array(text[start...])
        text = []
        (start, searched) = (0, 0)
        if !remainder.isEmpty || lineNumber == 0 { try read(line: remainder) }
    }

    private func read(line: [UInt8]) throws(SessionError) {
        lineNumber += 1
        lineLength = line.count
        guard let header else {
            return try begin(with: try parsed { () throws(UnreadableJSON) in try JournalHeader(line: line) })
        }
        try replay(
            try parsed { () throws(UnreadableJSON) in
                try JournalEntry(line: line, recordedBy: header.appVersion)
            })
    }

    /// Begins with a record from a store, in place of the first line.
    package func begin(_ session: SessionRecord) throws(SessionError) {
        lineNumber = 1
        try begin(with: JournalHeader(of: session))
    }

    /// Replays an entry from a store, in place of the next line.
    package func read(_ entry: JournalEntry) throws(SessionError) {
        lineNumber += 1
        try replay(entry)
    }

    private func replay(_ recorded: JournalEntry) throws(SessionError) {
        var entry = recorded
        guard entry.version == lineNumber - 1 else {
            throw invalid("its version must be \(lineNumber - 1), the number of events with it.")
        }
        do throws(SessionError) {
            guard let tree else { throw .workIsOver }
            try checkTime(of: entry)
            try checkPending(&entry, in: tree)
            let turn = try tree.replay(entry)
            // Undeclared fields are left out. The payload of an event of another version stays as it was recorded.
            if let turn, entry.appVersion == app.version {
                entry.payload = turn.payload
            } else if let known = app.events.entry(named: entry.event) {
                entry.payload = known.withoutSecrets(entry.payload)
            }
            (entry.begun, entry.ended) = (turn?.begun ?? [], turn?.ended ?? [])
            entry.wake = tree.wake(from: entry.time)
            try checkLength { $0.entry(entry, recordedBy: header?.appVersion ?? "") }
            try replayed(entry)
        } catch .appChanged(let change) {
            throw invalid(change.reason)
        } catch .invalidJournal(let line, let reason) {
            throw .invalidJournal(line: line, reason: reason)
        } catch {
            throw invalid(error.description)
        }
    }

    /// Checks that the time does not go back, and is not in the future.
    private func checkTime(of entry: JournalEntry) throws(SessionError) {
        defer { lastTime = entry.time }
        guard let latest else { return }
        if let earliest = lastTime ?? header?.createdAt, entry.time < earliest {
            throw invalid("its time is \(entry.time), before that of the line above it, \(earliest).")
        }
        guard entry.time <= latest else { throw invalid("its time is \(entry.time), which is in the future.") }
    }

    /// Checks that the work or the timer whose outcome an event is was pending before it.
    private func checkPending(_ entry: inout JournalEntry, in tree: SessionTree) throws(SessionError) {
        // Another version of the app may have requested other work, and emitted other events.
        let isLenient = entry.appVersion != app.version || app.onChange == .accept
        guard let pending = entry.pending else {
            if isLenient { return }
            switch entry.origin {
            case .client where app.events.entry(named: entry.event)?.isAppOnly == true:
                throw invalid(SessionError.eventNotAllowed.description)
            case .work, .timer:
                throw invalid("it has no \"pending\", and its origin is \"\(entry.origin.rawValue)\".")
            case .client, .host: return
            }
        }
        let item = tree.root.pendingWork.first { $0.id == pending }
        let origin: JournalEntry.Origin? = item.map { $0.due == nil ? .work : .timer }
        // Clients post outcomes if work is withheld.
        if item != nil, isLenient || entry.origin == origin || entry.origin == .client { return }
        guard isLenient else {
            let state = origin.map { "a piece of origin \"\($0.rawValue)\"" } ?? "not pending"
            throw invalid("its \"pending\" is \(pending), which is \(state) at that version.")
        }
        entry.pending = nil
    }

    private func begin(with header: JournalHeader) throws(SessionError) {
        self.header = header
        guard header.app == app.name else {
            throw invalid("it is a journal of the app \(header.app), but this app is \(app.name).")
        }
        do throws(PlainValueError) {
            try app.app.checkOptions(header.options)
        } catch  where app.onChange == .quarantine {
            throw invalid("its option \"\(error.field)\" \(error.message).")
        } catch {}
        if let latest, header.createdAt > latest {
            throw invalid("its \"createdAt\" is \(header.createdAt), which is in the future.")
        }
        let tree = try SessionTree(app, header.beginning)
        self.tree = tree
        firstPath = tree.root.path
        firstWork = tree.root.pendingWork
        if header.path != firstPath, header.appVersion == app.version, app.onChange == .quarantine {
            throw invalid("path was \(header.path) when it was recorded, and is \(firstPath) now.")
        }
        var again = header
        again.path = firstPath
        try checkLength { $0.line(again) }
        began(tree.root)
    }

    /// Checks that the line can be imported again once it is exported. It may become longer: 9e15 is written as
    /// 9000000000000000.
    private func checkLength(_ write: (inout JSONWriter<[UInt8]>) -> Void) throws(SessionError) {
        // No line becomes eight times as long.
        guard lineLength > maximumLineLength / 8 else { return }
        var json = JSONWriter<[UInt8]>()
        write(&json)
        guard json.finish().count <= maximumLineLength else {
            throw invalid("exporting it again would exceed the maximum length of a line.")
        }
    }

    private func parsed<Value>(_ parse: () throws(UnreadableJSON) -> Value) throws(SessionError) -> Value {
        do throws(UnreadableJSON) {
            return try parse()
        } catch {
            throw invalid(error.reason)
        }
    }

    private func invalid(_ reason: String) -> SessionError {
        .invalidJournal(line: lineNumber, reason: reason)
    }
}
