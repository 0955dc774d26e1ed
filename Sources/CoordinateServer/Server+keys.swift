public import Coordinate
public import CoordinateSessions

extension Server {
    /// Finds the session with a key.
    ///
    /// - Returns: Its id; `nil` if there is no such session.
    public func session(withKey key: String) async throws(EmitError) -> SessionID? {
        do throws(SessionError) {
            return try await api.sessions.session(withKey: key).head.record.id
        } catch {
            if case .hasEnded = error { return nil }
            throw EmitError(error)
        }
    }

    /// Finds the session with a key, and creates it if there is none. Any number of calls at once, on any servers that
    /// share a store, return the same session.
    ///
    /// ```swift
    /// let session = try await server.openSession(withKey: "claim-\(claim)", attributes: ["user": user])
    /// try await server.emit(ClaimEvents.didApprove(amount), into: session, once: notice.id)
    /// ```
    ///
    /// - Parameters:
    ///   - key: 1 to 200 bytes of UTF-8 without control characters. It is free again when the session has ended.
    ///   - options: The options of a new session, an object.
    ///   - attributes: The attributes of a new session: up to 16, of names like `user` and texts of up to 256 characters.
    /// - Returns: The session's id.
    public func openSession(
        withKey key: String, options: PlainValue = .object([]), attributes: [String: String] = [:]
    ) async throws(EmitError) -> SessionID {
        guard SessionRecord.isKey(key) else {
            throw .refused("A key is 1 to 200 bytes of UTF-8 without control characters.")
        }
        let areValid = attributes.allSatisfy {
            SessionRecord.isAttributeName($0.key) && SessionRecord.isAttributeValue($0.value)
        }
        guard areValid, attributes.count <= SessionRecord.maximumAttributes else {
            throw .refused("Attributes are up to 16 texts of up to 256 characters, with names such as user.")
        }
        do throws(SessionError) {
            guard !api.isDraining else { throw .draining }
            return try await api.sessions.getOrBegin(key: key, options: options, attributes: attributes)
                .summary.head.record.id
        } catch {
            throw EmitError(error)
        }
    }
}
