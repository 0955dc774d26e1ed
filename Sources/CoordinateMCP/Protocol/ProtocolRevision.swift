/// A revision of the Model Context Protocol that this server understands.
enum ProtocolRevision: String, CaseIterable {
    /// Each request stands alone: it names its revision and the client's capabilities.
    case stateless = "2026-07-28"
    case november2025 = "2025-11-25"
    case june2025 = "2025-06-18"

    /// Whether a client begins with `initialize`. The server remembers nothing of it.
    var hasHandshake: Bool { self != .stateless }

    /// The newest revision with a handshake.
    static let latestWithHandshake = november2025

    static var names: [String] { allCases.map(\.rawValue) }

    // MARK: Fields of a request's `_meta`

    static let versionField = "io.modelcontextprotocol/protocolVersion"
    static let capabilitiesField = "io.modelcontextprotocol/clientCapabilities"
    static let serverField = "io.modelcontextprotocol/serverInfo"
}
