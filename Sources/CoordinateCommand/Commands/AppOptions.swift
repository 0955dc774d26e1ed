internal import ArgumentParser
internal import Configuration

/// The options of all subcommands that use the app.
struct AppOptions<Arguments: DataArguments>: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file (default: config/server.json, where it exists).", valueName: "file"))
    var config: String?

    @OptionGroup var data: Arguments

    /// The given options, by the keys of the settings.
    var values: [AbsoluteConfigKey: ConfigValue] {
        data.path.map { ["appData": .init(.string($0), isSecret: false)] } ?? [:]
    }
}

/// The option for an app's data, where the app has some.
protocol DataArguments: ParsableArguments {
    /// The file that was named.
    var path: String? { get }
}

struct DataFileOption: DataArguments {
    @Option(help: Self.help)
    var appData: String?

    var path: String? { appData }

    private static var help: ArgumentHelp {
        let data = HostProgram.current.data
        return ArgumentHelp(
            "\(data?.help ?? "") (default: \(data?.defaultPath ?? ""); COORDINATE_APP_DATA).", valueName: "file")
    }
}

/// No option at all.
struct NoDataOption: DataArguments {
    var path: String? { nil }
}
