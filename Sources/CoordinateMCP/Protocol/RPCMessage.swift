internal import Coordinate

/// A JSON-RPC message from a client: a request, or a notification without an id.
struct RPCMessage {
    enum ID: Hashable, Sendable {
        case number(Int)
        case text(String)

        init?(_ value: PlainValue) {
            switch value {
            case .int(let number): self = .number(number)
            case .string(let text): self = .text(text)
            default: return nil
            }
        }

        var plainValue: PlainValue {
            switch self {
            case .number(let number): .int(number)
            case .text(let text): .string(text)
            }
        }
    }

    /// The id of a request; `nil` for a notification.
    let id: ID?
    let method: String
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
    }

    /// The id of a value that is not a message; `nil` if it has none.
    static func id(of value: PlainValue) -> ID? { value[field: "id"].flatMap(ID.init) }
}
