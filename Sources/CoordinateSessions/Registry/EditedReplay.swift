internal import Coordinate

/// A replay of a session's events with edits, or the acceptance of a new session's first events, on a separate tree. Its
/// entries are those of a new session.
///
/// Each event is emitted anew: at the coordinator that emitted it, or at the visible leaf if that coordinator is not
/// there; an outcome at the owner of its work, under the work's new id. An event that the app does not accept is left
/// out.
struct EditedReplay {
    /// The most trees that are built, because a turn failed halfway and left its tree unusable.
    private static let treeLimit = 16

    private let app: HostedApp
    private let edits: HistoryEdits
    private let beginning: SessionBeginning
    private let maximumEvents: Int
    /// The number of events before those whose refusal is reported with an index; `nil` if no refusal is an error.
    private let unnumbered: Int?
    private(set) var tree: SessionTree
    private var trees = 1
    /// The entries that a tree that was built again has yet to repeat.
    private var repeated: [JournalEntry].Iterator?
    /// The events that have yet to be inserted after a version of the original.
    private var insertions: (after: Int, events: ArraySlice<EventRequest>)
    /// The time of the last entry of the original.
    private var time: Timestamp
    /// The pending work of the original, by its ids.
    private var originals: [String: PendingWork] = [:]
    /// The new ids of that work.
    private var ids: [String: String] = [:]
    private(set) var entries: [JournalEntry] = []
    /// The approximate memory of the entries, in bytes.
    private var entriesSize = 0
    private(set) var report = EditReport()
    /// The visible screen after each entry, and the time of its turn, if they are wanted.
    private(set) var turns: [(screen: String, time: UInt64?)] = []
    private let notesTurns: Bool
    /// The approximate memory of the tree and the entries, in bytes.
    var size: Int { MemoryBudget.size(ofTree: tree.root.treeSize, route: 0) + entriesSize }
    /// The path before any event.
    let firstPath: String
    /// The work and the timers that are pending before any event.
    let firstWork: [PendingWork]

    /// - Parameters:
    ///   - beginning: The values from which the tree is built.
    ///   - begun: The work of the original that is pending before any event.
    ///   - maximumEvents: The most events that a session may have.
    init(
        _ app: HostedApp, _ beginning: SessionBeginning, begun: [PendingWork], _ edits: HistoryEdits, maximumEvents: Int
    ) throws(SessionError) {
        unnumbered = nil
        notesTurns = false
        self.app = app
        self.edits = edits
        self.beginning = beginning
        self.maximumEvents = maximumEvents
        time = beginning.time
        tree = try SessionTree(app, beginning)
        firstPath = tree.path
        firstWork = tree.root.pendingWork
        insertions = (0, edits.insertions(after: 0)[...])
        match(begun, with: firstWork)
    }

    /// Accepts the first events of a new session, all of them or none.
    ///
    /// - Parameters:
    ///   - first: An event before these; `nil` if there is none.
    ///   - notesTurns: Whether ``turns`` are wanted.
    init(
        _ app: HostedApp, _ beginning: SessionBeginning, accepting events: [EventRequest], after first: EventRequest?,
        maximumEvents: Int, notesTurns: Bool
    ) throws(SessionError) {
        unnumbered = first == nil ? 0 : 1
        self.notesTurns = notesTurns
        self.app = app
        edits = HistoryEdits()
        self.beginning = beginning
        self.maximumEvents = maximumEvents
        time = beginning.time
        tree = try SessionTree(app, beginning)
        firstPath = tree.path
        firstWork = tree.root.pendingWork
        insertions = (0, ((first.map { [$0] } ?? []) + events)[...])
    }

    /// Emits an inserted event, or repeats an entry on a tree that was built again.
    ///
    /// - Returns: Whether there was one. If not, the next entry of the original can be replayed.
    mutating func advance() throws(SessionError) -> Bool {
        if let entry = repeated?.next() {
            try tree.replay(entry)
            return true
        }
        repeated = nil
        guard let event = insertions.events.popFirst() else { return false }
        if try emit(event, of: nil, at: .after(insertions.after)) != nil { report.inserted += 1 }
        return true
    }

