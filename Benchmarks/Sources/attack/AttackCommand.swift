import ArgumentParser
import Foundation
import Loopback

/// Attacks a server and measures how its other clients are affected.
@main
struct AttackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Attacks a server and measures how its other clients are affected.",
        discussion: """
            Attacks:
            \(Attacks.all.map { "\($0.name): \($0.summary)." }.joined(separator: "\n"))

            The attacks come from \(Target.attacker) and other addresses; the victims are at 127.0.0.1. No one reads \
            the server's log. The table at the end shows which requirements each attack passed: the victims' requests are \
            answered, 99 % of them within 50 ms, no session is lost, memory stays within its \
            limit and is counted, and SIGTERM ends the server with 0 within 10 s. The exit status is 1 if one failed.
            """)

    @Option(help: ArgumentHelp("The program coordinate-server, built for release.", valueName: "program"))
    var server: String

    @Option(help: ArgumentHelp("The root of the repository.", valueName: "folder"))
    var repository = "."

    @Option(help: "The duration of each round, in seconds.")
    var seconds = 10

    @Argument(help: "The attacks. Named attacks run together. Without names, each runs alone, then all run.")
    var names: [String] = []

    func run() throws {
        let known = Attacks.all.map { $0.name }
        let unknown = names.filter { !known.contains($0) }
        guard unknown.isEmpty else { throw ValidationError("There is no attack \(unknown.joined(separator: ", ")).") }
        let program = ServerProgram(file: URL(filePath: server), repository: URL(filePath: repository))
        Self.raiseFileLimit()
        // A server that fails fails only its own row.
        let verdicts = rounds.map { round in
            do {
                return try Siege(round, on: program).run(for: .seconds(seconds))
            } catch {
                return Verdict(Attacks.name(of: round), faults: ["\(error)"])
            }
        }
        print("\n\(Verdict.table(verdicts))")
        if verdicts.contains(where: { !$0.isFit }) { throw ExitCode.failure }
    }

    /// The rounds of simultaneous attacks.
    private var rounds: [[any Attack.Type]] {
        guard !names.isEmpty else { return [[]] + Attacks.all.map { [$0] } + [Attacks.all] }
        return [Attacks.all.filter { names.contains($0.name) }]
    }

    /// Raises this process's limit of open files to the system's maximum.
    private static func raiseFileLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }
}
