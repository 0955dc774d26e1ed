internal import Coordinate
internal import Foundation

/// The headers of an HTTP request that repeat parts of its body, for proxies that do not read bodies.
package struct RequestHeaders: Sendable {
    /// The lines of `MCP-Protocol-Version`.
    let version: [String]
    /// The lines of `Mcp-Method`.
    let method: [String]
    /// The lines of `Mcp-Name`.
    let name: [String]

    package init(version: [String], method: [String], name: [String]) {
        self.version = version
        self.method = method
        self.name = name
    }

    /// Checks that the headers name the method and the tool of the body.
    func check(_ message: RPCMessage) throws(RPCError) {
        try Self.check(method, "Mcp-Method", isOneOf: [message.method], of: "method")
        guard message.known == .call, let tool = message.params[field: "name"]?.string else { return }
        try Self.check(name, "Mcp-Name", isOneOf: [tool, Self.encoded(tool)], of: "params.name")
    }

    private static func check(
        _ lines: [String], _ header: String, isOneOf values: [String], of field: String
    ) throws(RPCError) {
        guard lines.count == 1, values.contains(lines[0]) else {
            let found = lines.isEmpty ? "is missing" : "does not match \(field) of the body"
            throw .headerMismatch("Header mismatch: \(header) \(found). Send \(header): \(values[0])")
        }
    }

    /// A value that is not plain ASCII, as clients send it in a header.
    private static func encoded(_ value: String) -> String {
        "=?base64?\(Data(value.utf8).base64EncodedString())?="
    }
}
