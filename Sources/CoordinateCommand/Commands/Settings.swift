internal import Configuration
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import SystemPackage

/// The settings of the server. Options override the environment, which overrides the configuration file, which
/// overrides the defaults.
struct Settings {
    static let defaultFile = "config/server.json"
    /// The longest time for which ended sessions can be kept, in seconds: about ten years.
    static let longestKept = 315_360_000

    let server: ServerConfiguration
    /// The path of the file with the app's data; `nil` if the app has none.
    let appData: String?
    /// The address of the sessions' store.
    let journal: Stores.Address

    /// - Parameters:
    ///   - host: The program to which the settings belong.
    ///   - name: The configuration file. If it is named, it must exist.
    ///   - options: The values given on the command line, by key.
    init(
        of host: HostProgram, file name: String?, options: [AbsoluteConfigKey: ConfigValue]
    ) async throws(ServerError) {
        let path = name ?? Self.defaultFile
        if name != nil, !FileManager.default.fileExists(atPath: path) {
            throw .configuration("The configuration file \(path) does not exist. Name another one with --config.")
        }
        let file: FileProvider<JSONSnapshot>
        do {
            file = try await FileProvider<JSONSnapshot>(filePath: FilePath(path), allowMissing: true)
        } catch {
            throw .configuration("The configuration file \(path) is not a JSON object: \(error)")
        }
        let defaults = Self.defaults(of: host)
        // Programs of several apps may share a file, and only some of them have data.
        let others: [AbsoluteConfigKey: ConfigContent] = ["public": .string(""), "appData": .string("")]
        try Self.checkKeys(of: path, defaults.mapValues(\.content).merging(others) { $1 })
        let reader = SettingsReader(
            config: ConfigReader(providers: [
                InMemoryProvider(name: "options", values: options),
                EnvironmentVariablesProvider().mapKeys(Self.environmentKey),
                file,
                InMemoryProvider(name: "defaults", values: defaults),
            ]), file: path)

        var server = ServerConfiguration()
        server.page = Self.page(in: reader.optionalString("public"))
        for setting in ServerSetting.all { try setting.read(reader, &server) }
        self.server = server
        let address = try reader.string("journal")
        do throws(JournalOpeningError) {
            journal = try host.stores.address(address)
        } catch {
            throw .configuration("\(error) Correct COORDINATE_JOURNAL, or \"journal\" in \(path).")
        }
        appData = host.data == nil ? nil : try reader.string("appData")
    }

    /// The page of the given folder, or no page for an empty text. If no folder is given, a folder `public` in the
    /// working directory replaces the library's page, if it contains a page.
    private static func page(in folder: String?) -> ServerConfiguration.Page {
        guard let folder else {
            return FileManager.default.fileExists(atPath: "public/index.html") ? .folder("public") : .shipped
        }
        return folder.isEmpty ? .none : .folder(folder)
    }

    /// The environment variable of a key: `COORDINATE_SESSION_IDLE` for `sessionIdle`. The key's group is left out:
    /// `COORDINATE_API_KEY`.
    @Sendable private static func environmentKey(_ key: AbsoluteConfigKey) -> AbsoluteConfigKey {
        AbsoluteConfigKey(["coordinate"] + key.components.suffix(1))
    }

    private static func defaults(of host: HostProgram) -> [AbsoluteConfigKey: ConfigValue] {
        let server = ServerConfiguration()
        var defaults = Dictionary(
            uniqueKeysWithValues: ServerSetting.all.map { ($0.key, $0.value(server)) })
        defaults["journal"] = .init(.string("memory"), isSecret: false)
        if let data = host.data { defaults["appData"] = .init(.string(data.defaultPath), isSecret: false) }
        return defaults
    }

    /// A sentence that says where all settings are listed.
    static var whereAllAre: String {
        FileManager.default.fileExists(atPath: defaultFile)
            ? "\(defaultFile) lists all settings."
            : "In the configuration file they are named maxSessions, sessionIdle and so on, and security.apiKey."
    }

    /// Refuses a file with an unknown key or a value of the wrong type, even if another source overrides it.
    private static func checkKeys(
        of path: String, _ contents: [AbsoluteConfigKey: ConfigContent]
    ) throws(ServerError) {
        guard let content = FileManager.default.contents(atPath: path),
            let file = try? JSONDecoder().decode([String: FileValue].self, from: content)
        else { return }
        let values = FileValue.group(file).leaves(below: [])
        let known = Dictionary(
            uniqueKeysWithValues: contents.map { ($0.components.joined(separator: "."), $1) })
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            switch (known[key], value) {
            case (.string, .string), (.int, .int), (.bool, .bool), (.stringArray, .strings):
                continue
            case (nil, _):
                let keys = known.keys.sorted().joined(separator: ", ")
                throw .configuration(
                    "The configuration file \(path) has an unknown key \"\(key)\". Known keys: \(keys).")
            case (.int, _):
                throw .configuration("The setting \"\(key)\" must be a whole number: correct it in \(path).")
            case (.stringArray, _):
                throw .configuration("The setting \"\(key)\" must be a list of strings: correct it in \(path).")
            case (.bool, _):
                throw .configuration("The setting \"\(key)\" must be true or false: correct it in \(path).")
            default:
                throw .configuration("The setting \"\(key)\" must be a string: correct it in \(path).")
            }
        }
    }
}

