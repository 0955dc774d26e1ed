internal import Coordinate
internal import JSON
internal import MicroHTTPD

/// A protocol error (https://www.jsonrpc.org/specification, section 5.1). A tool's mistake is a result instead, so that
/// a model can read and correct it.
struct RPCError: Error {
    let code: Int
    let message: String
    var data: PlainValue?

    static func parseError(_ error: JSONSyntaxError) -> RPCError {
        RPCError(
            code: -32700,
            message:
                "The message is not valid JSON: expected \(error.expected) at line \(error.line), column \(error.column)."
        )
    }

    static func invalidRequest(_ message: String) -> RPCError { RPCError(code: -32600, message: message) }

    static func methodNotFound(_ method: String) -> RPCError {
        RPCError(code: -32601, message: "There is no method \"\(method)\".")
    }

    static func invalidParams(_ message: String) -> RPCError { RPCError(code: -32602, message: message) }

    /// The headers of a request disagree with its body, or are missing.
    static func headerMismatch(_ message: String) -> RPCError { RPCError(code: -32020, message: message) }

    static func unsupportedRevision(_ requested: String) -> RPCError {
        RPCError(
            code: -32022, message: "This server does not support the protocol version \"\(requested)\".",
            data: [
                "supported": .array(ProtocolRevision.names.map { .string($0) }), "requested": .string(requested),
            ])
    }

    /// The HTTP status. A client of a revision with a handshake takes a 404 for the end of its session, so it gets the
    /// errors of methods with 200.
    func status(in revision: ProtocolRevision?) -> HTTPResponse.Status {
        switch code {
        case -32601: revision?.hasHandshake == true ? .ok : .notFound
        case -32602: revision?.hasHandshake == true ? .ok : .badRequest
        default: .badRequest
        }
    }
}
