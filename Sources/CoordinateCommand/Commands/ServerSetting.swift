internal import Configuration
internal import CoordinateExplore
internal import CoordinateMCP
internal import CoordinateServer
internal import CoordinateWeb

/// The settings of a server, with their defaults: its configuration, and what it serves besides sessions.
struct ServerSettings: Sendable {
    var server = ServerConfiguration()
    /// Whether the app can be used as web pages.
    var servesWebPages = true
    /// The style sheet that gives web pages the app's own look; empty for none.
    var webTheme = ""
    var mcp = MCPOption.full

    /// The endpoints that a server has by these settings.
    var endpoints: [HostEndpoint] {
        (servesWebPages ? [.webPages(theme: webTheme)] : []) + (mcp.access.map { [.agents($0)] } ?? []) + [.map]
    }
}

/// A setting of a server.
struct ServerSetting: Sendable {
    typealias Destination<Value> = WritableKeyPath<ServerSettings, Value> & Sendable

    /// Its key in the configuration file: `security.apiKey`.
    let key: String
    /// Its value in a configuration.
    let value: @Sendable (ServerSettings) -> ConfigContent
    /// Reads it into a configuration.
    let read: @Sendable (SettingsReader, inout ServerSettings) throws -> Void

    /// All settings, in the order in which they are read.
    static let all: [ServerSetting] = [
        .string("host", \.server.host),
        .int("port", \.server.port, in: 0...65_535),
        .bool("webPages", \.servesWebPages),
        .string("webTheme", \.webTheme),
        .choice("mcp", \.mcp),
        .string("security.apiKey", \.server.apiKey),
        .optionalChoice("security.clients", \.server.clients),
        .strings("security.hosts", \.server.hosts),
        .strings("security.origins", \.server.origins),
        .strings("security.trustedProxies", \.server.trustedProxies),
        .choice("security.forwardingHeader", \.server.forwardingHeader),
        .string("security.cookieName", \.server.cookieName),
        .int("maxSessions", \.server.maximumSessions, in: 1...100_000_000),
        .int("sessionIdle", \.server.sessionIdleTime, in: 1...31_536_000),
        .int("passivateAfter", \.server.sessionPassivationTime, in: 1...31_536_000),
        .int("maxEvents", \.server.maximumEvents, in: 1...100_000_000),
        .int("maxWork", \.server.maximumWork, in: 1...100_000),
        .int("maxMemory", \.server.maximumMemory, in: ServerConfiguration.leastMemory...1 << 50, or: 0),
        .int("maxConnections", \.server.maximumConnections, in: 1...1_000_000),
        .int("maxBody", \.server.maximumBodySize, in: 1...16_777_216),
        .int("workers", \.server.workers, in: 0...1_024),
        .bool("accessLog", \.server.accessLog),
        .string("eventLog", \.server.eventLog),
        .choice("onChange", \.server.onChange),
    ]

    private init<Value>(
        _ key: String, _ destination: any Destination<Value>,
        as content: @escaping @Sendable (Value) -> ConfigContent,
        by read: @escaping @Sendable (SettingsReader, String) throws -> Value
    ) {
        self.key = key
        value = { content($0[keyPath: destination]) }
        self.read = { reader, server in server[keyPath: destination] = try read(reader, key) }
    }

    private static func string(_ key: String, _ destination: any Destination<String>) -> ServerSetting {
        ServerSetting(key, destination, as: { .string($0) }, by: { try $0.string($1) })
    }

    private static func strings(_ key: String, _ destination: any Destination<[String]>) -> ServerSetting {
        ServerSetting(key, destination, as: { .stringArray($0) }, by: { try $0.strings($1) })
    }

    private static func int<Number: BinaryInteger & SendableMetatype>(
        _ key: String, _ destination: any Destination<Number>, in range: ClosedRange<Int>, or other: Int? = nil
    ) -> ServerSetting {
        ServerSetting(
            key, destination, as: { .int(Int($0)) }, by: { Number(try $0.int($1, in: range, or: other)) })
    }

    private static func bool(_ key: String, _ destination: any Destination<Bool>) -> ServerSetting {
        ServerSetting(key, destination, as: { .bool($0) }, by: { try $0.bool($1) })
    }

    private static func choice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
        _ key: String, _ destination: any Destination<Choice>
    ) -> ServerSetting where Choice.RawValue == String {
        ServerSetting(key, destination, as: { .string($0.rawValue) }, by: { try $0.choice($1) })
    }

    /// A choice whose default, an empty text, depends on other settings.
    private static func optionalChoice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
        _ key: String, _ destination: any Destination<Choice?>
    ) -> ServerSetting where Choice.RawValue == String {
        ServerSetting(
            key, destination, as: { .string($0?.rawValue ?? "") },
            by: { try $0.string($1).isEmpty ? nil : try $0.choice($1) as Choice })
    }
}
