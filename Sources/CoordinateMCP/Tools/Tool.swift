internal import Coordinate
internal import CoordinateSessions
internal import JSON

/// A tool as clients see it, and the function that runs it.
struct Tool: Sendable {
    /// Begins a call. Throws for arguments that the tool does not accept.
    typealias Run = @Sendable (SessionTools, ToolArguments) throws(ToolError) -> ToolRun

    let name: String
    let title: String
    let description: String
    /// Whether it only reads, so that servers with ``MCPAccess/read`` have it.
    let isReading: Bool
    /// The hints that differ from those of a tool that only adds something.
    let hints: [PlainField]
    /// The JSON Schemas of its arguments and of its result.
    let input: PlainValue
    let output: PlainValue
    let run: Run

    /// The names of its arguments.
    var argumentNames: [String] {
        guard case .object(let fields)? = input[field: "properties"] else { return [] }
        return fields.map(\.name)
    }

    var definition: PlainValue {
        let defaults: [PlainField] = [
            PlainField("readOnlyHint", .bool(isReading)), PlainField("destructiveHint", .bool(false)),
            PlainField("idempotentHint", .bool(isReading)), PlainField("openWorldHint", .bool(false)),
        ]
        return .object([
            PlainField("name", .string(name)), PlainField("title", .string(title)),
            PlainField("description", .string(description)), PlainField("inputSchema", input),
            PlainField("outputSchema", output),
            PlainField("annotations", PlainValue.object(defaults).setting(hints)),
        ])
    }
}

/// The result of a tool call, now or later: its document as JSON.
enum ToolRun {
    case result(Future<[UInt8], ToolError>)
    case waiting(WaitingCall)
}
