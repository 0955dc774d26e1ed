internal import ArgumentParser

/// The command itself, which has only subcommands.
struct RootCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        let host = HostProgram.current
        return CommandConfiguration(
            commandName: host.name,
            abstract: "Coordinator trees over HTTP: events in, navigation state out.",
            discussion: "Try it: \(host.name) serve, then curl -c jar -b jar localhost:8080/route",
            version: host.version,
            subcommands: [
                Serve.self, ServeTools.self, Replay.self, DeployCheck.self,
                Explore.self, Export.self, Erase.self,
                OpenAPI.self,
            ]
        )
    }
}
