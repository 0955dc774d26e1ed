internal import Coordinate
package import CoordinateSessions
internal import JSON
package import MicroHTTPD

/// The answer to a message.
package struct RPCReply: Sendable {
    /// The status over HTTP.
    package let status: HTTPResponse.Status
    /// The JSON-RPC response; `nil` for a notification, which gets none.
    package let body: [UInt8]?

    /// The request that the client no longer wants to be answered; `nil` for all messages but this notification.
    let cancels: RPCMessage.ID?

    init(status: HTTPResponse.Status, body: [UInt8]?, cancels: RPCMessage.ID? = nil) {
        self.status = status
        self.body = body
        self.cancels = cancels
    }

    /// The acknowledgment of a notification.
    static func accepted(_ message: RPCMessage) -> RPCReply {
        RPCReply(
            status: .accepted, body: nil,
            cancels: message.known == .cancelled ? message.params[field: "requestId"].flatMap(RPCMessage.ID.init) : nil)
    }

    init(_ error: RPCError, to id: RPCMessage.ID?, in revision: ProtocolRevision?) {
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("jsonrpc", "2.0")
            $0.key("id")
            $0.plain(id?.plainValue ?? .null)
            $0.object("error") {
                $0.field("code", error.code)
                $0.field("message", error.message)
                if let data = error.data {
                    $0.key("data")
                    $0.plain(data)
                }
            }
        }
        self.init(status: error.status(in: revision), body: json.finish())
    }

    init(to id: RPCMessage.ID, _ result: (inout JSONWriter<[UInt8]>) -> Void) {
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("jsonrpc", "2.0")
            $0.key("id")
            $0.plain(id.plainValue)
            $0.key("result")
            $0.object(result)
        }
        self.init(status: .ok, body: json.finish())
    }
}

/// The answer to a message, now or later. The future never fails.
package enum PendingReply: Sendable {
    case reply(Future<RPCReply, SessionError>)
    /// The reply to a call of the tool `wait`.
    case waiting(WaitingReply)
}

/// The reply to a call that waits for a session.
package struct WaitingReply: Sendable {
    /// The time for which the client waits.
    package let time: Duration
    let id: RPCMessage.ID
    /// Begins to wait.
    package let begin: @Sendable () -> Future<RPCReply, SessionError>
    /// Ends the waiting, with the session as it is then.
    let end: @Sendable () -> Void
    /// Ends the waiting of a client that no longer wants a reply.
    package let cancel: @Sendable () -> Void
    /// The reply instead of waiting, if too many calls wait already.
    let refusal: @Sendable (_ limit: Int) -> RPCReply
}
