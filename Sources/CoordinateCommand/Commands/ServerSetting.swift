internal import Configuration
internal import CoordinateServer

/// A setting that is stored in the server's configuration, which has its default.
struct ServerSetting: Sendable {
    typealias Destination<Value> = WritableKeyPath<ServerConfiguration, Value> & Sendable

    /// Its key in the configuration file: `security.apiKey`.
    let key: String
    /// Its value in a configuration.
    let value: @Sendable (ServerConfiguration) -> ConfigContent
    /// Reads it into a configuration.
    let read: @Sendable (SettingsReader, inout ServerConfiguration) throws -> Void

    /// All settings, in the order in which they are read.
    static let all: [ServerSetting] = [
        .string("host", \.host),
        .int("port", \.port, in: 0...65_535),
        .bool("webPages", \.servesWebPages),
        .string("webTheme", \.webTheme),
        .choice("mcp", \.mcp),
        .string("security.apiKey", \.apiKey),
        .optionalChoice("security.clients", \.clients),
        .strings("security.hosts", \.hosts),
        .strings("security.origins", \.origins),
        .strings("security.trustedProxies", \.trustedProxies),
        .choice("security.forwardingHeader", \.forwardingHeader),
        .string("security.cookieName", \.cookieName),
        .int("maxSessions", \.maximumSessions, in: 1...100_000_000),
        .int("sessionIdle", \.sessionIdleTime, in: 1...31_536_000),
        .int("passivateAfter", \.sessionPassivationTime, in: 1...31_536_000),
        .int("maxEvents", \.maximumEvents, in: 1...100_000_000),
        .int("maxWork", \.maximumWork, in: 1...100_000),
        .int("maxMemory", \.maximumMemory, in: ServerConfiguration.leastMemory...1 << 50, or: 0),
        .int("maxConnections", \.maximumConnections, in: 1...1_000_000),
        .int("maxBody", \.maximumBodySize, in: 1...16_777_216),
        .int("workers", \.workers, in: 0...1_024),
        .bool("accessLog", \.accessLog),
        .string("eventLog", \.eventLog),
        .choice("onChange", \.onChange),
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
