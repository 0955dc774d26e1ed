internal import Coordinate
package import CoordinateSessions
package import MicroHTTPD

extension API {
    /// `POST /sessions`: creates a session, at the path in the body if there is one, or with the events of a journal.
    func postSession(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        try checkMayBeginSession(request)
        let withholdsWork = try withholdsWork(request)
        guard !request.isOfType(MediaType.lines) else {
            let upload =
                request.receiver as? JournalUpload
                ?? JournalUpload(
                    into: sessions, for: client(of: request), bodyLimit: bodyLimit, withholdingWork: withholdsWork)
            let sessionImport = upload.complete()
            let isOperator = passage.requester.isOperator
            return answer { .created(try await sessionImport.get().finish(), isForOperator: isOperator) }
        }
        guard !withholdsWork else {
            throw .malformedRequest("The query item \"work\" is only for imported journals. Leave it out.")
        }
        let body = try NewSessionBody(request, of: app)
        let isOperator = passage.requester.isOperator
        guard isOperator || !body.isOperators else { throw refusal(of: request, by: passage.requester) }
        let client = client(of: request)
        return answer {
            let new = try await self.sessions.begin(
                options: body.options, with: body.first, events: body.events, attributes: body.attributes, for: client)
            return .created(try await new.session.summary(), isForOperator: isOperator)
        }
    }

    /// Whether the query asks to withhold the work of an imported session.
    func withholdsWork(_ request: borrowing HTTPRequest) throws(Problem) -> Bool {
        try request.queryItem("work", "\"\(JournalHeader.withheld)\"") { $0 == JournalHeader.withheld ? true : nil }
            ?? false
    }

    /// `GET /sessions`: a page of all sessions, last used first. Listing wakes no session and does not count as use.
    func getSessions(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let limit = try request.wholeNumber("limit", in: 1...1_000) ?? 100
        let cursor = try request.queryItem("after", "the value of \"next\" on the previous page", SessionCursor.init)
        let path = try request.queryItem("path", "the beginning of a path, such as /main") { text in
            text.utf8.first == UInt8(ascii: "/") ? text : nil
        }
        let states = SessionSummary.State.allCases.map(\.rawValue).joined(separator: ", ")
        let state = try request.queryItem("state", "one of \(states)", SessionSummary.State.init)
        let attributes = try attributes(in: request)
        return answer {
            let list = try await self.sessions.list(
                limit: limit, after: cursor, path: path, attributes: attributes, state: state)
            return .json(SessionDocument.encode(list), isSecret: true)
        }
    }

    /// The attributes that the query names: `attribute.user=42`.
    private func attributes(in request: borrowing HTTPRequest) throws(Problem) -> [String: String] {
        let prefix = "attribute."
        var attributes: [String: String] = [:]
        for item in request.queryItems where item.name.hasPrefix("attribute") {
            guard item.name.hasPrefix(prefix) else {
                throw .malformedRequest("Name an attribute like attribute.user=42, not \"\(item.name)\".")
            }
            let name = String(item.name.dropFirst(prefix.count))
            guard SessionRecord.isAttributeName(name), SessionRecord.isAttributeValue(item.value) else {
                throw .malformedRequest("The query item \"\(item.name)\" names no attribute that a session can have.")
            }
            attributes[name] = item.value
        }
        guard attributes.count <= SessionRecord.maximumAttributes else {
            throw .malformedRequest("The query names more attributes than a session can have.")
        }
        return attributes
    }

    /// `GET /sessions/{id}`: the session's version, and when it expires. Counts as use, and does not wake the session.
    func getSession(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let id = try named(passage.session)
        let client = client(of: request)
        let requester = passage.requester
        return answer {
            let session = try await self.sessions.summary(of: id, for: client)
            return .json(
                SessionDocument.encode(
                    session, isForOperator: requester.isOperator, showsParent: !requester.isBoundToScreen))
        }
    }

