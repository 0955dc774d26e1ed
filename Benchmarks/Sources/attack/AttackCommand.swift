import ArgumentParser
import Foundation
import Loopback

/// Attacks a server, and says what its other clients notice of that.
@main
struct AttackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Attacks a server in its default settings, and says what its other clients notice.",
        discussion: """
            \(Attacks.all.map { "\($0.name): \($0.summary)." }.joined(separator: "\n"))

            The attacks come from \(Target.attacker), and nobody reads the server's log. Under attack, everybody else's \
            requests are to be answered, 99 of 100 within 50 ms (20 ms where deep-replay is alone), no session is to be \
            lost, and SIGTERM is to end the server with 0 within 10 s. Exit status 1 where one of that is not so.
            """)

    @Option(help: ArgumentHelp("The program coordinate-server, built for release.", valueName: "program"))
    var server: String

    @Option(help: ArgumentHelp("The root of the repository.", valueName: "folder"))
    var repository = "."

    @Option(help: "How long the others are watched each time, in seconds.")
    var seconds = 10

    @Argument(help: "The attacks, which then come at once; without any, each alone, and then all at once.")
    var names: [String] = []

    func run() throws {
        let unknown = names.filter { name in !Attacks.all.contains { $0.name == name } }
        guard unknown.isEmpty else { throw ValidationError("There is no attack \(unknown.joined(separator: ", ")).") }
        let chosen = Attacks.all.filter { names.contains($0.name) }
        let rounds = chosen.isEmpty ? [[]] + Attacks.all.map { [$0] } + [Attacks.all] : [chosen]
        var isFit = true
        for round in rounds {
            let siege = try Siege(program: URL(filePath: server), repository: URL(filePath: repository))
            isFit = try siege.run(round, for: .seconds(seconds)) && isFit
        }
        if !isFit { throw ExitCode.failure }
    }
}
