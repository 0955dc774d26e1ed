internal import ArgumentParser
internal import Configuration
internal import CoordinateMCP
internal import CoordinateServer

struct ServeTools: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "mcp",
            abstract: "Serves \(HostProgram.current.title) to an agent that starts this program.",
            discussion: """
                The tools of the Model Context Protocol, as "\(HostProgram.current.name) serve" has them at /mcp, on \
                the standard input and output: one JSON message per line. Logs go to the standard error. The program \
                ends when its input ends, or on SIGTERM, SIGINT or SIGHUP.

                The variables and the file of "\(HostProgram.current.name) serve" apply, such as COORDINATE_MCP=read \
                for the tools that only read. \(Settings.listHint)

                Exit status: 0 when the input has ended or after a signal; 64 for a wrong option; 69 if the journal \
                cannot be reached; 78 for a wrong setting or file, an app with faults, or a journal that is damaged, \
                newer than this program, or in use.
                """
        )
    }

    @OptionGroup var store: JournalOption

    @OptionGroup var app: AppOptions

    func run() async throws {
        try await HostProgram.current.withServer(
            file: app.config, options: app.values(["journal": store.journal.map { .string($0) }]),
            changing: {
                $0.page = .none
                $0.endpoints = []
                // The standard output belongs to the protocol.
                if $0.eventLog == "-" { $0.eventLog = "" }
            },
            { server, settings in
                guard let access = settings.agents else {
                    throw ServerError.configuration(
                        "The tools for agents are turned off. Set COORDINATE_MCP (\"mcp\" in the file) to read or full."
                    )
                }
                await server.runTools(access)
            })
    }
}
