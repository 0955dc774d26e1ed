internal import Configuration
internal import Coordinate
internal import CoordinateMCP
internal import CoordinateServer
internal import CoordinateSessions
internal import Foundation
internal import JSON
internal import SystemPackage

/// The settings of the server. Options override the environment, which overrides the configuration file, which
/// overrides the defaults.
struct Settings {
    static let defaultFile = "config/server.json"

    let server: ServerConfiguration
    /// The tools for agents; `nil` for none.
    let agents: MCPAccess?
    /// The path of the file with the app's data; `nil` if the app has none.
    let appData: String?
    /// The address of the sessions' store.
    let journal: Stores.Address

    /// - Parameters:
    ///   - host: The program to which the settings belong.
    ///   - name: The configuration file. If it is named, it must exist.
    ///   - options: The values given on the command line, by key.
    init(
        of host: HostProgram, file name: String?, options: [String: ConfigContent]
    ) async throws {
        let path = name ?? Self.defaultFile
        let defaults = Self.defaults(of: host)
        try Self.checkFile(path, isNamed: name != nil, defaults.merging(["public": .string("")]) { $1 })
        let file: FileProvider<JSONSnapshot>
        do {
            file = try await FileProvider<JSONSnapshot>(filePath: FilePath(path), allowMissing: true)
        } catch {
            throw ServerError.configuration("The configuration file \(path) cannot be read: \(error)")
        }
        let reader = SettingsReader(
            config: ConfigReader(providers: [
                Self.provider("options", options),
                EnvironmentVariablesProvider().mapKeys(Self.environmentKey),
                file,
                Self.provider("defaults", defaults),
            ]), file: path)

        var settings = ServerSettings()
        for setting in ServerSetting.all { try setting.read(reader, &settings) }
        settings.server.page = Self.page(in: reader.optionalString("public"))
        settings.server.endpoints = settings.endpoints + host.endpoints
        server = settings.server
        agents = settings.mcp.access
        let address = try reader.string("journal")
        do throws(JournalOpeningError) {
            journal = try host.stores.address(address)
        } catch {
            throw ServerError.configuration("\(error) Correct COORDINATE_JOURNAL, or \"journal\" in \(path).")
        }
        appData = host.data == nil ? nil : try reader.string("appData")
    }

    /// The page of the given folder, or no page for an empty text. If no folder is given, it is a folder `public` in the
    /// working directory, if there is one.
    private static func page(in folder: String?) -> ServerConfiguration.Page {
        guard let folder else {
            // With the dot, a file of this name is none.
            return FileManager.default.fileExists(atPath: "public/.") ? .folder("public") : .shipped
        }
        return folder.isEmpty ? .none : .folder(folder)
    }

    /// The environment variable of a key: `COORDINATE_SESSION_IDLE` for `sessionIdle`. The key's group is left out:
    /// `COORDINATE_API_KEY`.
    @Sendable private static func environmentKey(_ key: AbsoluteConfigKey) -> AbsoluteConfigKey {
        AbsoluteConfigKey(["coordinate"] + key.components.suffix(1))
    }

    private static func provider(_ name: String, _ values: [String: ConfigContent]) -> InMemoryProvider {
        let values = values.map { key, content in
            (AbsoluteConfigKey(key.split(separator: ".").map(String.init)), ConfigValue(content, isSecret: false))
        }
        return InMemoryProvider(name: name, values: Dictionary(uniqueKeysWithValues: values))
    }

    private static func defaults(of host: HostProgram) -> [String: ConfigContent] {
        let settings = ServerSettings()
        var defaults = Dictionary(uniqueKeysWithValues: ServerSetting.all.map { ($0.key, $0.value(settings)) })
        defaults["journal"] = .string("memory")
        // Programs of several apps may share a file, and only some of them have data.
        defaults["appData"] = .string(host.data?.defaultPath ?? "")
        return defaults
    }

    /// A sentence that says where all settings are listed.
    static var listHint: String {
        FileManager.default.fileExists(atPath: defaultFile)
            ? "\(defaultFile) lists all settings."
            : "In the configuration file they are named maxSessions, sessionIdle and so on, and security.apiKey."
    }

    /// Refuses a file that cannot be read, with a key twice, an unknown key or a value of the wrong type, even if another
    /// source overrides it.
    ///
    /// - Parameter isNamed: Whether the file must exist.
    private static func checkFile(
        _ path: String, isNamed: Bool, _ known: [String: ConfigContent]
    ) throws(ServerError) {
        let file: PlainValue
        do {
            file = try JSONParser.parse(Array(try Data(contentsOf: URL(filePath: path))))
        } catch CocoaError.fileReadNoSuchFile {
            guard isNamed else { return }
            throw .configuration("The configuration file \(path) does not exist. Name another one with --config.")
        } catch let error as JSONSyntaxError {
            throw .configuration(
                "The configuration file \(path) is not a JSON object: it needs \(error.expected) at line \(error.line), column \(error.column)."
            )
        } catch {
            throw .configuration(
                "The configuration file \(path) cannot be read. It must be a regular file to which this user has access."
            )
        }
        guard case .object(let fields) = file else {
            throw .configuration("The configuration file \(path) is not a JSON object.")
        }
        try check(fields, below: "", of: path, known)
    }

    private static func check(
        _ fields: [PlainField], below group: String, of path: String, _ known: [String: ConfigContent]
    ) throws(ServerError) {
        for field in fields {
            let key = group + field.name
            let expected: String
            switch (known[key], field.value) {
            case (.string, .string), (.int, .int), (.bool, .bool):
                continue
            case (.stringArray, .array(let elements)) where elements.allSatisfy({ $0.string != nil }):
                continue
            case (nil, .object(let fields)):
                try check(fields, below: "\(key).", of: path, known)
                continue
            case (nil, _):
                let nearest = key.nearest(among: known.keys.sorted()).map { " Did you mean \"\($0)\"?" } ?? ""
                let keys = known.keys.sorted().joined(separator: ", ")
                throw .configuration(
                    "The configuration file \(path) has an unknown key \"\(key)\".\(nearest) Known keys: \(keys).")
            case (.int, _): expected = "a whole number"
            case (.stringArray, _): expected = "a list of strings"
            case (.bool, _): expected = "true or false"
            default: expected = "a string"
            }
            throw .configuration("The setting \"\(key)\" must be \(expected): correct it in \(path).")
        }
    }

    /// The variables of the environment that look like settings, but are none. A variable that is misspelled would have
    /// no effect.
    static func unknownVariables(
        in environment: [String: String], of host: HostProgram
    ) -> [(name: String, nearest: String?)] {
        let keys = defaults(of: host).keys + ["public"]
        let known = keys.map { String(variable(of: $0).dropFirst(variablePrefix.count)) }
        return environment.keys.filter { $0.hasPrefix(variablePrefix) }.sorted().compactMap { name in
            // The prefix, which all have, makes no two of them similar.
            let word = String(name.dropFirst(variablePrefix.count))
            return known.contains(word) ? nil : (name, word.nearest(among: known).map { variablePrefix + $0 })
        }
    }

    private static let variablePrefix = "COORDINATE_"

    /// The name of the variable for a key, without the key's group.
    static func variable(of key: String) -> String {
        (key.split(separator: ".").last ?? "").reduce(into: variablePrefix) { name, letter in
            name += letter.isUppercase ? "_\(letter)" : letter.uppercased()
        }
    }
}
