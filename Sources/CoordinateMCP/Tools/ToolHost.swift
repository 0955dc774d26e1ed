package import Coordinate
package import CoordinateSessions

/// The server whose sessions the tools use. It has the documents that its other clients receive.
package protocol ToolHost: Sendable {
    var sessions: SessionRegistry { get }
    /// The version of the server.
    var version: String { get }
    /// The catalog of the app's events, as JSON.
    var catalog: [UInt8] { get }
    /// The event in an object like `{"event": "teams.didSelect", "payload": {"team": "ferrari"}}`.
    func event(in body: PlainValue) throws(ToolError) -> EventRequest
    /// The document of a route, without its tree.
    func document(of route: any EncodedRoute) -> PlainValue
    /// Whether nothing but timers is pending in a route.
    func isSettled(_ route: any EncodedRoute) -> Bool
    /// The problem document of an error (RFC 9457).
    func problem(of error: ToolError) -> PlainValue
}

/// The client of a tool, and what its request says besides the call.
package struct ToolClient: Sendable {
    package let key: ClientKey
    /// The trace to which the call belongs (https://www.w3.org/TR/trace-context); `nil` if it belongs to none.
    package let traceparent: String?

    package init(_ key: ClientKey, traceparent: String? = nil) {
        self.key = key
        self.traceparent = traceparent
    }
}

/// The reason why a tool did not do what it was asked for.
package enum ToolError: Error {
    /// The session's error.
    case session(SessionError)
    /// A problem document that the host has created.
    case problem(PlainValue)
    /// An argument is missing or of the wrong kind.
    case malformed(String, pointer: String)
    /// An argument that the tool or the form does not have.
    case unknownField([String], known: [String])
    /// The screen has no action with this title.
    case noAction(String, offered: [OfferedAction])
    /// The screen has several actions with this title.
    case severalActions(String, [OfferedAction])
    /// The journal is too long for a tool's result.
    case journalTooLarge(SessionID, limit: Int)
    /// The client has too many calls that wait.
    case tooManyWaiting(limit: Int)
    /// The server is stopping, or too busy to finish.
    case interrupted
}