    /// Replays the next entry of the original.
    mutating func replay(_ entry: JournalEntry) throws(SessionError) {
        time = entry.time
        switch edits.change(of: entry.version) {
        case .drop:
            report.dropped += 1
            match(entry.begun, with: [])
        case .replace(let event):
            if let begun = try emit(event.replacing(entry), of: entry, at: .version(entry.version)) {
                report.changed += 1
                match(entry.begun, with: begun)
            } else {
                match(entry.begun, with: [])
            }
        case nil:
            var begun: [PendingWork] = []
            var isAccepted = true
            for emission in tree.migrated(entry).emissions {
                let event = EventRequest(repeating: emission, of: entry)
                guard let new = try emit(event, of: entry, at: .version(entry.version)) else {
                    isAccepted = false
                    break
                }
                begun += new
            }
            if isAccepted { report.kept += 1 }
            match(entry.begun, with: begun)
        }
        insertions = (entry.version, edits.insertions(after: entry.version)[...])
    }

    /// Emits an event, and adds its entry.
    ///
    /// - Parameter original: The recorded event that it repeats or replaces; `nil` if it is inserted.
    /// - Returns: The work that its turn requested; `nil` if the event was refused.
    private mutating func emit(
        _ event: EventRequest, of original: JournalEntry?, at place: EditReport.Refusal.Place
    ) throws(SessionError) -> [PendingWork]? {
        guard tree.version < maximumEvents else { throw .historyIsFull }
        do throws(SessionError) {
            let event = unnumbered == nil ? try placed(event) : event
            let turn = try tree.apply(event, at: time)
            tree.version += 1
            let entry = turn.entry(
                tree.version, at: time, in: tree, for: EventInjection(event, wantsRoute: false), mark: nil)
            entries.append(entry)
            entriesSize += entry.size
            if notesTurns { turns.append((tree.screenName, tree.turnTime)) }
            return turn.begun
        } catch {
            if let unnumbered {
                throw tree.version < unnumbered ? error : .eventRefused(at: tree.version - unnumbered, error)
            }
            report.refused.append(EditReport.Refusal(place: place, error: error))
            if tree.isBroken { try rebuild(after: error) }
            return nil
        }
    }

    /// The event at a coordinator that is started, and with the new id of its work.
    private func placed(_ event: EventRequest) throws(SessionError) -> EventRequest {
        if let pending = event.pending {
            guard let new = newID(of: pending) else {
                throw .notPending(known: tree.root.pendingWork.map(\.id))
            }
            return event.moved(to: nil, pending: new)
        }
        let isThere = event.at.flatMap { tree.root.coordinator(withID: $0) }?.isStarted ?? false
        return isThere ? event : event.moved(to: nil, pending: nil)
    }

    /// The id in the new tree of the original's work: that of the turn that requested it, else that of pending work
    /// with the same name; `nil` if there is none.
    private func newID(of id: String) -> String? {
        if let new = ids[id], tree.root.askedWork(new) != nil { return new }
        guard let original = originals[id] else { return nil }
        let others = Set(ids.values)
        return tree.root.pendingWork.first { $0.name == original.name && !others.contains($0.id) }?.id
    }

    /// Matches the work of the original with new work: the first with the same name, and so on.
    private mutating func match(_ begun: [PendingWork], with new: [PendingWork]) {
        var remaining = new
        for work in begun {
            originals[work.id] = work
            guard let index = remaining.firstIndex(where: { $0.name == work.name }) else { continue }
            ids[work.id] = remaining.remove(at: index).id
        }
    }

    /// Begins to build the tree again, since a turn failed halfway.
    private mutating func rebuild(after error: SessionError) throws(SessionError) {
        guard trees < Self.treeLimit else { throw error }
        trees += 1
        tree = try SessionTree(app, beginning)
        repeated = entries.makeIterator()
    }
}