    /// Whether a text can be the name of a session: at most 80 characters and 320 bytes, without control characters
    /// and other ends of lines, and without those that change the direction of text (Unicode Standard Annex 9), which
    /// would disguise the name.
    private static func isName(_ text: String) -> Bool {
        // A single character can have any number of bytes.
        (1...320).contains(text.utf8.count) && text.count <= 80
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: false
                default: !scalar.properties.isBidiControl
                }
            }
    }

    /// `PATCH /sessions/{id}`: changes the session's name and attributes.
    func patchSession(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let id = try named(passage.session)
        let isOperator = passage.requester.isOperator
        let body = try request.json()
        guard case .object = body else {
            throw .malformedRequest("The body must be an object like {\"name\": \"checkout bug\"}.")
        }
        try body.checkFields("name", "attributes")
        let name: String?? = try body[field: "name"].map { value throws(Problem) in try Self.name(value) }
        let changes = try body[field: "attributes"].map { value throws(Problem) in try AttributeChanges(value) }
        guard isOperator || changes == nil else { throw refusal(of: request, by: passage.requester) }
        let client = client(of: request)
        return answer {
            let session = try await self.sessions.update(
                id, name: name, attributes: changes?.values ?? [:], for: client)
            return .json(SessionDocument.encode(session, isForOperator: isOperator))
        }
    }

    /// The name in a body; `nil` for none.
    private static func name(_ value: PlainValue) throws(Problem) -> String? {
        switch value {
        case .null: return nil
        case .string(let text) where isName(text): return text
        default:
            throw .malformedRequest(
                """
                The field "name" must be null, or a text of 1 to 80 characters and at most 320 bytes, without control \
                characters and without characters that change the direction of text.
                """, pointer: "/name")
        }
    }

    /// `DELETE /sessions/{id}`: ends the session.
    func deleteSession(_ request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> HTTPAnswer {
        let id = try named(passage.session)
        let condition = request.condition(on: id, of: app)
        let client = client(of: request)
        return answer {
            let session = try await self.sessions.find(id, for: client)
            try await self.sessions.end(session, if: condition)
            return HTTPResponse(status: .noContent)
        }
    }

    // MARK: The session of a request

    /// The session that a request names: the one in its path, else in the header `Session`, else in the session cookie.
    /// If the path names one, the others are ignored. Header and cookie must not name different sessions.
    ///
    /// - Returns: `nil` if the request names none. It may then get a new one.
    func namedSession(of request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> SessionID? {
        if let id = passage.session { return id }
        if let id = try sessionInHeaders(of: request, passage) { return id }
        try checkMayBeginSession(request)
        return nil
    }

    /// The session that a request names in a header: `Session`, else the session cookie; `nil` if it names none. The
    /// holder of a token means the token's session, whatever the session cookie of an earlier visit says.
    package func sessionInHeaders(of request: borrowing HTTPRequest, _ passage: Passage) throws(Problem) -> SessionID? {
        if case .token(let token) = passage.requester {
            if let header = request.header(.session) {
                let id = SessionID(header)
                guard id == token.session || id == token.reference else { throw .sessionNotFound }
            }
            return token.session
        }
        if !request.hasHeader(.cookie), let id = request.withHeader(.session, { SessionID(utf8: $0) }) {
            return try self.named(id)
        }
        let header = request.header(.session)
        let cookie = try sessionCookie(of: request)
        if let header, let cookie, Self.couldBeID(header), header != cookie {
            throw .ambiguousSession("The header Session and the session cookie")
        }
        guard let id = header ?? cookie else { return nil }
        return try self.named(SessionID(id))
    }

    /// The session cookie if it could be an id. Other programs on a host may use its name.
    func sessionCookie(of request: borrowing HTTPRequest) throws(Problem) -> String? {
        guard request.hasHeader(.cookie) else { return nil }
        var id: String?
        let other = request.cookie(access.cookies.session(of: request)) { value in
            guard Self.couldBeID(value) else { return false }
            if id == nil { id = value }
            return value != id
        }
        if other != nil { throw .ambiguousSession("Two session cookies") }
        return id
    }

    private static func couldBeID(_ text: String) -> Bool {
        text.utf8.count == 22
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    func named(_ id: SessionID?) throws(Problem) -> SessionID {
        guard let id else { throw .sessionNotFound }
        return id
    }

    /// The cookies for a request's client.
    package func cookies(of request: borrowing HTTPRequest) -> Cookies {
        Cookies(access.cookies, for: request, isSecure: access.proxies.isSecure(request))
    }
}
