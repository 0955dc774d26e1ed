internal import ArgumentParser
internal import Configuration

/// The options of all subcommands that use the app.
struct AppOptions<Arguments: DataArguments>: ParsableArguments {
    @Option(
        help: ArgumentHelp("The configuration file (default: config/server.json, if it exists).", valueName: "file"))
    var config: String?

    @OptionGroup var data: Arguments

    /// The given options, by setting key.
    var values: [AbsoluteConfigKey: ConfigValue] {
        data.path.map { ["appData": .init(.string($0), isSecret: false)] } ?? [:]
    }
}

/// The option for an app's data, if the app has some.
protocol DataArguments: ParsableArguments {
    /// The named file; `nil` if none was named.
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

/// An empty set of options.
struct NoDataOption: DataArguments {
    var path: String? { nil }
}
