internal import Coordinate
internal import CoordinateSessions
internal import JSON

/// A tool as clients see it, and the function that runs it.
struct Tool: Sendable {
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
    /// The time for which a call waits for a session; `nil` if calls do not wait.
    var waitingTime: (@Sendable (ToolArguments) throws(ToolError) -> Duration)?
    /// Carries out a call. Returns its document as JSON.
    let run: @Sendable (SessionTools, ToolArguments) async throws -> [UInt8]

    /// The names of its arguments.
    var argumentNames: [String] {
        input[field: "properties"]?.fields.map(\.name) ?? []
    }

    var definition: PlainValue {
        let defaults: PlainValue = [
            "readOnlyHint": .bool(isReading), "destructiveHint": false, "idempotentHint": .bool(isReading),
            "openWorldHint": false,
        ]
        return [
            "name": .string(name), "title": .string(title), "description": .string(description),
            "inputSchema": input, "outputSchema": output, "annotations": defaults.setting(hints),
        ]
    }
}
