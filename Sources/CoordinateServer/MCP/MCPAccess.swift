/// The tools that a server offers to agents (https://modelcontextprotocol.io).
public enum MCPAccess: String, Sendable, CaseIterable {
    /// No tools. The path `/mcp` does not exist.
    case off
    /// The tools that only read.
    case read
    /// All tools.
    case full
}
