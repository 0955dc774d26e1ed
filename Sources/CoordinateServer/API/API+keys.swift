internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

// Sessions that a backend finds by names of its own.

extension API {
    /// `PUT /sessions/by-key/{key}`: the session with this key, which is created if there is none.
    func putSession(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        try checkMayBeginSession(request)
        let key = try request.lastPart("A key", SessionRecord.isKey, "1 to 200 bytes of UTF-8 without control characters")
        let body = try NewSessionBody(request, of: app)
        let client = client(of: request)
        return answer(
            sessions.getOrBegin(
                key: key, options: body.options, with: body.first, events: body.events, attributes: body.attributes,
                for: client), for: client
        ) { $0.isNew ? .created($0.summary) : .json(SessionDocument.encode($0.summary), isSecret: true) }
    }

    /// `GET /sessions/by-key/{key}`.
    func getSessionByKey(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let key = try request.lastPart("A key", SessionRecord.isKey, "1 to 200 bytes of UTF-8 without control characters")
        let client = client(of: request)
        return answer(sessions.session(withKey: key, for: client), for: client) {
            .json(SessionDocument.encode($0), isSecret: true)
        }
    }

    /// `GET /sessions/by-reference/{reference}`.
    func getSessionByReference(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let reference = try request.lastPart("A reference", SessionRecord.isReference, "22 URL-safe characters")
        let client = client(of: request)
        return answer(sessions.session(withReference: reference, for: client), for: client) {
            .json(SessionDocument.encode($0), isSecret: true)
        }
    }
}

extension HTTPRequest {
    /// The last part of the path, decoded.
    ///
    /// - Parameters:
    ///   - name: What it is, as the beginning of a sentence.
    ///   - expected: The valid texts, as the end of that sentence.
    fileprivate borrowing func lastPart(
        _ name: String, _ isValid: (String) -> Bool, _ expected: String
    ) throws(Problem) -> String {
        let path = path
        let part = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...].dropFirst() } ?? ""
        guard let text = HTTPRequest.decodePercent(part), isValid(text) else {
            throw .malformedRequest("\(name) is \(expected), percent-encoded in the path.")
        }
        return text
    }
}
