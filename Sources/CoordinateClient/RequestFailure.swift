/// The error for a request without an answer, or with one that the client does not accept.
///
/// The server may have received the request.
public struct RequestFailure: ClientError, Equatable {
    public enum Reason: Equatable, Sendable {
        /// The address and the path are not a URL, or a header is malformed.
        case malformed
        /// There was no connection, or it broke; with the system's explanation.
        case disconnected(String)
        /// The time limit of the client has passed.
        case timedOut(after: Duration)
        /// The answer, or a message of a stream, has more bytes than the client accepts.
        case tooLarge(limit: Int)
        /// The stream has more unread messages than the client keeps.
        case unread(limit: Int)
    }

    /// The method and the address: `GET http://127.0.0.1:8080/route`.
    public let request: String
    public let reason: Reason
    public let callSite: CallSite

    public var message: String {
        switch reason {
        case .malformed:
            "\(request) is not a valid request. Check the address, the path and the headers."
        case .disconnected(let explanation):
            "\(request) got no answer: \(explanation). Check that the server runs at this address."
        case .timedOut(let limit):
            "\(request) was not answered within \(limit). Retry, or raise `requestTime` in the client's limits."
        case .tooLarge(let limit):
            "The answer to \(request) exceeds \(limit) bytes. Raise `answerSize` in the client's limits."
        case .unread(let limit):
            "\(limit) messages of \(request) were unread. Read them sooner, or follow again after the last one read."
        }
    }
}
