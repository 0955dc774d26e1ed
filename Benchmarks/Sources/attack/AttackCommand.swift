import ArgumentParser
import Foundation
import Loopback

/// Attacks a server, and says what its other clients notice of that.
@main
struct AttackCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Attacks a server in its default settings, and says what its other clients notice.",
        discussion: Attacks.all.map { "\($0.name): \($0.summary)" }.joined(separator: "\n"))

    @Option(help: ArgumentHelp("The program coordinate-server, built for release.", valueName: "program"))
    var server: String

    @Option(help: ArgumentHelp("The root of the repository.", valueName: "folder"))
    var repository = "."

    @Option(help: "How long each attack lasts, in seconds.")
    var seconds = 10

    @Argument(help: "The attacks; all of them by default.")
    var names: [String] = []

    func run() throws {
        let unknown = names.filter { name in !Attacks.all.contains { $0.name == name } }
        guard unknown.isEmpty else { throw ValidationError("There is no attack \(unknown.joined(separator: ", ")).") }
        for attack in Attacks.all where names.isEmpty || names.contains(attack.name) {
            print("\(attack.name): \(attack.summary)")
            try observe(nil)
            try observe(attack.init())
        }
    }

    /// - Parameter attack: Nil for how it is without one.
    private func observe(_ attack: (any Attack)?) throws {
        let root = URL(filePath: repository, directoryHint: .isDirectory)
        let process = try ServerProcess(
            "Coordinate", program: URL(filePath: server),
            arguments: [
                "serve", "--port", "0", "--config", root.appending(path: "config/server.json").path(),
                "--app-data", root.appending(path: "config/racing.json").path(), "--public", "",
            ])
        defer { process.stop() }
        let bystanders = try Self.bystanders(at: process.port)
        let target = Target(port: process.port)
        let group = DispatchGroup()
        if let attack {
            group.enter()
            Thread {
                do { try attack.run(against: target) } catch { print("  the attack failed: \(error)") }
                group.leave()
            }.start()
            while target.answers.isEmpty, group.wait(timeout: .now() + 0.1) == .timedOut {}
        }
        let watch = DispatchGroup()
        for bystander in bystanders {
            watch.enter()
            Thread {
                bystander.run(for: .seconds(seconds))
                watch.leave()
            }.start()
        }
        watch.wait()
        target.stop()
        let memory = try process.residentMemory() / 1_048_576
        print("  \(attack == nil ? "at rest" : "attacked"), \(memory) MiB resident")
        for bystander in bystanders { print("    \(bystander.summary)") }
        if attack != nil { print("    the attacker: \(target.answers)") }
        process.stop()
        group.wait()
    }

    /// Somebody who looks whether the server lives, one who uses a session, and one who looks back in a longer one.
    private static func bystanders(at port: UInt16) throws -> [Bystander] {
        let client = try LoopbackClient(port: port)
        let session = try RacingSession(on: client)
        let long = try RacingSession(on: client)
        for number in 0..<3_000 {
            try client.send(
                HTTPText.post(
                    "/events", RacingSession.favourite(number % 2 == 1),
                    headers: [long.session, "Prefer: return=minimal"]))
        }
        return [
            Bystander("/livez", port: port, rate: 100, HTTPText.get("/livez")),
            Bystander(
                "POST /events", port: port, rate: 100,
                HTTPText.post("/events", RacingSession.favourite(true), headers: [session.session])),
            Bystander(
                "GET /route?version=3000", port: port, rate: 2,
                HTTPText.get("/route?version=3000", headers: [long.session])),
        ]
    }
}