/// A setting that is stored in the server's configuration, which has its default.
private struct ServerSetting: Sendable {
    typealias Destination<Value> = WritableKeyPath<ServerConfiguration, Value> & Sendable

    let key: AbsoluteConfigKey
    /// Its value in a configuration.
    let value: @Sendable (ServerConfiguration) -> ConfigValue
    /// Reads it into a configuration.
    let read: @Sendable (SettingsReader, inout ServerConfiguration) throws(ServerError) -> Void

    /// All settings, in the order in which they are read.
    static let all: [ServerSetting] = [
        .string("host", \.host),
        .int("port", \.port, in: 0...65_535),
        .bool("webPages", \.servesWebPages),
        .string("webTheme", \.webTheme),
        .choice("mcp", \.mcp),
        .string("security.apiKey", \.apiKey, isSecret: true),
        .strings("security.hosts", \.hosts),
        .strings("security.origins", \.origins),
        .strings("security.trustedProxies", \.trustedProxies),
        .choice("security.forwardingHeader", \.forwardingHeader),
        .int("maxSessions", \.maximumSessions, in: 1...100_000_000),
        .int("sessionIdle", \.sessionIdleTime, in: 1...31_536_000),
        .int("keepEnded", \.endedSessionTime, in: 0...Settings.longestKept),
        .int("passivateAfter", \.sessionPassivationTime, in: 1...31_536_000),
        .int("maxEvents", \.maximumEvents, in: 1...100_000_000),
        .int("maxWork", \.maximumWork, in: 1...100_000),
        .int("maxMemory", \.maximumMemory, in: ServerConfiguration.leastMemory...1 << 50, or: 0),
        .int("maxConnections", \.maximumConnections, in: 1...1_000_000),
        .int("maxBody", \.maximumBodySize, in: 1...16_777_216),
        .int("workers", \.workers, in: 0...1_024),
        .bool("accessLog", \.accessLog),
        .choice("onChange", \.onChange),
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
}

/// The type of a value in the configuration file, checked before the value is read.
private enum FileValue: Decodable {
    case group([String: FileValue])
    case string
    case strings
    case int
    case bool
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let group = try? container.decode([String: FileValue].self) {
            self = .group(group)
        } else if (try? container.decode(String.self)) != nil {
            self = .string
        } else if (try? container.decode([String].self)) != nil {
            self = .strings
        } else if (try? container.decode(Bool.self)) != nil {
            self = .bool
        } else if (try? container.decode(Int.self)) != nil {
            self = .int
        } else {
            self = .other
        }
    }

    /// The values that are not groups, by their full keys.
    func leaves(below keys: [String]) -> [(key: String, value: FileValue)] {
        guard case .group(let group) = self else { return [(keys.joined(separator: "."), self)] }
        return group.flatMap { key, value in value.leaves(below: keys + [key]) }
    }
}

/// A reader of settings. Most have defaults, so an error means a value that is not valid.
private struct SettingsReader {
    let config: ConfigReader
    let file: String

    func string(_ key: String) throws(ServerError) -> String {
        do {
            return try config.requiredString(forKey: ConfigKey(key))
        } catch {
            throw refusal(of: key, "a string")
        }
    }

    /// A list. In a variable, commas separate its items.
    func strings(_ key: String) throws(ServerError) -> [String] {
        do {
            return try config.requiredStringArray(forKey: ConfigKey(key)).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            .filter { !$0.isEmpty }
        } catch {
            throw refusal(of: key, "a list of strings")
        }
    }

    /// A string; `nil` if no source sets it.
    func optionalString(_ key: String) -> String? {
        config.string(forKey: ConfigKey(key))
    }

    /// - Parameter other: A valid value outside of the range.
    func int(_ key: String, in range: ClosedRange<Int>, or other: Int? = nil) throws(ServerError) -> Int {
        let numbers = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let expected = other.map { "\($0), or \(numbers)" } ?? numbers
        do {
            let value = try config.requiredInt(forKey: ConfigKey(key))
            guard range.contains(value) || value == other else { throw refusal(of: key, expected) }
            return value
        } catch {
            throw refusal(of: key, expected)
        }
    }

    func bool(_ key: String) throws(ServerError) -> Bool {
        do {
            return try config.requiredBool(forKey: ConfigKey(key))
        } catch {
            throw refusal(of: key, "true or false")
        }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String
    ) throws(ServerError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try string(key)) else {
            throw refusal(of: key, Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
        }
        return choice
    }

    private func refusal(of key: String, _ expected: String) -> ServerError {
        let words = key.split(separator: ".").last.map(String.init) ?? key
        let variable = words.reduce(into: "COORDINATE_") { name, letter in
            name += letter.isUppercase ? "_\(letter)" : letter.uppercased()
        }
        return .configuration(
            "The setting \"\(key)\" must be \(expected): correct \(variable), or \"\(key)\" in \(file).")
    }
}
