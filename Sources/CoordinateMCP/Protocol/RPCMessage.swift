internal import Coordinate

/// A JSON-RPC message from a client: a request, or a notification without an id.
struct RPCMessage {
    /// The id that a client gave to its request: a whole number or a text.
    struct ID: Hashable, Sendable {
        let plainValue: PlainValue

        init?(_ value: PlainValue) {
            switch value {
            case .int, .string: plainValue = value
            default: return nil
            }
        }
    }

    /// The methods that this server knows.
    enum Method: String, CaseIterable {
        case call = "tools/call"
        case list = "tools/list"
        case discover = "server/discover"
        case initialize, ping
        case cancelled = "notifications/cancelled"
    }

    /// The id of a request; `nil` for a notification.
    let id: ID?
    let method: String
    /// The method; `nil` if this server does not know it.
    let known: Method?
    let params: PlainValue

    init(_ value: PlainValue) throws(RPCError) {
        if case .array = value {
            throw .invalidRequest("Batches are not supported. Send each message on its own.")
        }
        guard case .object = value, value[field: "jsonrpc"] == .string("2.0") else {
            throw .invalidRequest("The message must be an object with \"jsonrpc\": \"2.0\".")
        }
        if value[field: "method"] == nil, value[field: "result"] != nil || value[field: "error"] != nil {
            throw .invalidRequest("This server sends no requests, so it accepts no responses.")
        }
        guard let method = value[field: "method"]?.string else {
            throw .invalidRequest("The field \"method\" must be a string.")
        }
        switch value[field: "id"] {
        case nil: id = nil
        case let value?:
            guard let id = ID(value) else {
                throw .invalidRequest("The field \"id\" must be a string or a whole number.")
            }
            self.id = id
        }
        switch value[field: "params"] {
        case nil: params = .object([])
        case .object(let fields): params = .object(fields)
        default: throw .invalidRequest("The field \"params\" must be an object.")
        }
        self.method = method
        known = Method(rawValue: method)
    }

    /// The id of a value that is not a message; `nil` if it has none.
    static func id(of value: PlainValue) -> ID? { value[field: "id"].flatMap(ID.init) }
}
