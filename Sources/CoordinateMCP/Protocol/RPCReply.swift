internal import Coordinate
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
            $0.plain("id", id?.plainValue ?? .null)
            $0.object("error") {
                $0.field("code", error.code)
                $0.field("message", error.message)
                if let data = error.data {
                    $0.plain("data", data)
                }
            }
        }
        self.init(status: error.status(in: revision), body: json.finish())
    }

    init(to id: RPCMessage.ID, _ result: (inout JSONWriter<[UInt8]>) -> Void) {
        var json = JSONWriter<[UInt8]>()
        json.object {
            $0.field("jsonrpc", "2.0")
            $0.plain("id", id.plainValue)
            $0.key("result")
            $0.object(result)
        }
        self.init(status: .ok, body: json.finish())
    }
}

/// The answer to a message.
package enum ToolAnswer: Sendable {
    case reply(RPCReply)
    case call(ToolCall)
}

/// A call of a tool, which has not begun.
package struct ToolCall: Sendable {
    let id: RPCMessage.ID
    /// The time for which it waits for a session; `nil` if the tool does not wait.
    let waitingTime: Duration?
    /// Carries out the call. The reply is not needed if the task is cancelled.
    let reply: @Sendable () async -> RPCReply
    /// Ends the waiting, with the session as it is then.
    let endWaiting: @Sendable () -> Void
    /// The reply instead of waiting, if too many calls wait already.
    let refusal: @Sendable (_ limit: Int) -> RPCReply
}
