internal import Coordinate
internal import CoordinateSessions
internal import MicroHTTPD

// Sessions that a backend finds by names of its own.

extension API {
    /// `PUT /sessions/by-key/{key}`: the session with this key, which is created if there is none.
    func putSession(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        try checkMayBeginSession(request)
        let key = try request.key()
        let body = try NewSessionBody(request, of: app)
        let client = client(of: request)
        return answer {
            let (session, isNew) = try await self.sessions.getOrBegin(
                key: key, options: body.options, with: body.first, events: body.events, attributes: body.attributes,
                for: client)
            return isNew ? .created(session) : .json(SessionDocument.encode(session), isSecret: true)
        }
    }

    /// `GET /sessions/by-key/{key}`.
    func getSessionByKey(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        let key = try request.key()
        let client = client(of: request)
        return answer {
            .json(SessionDocument.encode(try await self.sessions.session(withKey: key, for: client)), isSecret: true)
        }
    }

    /// `GET /sessions/by-reference/{reference}`.
    func getSessionByReference(_ request: borrowing HTTPRequest) throws(Problem) -> HTTPAnswer {
        guard let reference = request.lastPart else { throw .sessionNotFound }
        let client = client(of: request)
        return answer {
            let session = try await self.sessions.session(withReference: reference, for: client)
            return .json(SessionDocument.encode(session), isSecret: true)
        }
    }
}

extension HTTPRequest {
    /// The last part of the path, decoded; `nil` if it is not UTF-8.
    fileprivate var lastPart: String? {
        let path = path
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        return HTTPRequest.decodePercent(Substring(path[slash...].utf8.dropFirst()))
    }

    /// The key that the path ends with.
    fileprivate borrowing func key() throws(Problem) -> String {
        guard let key = lastPart, SessionRecord.isKey(key) else {
            throw .malformedRequest(
                "A key is 1 to 200 bytes of UTF-8 without control characters, percent-encoded in the path.")
        }
        return key
    }
}
