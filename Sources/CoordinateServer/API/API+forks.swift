internal import Coordinate
internal import CoordinateSessions
internal import JSON
internal import MicroHTTPD

extension API {
    /// `POST /sessions/{id}/forks`: creates a session with the first events of this one, as they are or with edits.
    func postFork(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        try checkMayBeginSession(request)
        let original = try named(passage.session)
        let body = try request.json()
        try body.checkFields("version", "work", "edit")
        guard case .int(let version) = body[field: "version"], version >= 0 else {
            throw .malformedRequest("The body must be an object like {\"version\": 3}.", pointer: "/version")
        }
        let work = body[field: "work"]
        guard work == nil || work == .string(JournalHeader.withheld) else {
            throw .malformedRequest(
                "The field \"work\" must be \"\(JournalHeader.withheld)\", or left out.", pointer: "/work")
        }
        let edits = try body[field: "edit"].map { value throws(Problem) in
            try HistoryEdits(value, upTo: version, of: app)
        }
        let client = client(of: request)
        let isOperator = passage.requester.isOperator
        return answer {
            let session = try await self.sessions.find(original, for: client)
            if let edits {
                let fork = try await self.sessions.fork(session, at: version, editing: edits, for: client)
                return .created(fork.summary, fork.report, isForOperator: isOperator)
            }
            let fork = try await self.sessions.fork(session, at: version, withholdingWork: work != nil, for: client)
            return .created(fork, isForOperator: isOperator)
        }
    }
}

extension HistoryEdits {
    /// Reads the field `edit` of a body.
    ///
    /// - Parameter last: The last version that is replayed.
    fileprivate init(_ value: PlainValue, upTo last: Int, of app: HostedApp) throws(Problem) {
        guard case .array(let edits) = value, edits.count <= Self.limit else {
            throw .malformedRequest(
                "The field \"edit\" must be a list of at most \(Self.limit) edits.", pointer: "/edit")
        }
        self.init()
        for (index, edit) in edits.enumerated() {
            do throws(Problem) {
                try append(edit, upTo: last, of: app)
            } catch {
                throw error.within("/edit/\(index)")
            }
        }
    }

    private mutating func append(_ edit: PlainValue, upTo last: Int, of app: HostedApp) throws(Problem) {
        let example = "{\"version\": 3, \"drop\": true}"
        guard case .object = edit else {
            throw .malformedRequest("An edit must be an object like \(example).", pointer: "")
        }
        try edit.checkFields("version", "after", "event", "payload", "drop")
        if edit[field: "after"] != nil {
            let version = try edit.version("after", in: 0...last)
            for field in ["version", "drop"] where edit[field: field] != nil {
                throw .malformedRequest("An inserted event has no field \"\(field)\".", pointer: "/\(field)")
            }
            return insert(try edit.event(of: app), after: version)
        }
        let version = try edit.version("version", in: 1...max(1, last))
        guard version <= last else {
            throw .malformedRequest("The fork has no event that can be changed.", pointer: "/version")
        }
        let change: Change
        switch edit[field: "drop"] {
        case nil: change = .replace(try edit.event(of: app))
        case .bool(true):
            for field in ["event", "payload"] where edit[field: field] != nil {
                throw .malformedRequest("A dropped event has no field \"\(field)\".", pointer: "/\(field)")
            }
            change = .drop
        default: throw .malformedRequest("The field \"drop\" must be true, or left out.", pointer: "/drop")
        }
        guard self.change(version, change) else {
            throw .malformedRequest("Another edit changes version \(version) already.", pointer: "/version")
        }
    }
}

extension PlainValue {
    /// The version in a field of an edit.
    fileprivate func version(_ field: String, in versions: ClosedRange<Int>) throws(Problem) -> Int {
        guard case .int(let version) = self[field: field], versions.contains(version) else {
            throw .malformedRequest(
                """
                The field "\(field)" must be a version from \(versions.lowerBound) to \(versions.upperBound), the \
                fork's last one.
                """, pointer: "/\(field)")
        }
        return version
    }

    /// The event of an edit.
    fileprivate func event(of app: HostedApp) throws(Problem) -> EventRequest {
        guard self[field: "payload"] != .null else {
            throw .invalidPayload(pointer: "/payload", "The payload must be an object.")
        }
        let fields = ["event", "payload"].compactMap { name in self[field: name].map { PlainField(name, $0) } }
        return try EventRequest(.object(fields), of: app)
    }
}

extension Problem {
    /// The problem of a part of the body, whose pointer begins at that part.
    ///
    /// - Parameter base: The pointer to the part.
    func within(_ base: String) -> Problem {
        var problem = self
        guard let index = fields.firstIndex(where: { $0.name == "pointer" }) else {
            problem.fields.append(PlainField("pointer", .string(base)))
            return problem
        }
        problem.fields[index] = PlainField("pointer", .string(base + (fields[index].value.string ?? "")))
        return problem
    }
}

extension HTTPResponse {
    /// The response for a new session, with its address.
    static func created(_ session: SessionSummary, isForOperator: Bool = true) -> HTTPResponse {
        .created(session, SessionDocument.encode(session, isForOperator: isForOperator))
    }

    /// The response for a session that was forked with edits.
    fileprivate static func created(
        _ session: SessionSummary, _ report: EditReport, isForOperator: Bool
    ) -> HTTPResponse {
        let body = SessionDocument.encode(session, isForOperator: isForOperator) { json in
            json.object("edited") {
                $0.field("kept", report.kept)
                $0.field("changed", report.changed)
                $0.field("inserted", report.inserted)
                $0.field("dropped", report.dropped)
                $0.array("refused", report.refused) { json, refusal in
                    json.object {
                        switch refusal.place {
                        case .version(let version): $0.field("version", version)
                        case .after(let version): $0.field("after", version)
                        }
                        $0.key("problem")
                        $0.problem(Problem(refusal.error))
                    }
                }
            }
        }
        return .created(session, body)
    }

    private static func created(_ session: SessionSummary, _ body: HTTPBody) -> HTTPResponse {
        .json(body, status: .created, headers: [.location: "/sessions/\(session.head.record.id)"], isSecret: true)
    }
}
