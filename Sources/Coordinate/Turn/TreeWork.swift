extension CoordinatorNode {
    /// The work and the timers that are pending in this tree. Tests without a server report outcomes and advance the
    /// time with it. Read it on the root.
    ///
    /// ```swift
    /// app.visibleLeaf.getRootViewController().emitEvent(AppEvents.Catalogue.open)
    /// #expect(app.work.map(\.name) == ["prices"])
    /// try app.work.finish("prices", with: [Price(cents: 100)])
    /// app.work.advance(by: .seconds(300))
    /// ```
    public final var work: TreeWork { TreeWork(root: self) }
}

/// The work and the timers that are pending in a tree without a host, oldest first.
public struct TreeWork: RandomAccessCollection {
    let root: CoordinatorNode

    public var startIndex: Int { 0 }
    public var endIndex: Int { root.tree.work.all.count }
    public subscript(position: Int) -> PendingWork { root.tree.work.pending[position] }

    /// Reports a value for the oldest pending work with a name, without running it.
    ///
    /// - Throws: ``TreeWorkError`` if no such work is pending, or if it returns values of another type.
    @discardableResult
    public func finish(_ name: String, with value: some Sendable) throws(TreeWorkError) -> Dispatch {
        let (id, body) = try body(name)
        guard let event = body.done(value) else {
            throw TreeWorkError("\(name) does not return values of type \(type(of: value)).")
        }
        return report(event, of: id)
    }

    /// Reports a failure of the oldest pending work with a name, without running it.
    ///
    /// - Throws: ``TreeWorkError`` if no such work is pending.
    @discardableResult
    public func fail(_ name: String, with failure: WorkFailure = .unexplained) throws(TreeWorkError) -> Dispatch {
        let (id, body) = try body(name)
        return report(body.failed(failure), of: id)
    }

    /// Runs the oldest pending work with a name, and reports its outcome. Attempts that fail are repeated as its retry
    /// policy says, without the pauses.
    ///
    /// - Throws: ``TreeWorkError`` if no such work is pending.
    @discardableResult
    public nonisolated(nonsending) func run(_ name: String) async throws(TreeWorkError) -> Dispatch {
        let (id, body) = try body(name)
        var attempt = 1
        while true {
            do {
                let context = WorkContext(key: id, attempt: attempt, session: root.sessionContext)
                return report(try await body.run(context), of: id)
            } catch {
                guard body.retry.pause(after: attempt) == nil else {
                    attempt += 1
                    continue
                }
                return report(body.failed(error as? WorkFailure ?? .unexplained), of: id)
            }
        }
    }

    /// Advances the tree's time. Timers that become due fire in order, each at its own time.
    public func advance(by time: Duration) {
        let end = root.now.advanced(by: time)
        while let timer = nextTimer(by: end), case .timer(let event) = timer.task, let due = timer.pending.due {
            root.tree.advance(to: due)
            report(event, of: timer.pending.id)
        }
        root.tree.advance(to: end)
    }

    private func nextTimer(by end: Timestamp) -> AskedWork? {
        root.tree.work.all.filter { $0.pending.due.map { $0 <= end } ?? false }
            .min { ($0.pending.due ?? end) < ($1.pending.due ?? end) }
    }

    private func body(_ name: String) throws(TreeWorkError) -> (id: String, WorkBody) {
        for asked in root.tree.work.all where asked.pending.name == name {
            if case .work(let body) = asked.task { return (asked.pending.id, body) }
        }
        let names = map(\.name).joined(separator: ", ")
        throw TreeWorkError("No work called \(name) is pending. Pending: \(names.isEmpty ? "nothing" : names).")
    }

    @discardableResult
    private func report(_ event: any DeclaredEvents, of id: String) -> Dispatch {
        root.tree.perform {
            guard let (_, node) = root.tree.work.item(id) else { return Dispatch() }
            return root.emit(event, at: node, outcomeOf: id)
        }
    }
}

/// An error that explains why a test cannot report an outcome.
public struct TreeWorkError: Error, Equatable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension CoordinatorNode {
    // MARK: For hosts

    /// The pending work and timers, with their code or event. Read it on the root.
    package final var askedWork: [AskedWork] { tree.work.all }

    /// The pending work and timers, as values. Read it on the root.
    package final var pendingWork: [PendingWork] { tree.work.pending }

    /// Whether any work or timer is pending. Read it on the root.
    package final var hasPendingWork: Bool { !tree.work.isEmpty }

    /// The moment at which the first pending timer is due; `nil` if none is pending. Read it on the root.
    package final var nextTimer: Timestamp? { tree.work.nextTimer }

    /// The changes by the last turn: the work and timers that it requested, and the ids of those that it ended. Read it
    /// on the root.
    package final var workChanges: (begun: [PendingWork], ended: [String]) { (tree.work.begun, tree.work.ended) }

    /// Returns the pending work or timer with an id, with its code or event; `nil` if there is none. Call it on the
    /// root.
    package final func askedWork(_ id: String) -> AskedWork? { tree.work.item(id)?.asked }

    /// Returns the coordinator that owns a pending piece of work or timer; `nil` if it is not pending. Call it on the
    /// root.
    package final func owner(of id: String) -> (any Coordinating)? { tree.work.item(id)?.node }

    /// Emits the event that ends a piece of work or a timer. Call it on the root, within a turn.
    package final func emit(_ event: any CoordinateEvents, at owner: any Coordinating, outcomeOf id: String) -> Dispatch
    {
        let name = tree.work.item(id)?.asked.pending.name
        strikeOff(id)
        // The guards decide at the end of the turn.
        if event is GuardEvents { return Dispatch(handledBy: owner.id) }
        let dispatch = owner.getRootViewController().emitEvent(event)
        if let name, !dispatch.isHandled {
            let event = (event as? any DeclaredEvents)?.encoded.name ?? "\(type(of: event))"
            tree.report(.unhandledOutcome(event, work: name, coordinator: owner.id))
        }
        return dispatch
    }

    /// Removes a piece of work or a timer whose event will not be emitted. Call it on the root.
    package final func strikeOff(_ id: String) {
        tree.work.strikeOff(id)
    }
}
