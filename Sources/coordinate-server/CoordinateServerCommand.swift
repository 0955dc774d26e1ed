import ArgumentParser
import CoordinateServer

@main
struct CoordinateServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coordinate-server",
        abstract: "Coordinator trees over HTTP: events in, navigation state out.",
        discussion: "Try it: coordinate-server serve, then curl -c jar -b jar localhost:8080/route",
        version: "0.1.0",
        subcommands: [Serve.self, Replay.self, Export.self]
    )

    @MainActor
    static func main() async {
        Server.shareFreedMemory()
        await main(Export.withIDLast(Array(CommandLine.arguments.dropFirst())))
    }
}
