import ArgumentParser
import Configuration

/// Which app: what all subcommands are told.
struct AppOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file (default: config/server.json, where it exists).", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The season's teams and drivers (default: config/racing.json; COORDINATE_APP_DATA).", valueName: "file"))
    var appData: String?

    /// The options that were given, by the keys of the settings.
    var values: [AbsoluteConfigKey: ConfigValue] {
        appData.map { ["appData": .init(.string($0), isSecret: false)] } ?? [:]
    }
}
