internal import Coordinate
internal import MicroHTTPD

extension Session {
    /// How many versions a stream may be behind and be told each of them; past that it begins anew.
    static let longestCatchUp = 256
    /// How many bytes it may be told for that, where documents are long: there is room for as much again.
    static let largestCatchUp = capacity.bytes / 2

    /// What may wait for a client that reads slowly. A message is shared by all who follow the session.
    private static let capacity = HTTPStream.Capacity(pieces: 512, bytes: 4 * 1024 * 1024)
    /// Section 8 of the contract: a comment at least every 15 seconds.
    private static let heartbeat = HTTPStream.Heartbeat(every: .seconds(10), piece: StreamMessage.heartbeat)

    // MARK: Joining

    /// A stream of every version from now on, none missing: after the current one, or those that the client missed.
    ///
    /// - Parameter lastSeen: The version that the client was told of last, as it says; nil for a new client.
    func stream(after lastSeen: Int?) throws(SessionError) -> HTTPStream {
        var missed: MissedRoutes?
        if let lastSeen { missed = try missedRoutes(after: lastSeen) }
        return try withTree { _, state throws(SessionError) in
            // What was committed while the others were made once more.
            try missed?.catchUp(to: state.version)
            if missed?.isTooMuch == true { missed = nil }
            let first =
                if let missed { missed.message } else {
                    StreamMessage.route(
                        try routeBody(&state), version: state.version, as: lastSeen == nil ? .route : .reset)
                }
            let seat = state.audience.freeSeat()
            let stream = HTTPStream(
                capacity: Self.capacity, allowance: host.streamAllowance, heartbeat: Self.heartbeat
            ) { [weak self, metrics = host.metrics] in
                self?.leave(seat)
                metrics.countStream(-1)
            }
            host.metrics.countStream(1)
            stream.send(first)
            state.audience.add(stream, at: seat)
            noteAudience(state)
            return stream
        }
    }

    /// Answers a request as soon as there is a version that its client does not know.
    func answer(_ answer: HTTPParkedAnswer, if preconditions: Preconditions) throws(SessionError) {
        try withState { state throws(SessionError) in
            guard preconditions.know(tag(of: state.version)) else {
                answer.answer(with: try currentRoute(&state))
                return
            }
            let seat = state.audience.freeSeat()
            state.audience.add(answer, at: seat, knowing: preconditions)
            noteAudience(state)
            answer.whenExpired { [weak self] in self?.leave(seat) }
        }
    }

    private func leave(_ seat: Audience.Seat) {
        // It must not fail because the tree is being made again.
        Patience.$isUnlimited.withValue(true) {
            try? withState { state throws(SessionError) in
                state.audience.remove(seat)
                noteAudience(state)
            }
        }
    }

    // MARK: Telling

    /// Tells all who follow the session of the version that was just committed.
    func tellAudience(_ state: inout State) {
        guard !state.audience.isEmpty else { return }
        do throws(SessionError) {
            let message = StreamMessage.route(try routeBody(&state), version: state.version)
            for stream in state.audience.streams { stream.send(message) }
            let response = try currentRoute(&state)
            for answer in state.audience.takeWaiters(for: tag(of: state.version)) { answer.answer(with: response) }
        } catch {
            // Nobody may miss a version: they come back and are told then.
            for stream in state.audience.streams { stream.end() }
        }
        noteAudience(state)
    }

    /// Tells them that nothing will follow. Requests that wait are let go of, and answered by what stands in.
    func dismissAudience(_ state: inout State) {
        for stream in state.audience.streams {
            stream.send(StreamMessage.end)
            stream.end()
        }
        state.audience = Audience()
    }

    // MARK: Catching up

    /// Nil where it would take too many messages, or the client cannot have been told of that version.
    private func missedRoutes(after version: Int) throws(SessionError) -> MissedRoutes? {
        let current = try withState { state throws(SessionError) in state.version }
        guard version >= 0, version <= current, current - version <= Self.longestCatchUp else { return nil }
        var missed = MissedRoutes(of: self, after: version)
        try unlessEnded { () throws(SessionError) in try missed.catchUp(to: current) }
        return missed
    }
}

/// The routes after a version, as the session would have told them, made on a tree of their own.
private struct MissedRoutes {
    private let session: Session
    /// The last one that is there.
    private var version: Int
    /// Nil as long as nothing was missed, which is what is usual.
    private var tree: SessionTree?
    private var messages: [HTTPBody] = []
    private var size = 0

    init(of session: Session, after version: Int) {
        self.session = session
        self.version = version
    }

    /// Whether nothing more is added, nor any of it told.
    var isTooMuch: Bool { size > Session.largestCatchUp }

    mutating func catchUp(to last: Int) throws(SessionError) {
        while version < last, !isTooMuch {
            let tree = try treeAtVersion()
            for entry in try session.host.entries(of: session.id, after: version, upTo: last) where !isTooMuch {
                try tree.apply(EventRequest(repeating: entry))
                version = entry.version
                let message = StreamMessage.route(session.routeBody(of: tree, version: version), version: version)
                messages.append(message)
                size += message.count
            }
        }
    }

    private mutating func treeAtVersion() throws(SessionError) -> SessionTree {
        if let tree { return tree }
        let tree = try SessionTree(host: session.host, replaying: session.id, upTo: version)
        self.tree = tree
        return tree
    }

    /// All of them as one: what a stream is sent first is never too much for it.
    var message: HTTPBody {
        var writer = HTTPBodyWriter(capacity: size)
        for message in messages { writer.append(message) }
        return writer.finish()
    }
}
