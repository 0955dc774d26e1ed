internal import ArgumentParser
internal import Configuration
internal import Coordinate
internal import CoordinateServer
internal import CoordinateSessions

/// The options of all subcommands that use the app.
struct AppOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file (default: config/server.json, if it exists).", valueName: "file"))
    var config: String?

    @Option(help: Self.dataHelp)
    var appData: String?

    private static var dataHelp: ArgumentHelp {
        guard let data = HostProgram.current.data else { return .hidden }
        return ArgumentHelp(
            "\(data.help) (default: \(data.defaultPath); COORDINATE_APP_DATA).", valueName: "file")
    }

    /// Refuses a file for an app that needs none.
    func validate() throws {
        if appData != nil, HostProgram.current.data == nil { throw ValidationError("Unknown option '--app-data'") }
    }

    /// The given options, by setting key.
    ///
    /// - Parameter others: Those of the subcommand; `nil` if they were not given.
    func values(_ others: [String: ConfigContent?] = [:]) -> [String: ConfigContent] {
        others.merging(["appData": appData.map { .string($0) }]) { $1 }.compactMapValues { $0 }
    }

    /// The program's settings, and its app. An app with faults is refused.
    nonisolated(nonsending) func load() async throws -> (settings: Settings, app: any CoordinatedApp) {
        let settings = try await Settings(of: .current, file: config, options: values())
        return (settings, try make(by: settings))
    }

    /// The program's app by its settings. An app with faults is refused.
    func make(by settings: Settings) throws -> any CoordinatedApp {
        let app = try HostProgram.current.makeApp(data: settings.appData)
        if let reason = app.whyNotHosted { throw ServerError.configuration(reason) }
        return app
    }
}

/// The option of the commands that keep sessions.
struct JournalOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where sessions are kept: \(HostProgram.current.stores.forms) (default: memory; COORDINATE_JOURNAL).",
            valueName: "journal"))
    var journal: String?

    func validate() throws {
        try journal.map(HostProgram.current.stores.validate)
    }
}
