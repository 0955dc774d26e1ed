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
    static var listHint: String {
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
