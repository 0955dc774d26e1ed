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

    let key: AbsoluteConfigKey
    /// Its value.
    let value: @Sendable (ServerSettings) -> ConfigValue
    /// Reads it.
    let read: @Sendable (SettingsReader, inout ServerSettings) throws(ServerError) -> Void

    /// All settings, in the order in which they are read.
    static let all: [ServerSetting] = [
        .string("host", \.server.host),
        .int("port", \.server.port, in: 0...65_535),
        .bool("webPages", \.servesWebPages),
        .string("webTheme", \.webTheme),
        .choice("mcp", \.mcp),
        .string("security.apiKey", \.server.apiKey, isSecret: true),
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
        _ key: String, _ destination: any Destination<Value>, isSecret: Bool = false,
        as content: @escaping @Sendable (Value) -> ConfigContent,
        by read: @escaping @Sendable (SettingsReader, String) throws(ServerError) -> Value
    ) {
        self.key = AbsoluteConfigKey(key.split(separator: ".").map(String.init))
        value = { ConfigValue(content($0[keyPath: destination]), isSecret: isSecret) }
        self.read = { reader, server throws(ServerError) in server[keyPath: destination] = try read(reader, key) }
    }

    private static func string(_ key: String, _ destination: any Destination<String>, isSecret: Bool = false)
        -> ServerSetting
    {
        ServerSetting(
            key, destination, isSecret: isSecret, as: { .string($0) },
            by: { reader, key throws(ServerError) in try reader.string(key) })
    }

    private static func strings(_ key: String, _ destination: any Destination<[String]>) -> ServerSetting {
        ServerSetting(
            key, destination, as: { .stringArray($0) },
            by: { reader, key throws(ServerError) in try reader.strings(key) })
    }

    private static func int<Number: BinaryInteger & SendableMetatype>(
        _ key: String, _ destination: any Destination<Number>, in range: ClosedRange<Int>, or other: Int? = nil
    ) -> ServerSetting {
        ServerSetting(
            key, destination, as: { .int(Int($0)) },
            by: { reader, key throws(ServerError) in Number(try reader.int(key, in: range, or: other)) })
    }

    private static func bool(_ key: String, _ destination: any Destination<Bool>) -> ServerSetting {
        ServerSetting(
            key, destination, as: { .bool($0) }, by: { reader, key throws(ServerError) in try reader.bool(key) })
    }

    private static func choice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
        _ key: String, _ destination: any Destination<Choice>
    ) -> ServerSetting where Choice.RawValue == String {
        ServerSetting(
            key, destination, as: { .string($0.rawValue) },
            by: { reader, key throws(ServerError) in try reader.choice(key) })
    }

    /// A choice whose default, an empty text, depends on other settings.
    private static func optionalChoice<Choice: RawRepresentable & CaseIterable & SendableMetatype>(
        _ key: String, _ destination: any Destination<Choice?>
    ) -> ServerSetting where Choice.RawValue == String {
        ServerSetting(
            key, destination, as: { .string($0?.rawValue ?? "") },
            by: { reader, key throws(ServerError) in
                try reader.string(key).isEmpty ? nil : try reader.choice(key) as Choice
            })
    }
}
