import Foundation
import Loopback

/// One server that is attacked, and those who use it meanwhile.
struct Siege {
    private let process: ServerProcess
    private let log = Pipe()

    /// - Parameters:
    ///   - program: The server, which is started in its default settings.
    ///   - repository: The folder in which its files are.
    init(program: URL, repository: URL) throws {
        // Nobody reads what the server writes there, and there is no room for it.
        let descriptor = log.fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        while write(descriptor, [0x0A], 1) > 0 {}
        _ = fcntl(descriptor, F_SETFL, flags)
        process = try ServerProcess(
            "Coordinate", program: program,
            arguments: [
                "serve", "--port", "0", "--config", repository.appending(path: "config/server.json").path(),
                "--app-data", repository.appending(path: "config/racing.json").path(), "--public",
                repository.appending(path: "public").path(),
            ], standardError: log)
    }

    /// Attacks the server, watches what the others notice, and has the server end while it is attacked.
    ///
    /// - Returns: True where all was as promised.
    func run(_ attacks: [any Attack.Type], for time: Duration) throws -> Bool {
        defer { process.stop() }
        print(attacks.isEmpty ? "at rest" : attacks.map { "\($0.name): \($0.summary)" }.joined(separator: "\n"))
        let client = try LoopbackClient(port: process.port)
        let crowd = try Crowd(on: client)
        let session = try RacingSession(on: client)
        let long = try RacingSession(on: client)
        try long.toggleFavourite(times: 3_000, on: client)
        let bystanders = bystanders(
            session: session, long: long, bound: attacks.count == 1 && attacks[0] == DeepReplay.self ? 20 : 50)

        let targets = attacks.map { _ in Target(port: process.port) }
        let prepared = try zip(attacks, targets).map { try $0.init(against: $1) }
        let attackers = DispatchGroup()
        for attack in prepared {
            attackers.enter()
            Thread {
                attack.run()
                attackers.leave()
            }.start()
        }
        while targets.contains(where: { $0.answers.isEmpty }) { usleep(10_000) }

        let watch = DispatchGroup()
        for bystander in bystanders {
            watch.enter()
            Thread {
                bystander.run(for: time)
                watch.leave()
            }.start()
        }
        watch.wait()
        for bystander in bystanders { print("  \(bystander.summary)") }
        let answers = targets.map(\.answers)
        let memory = try process.residentMemory() / 1_048_576
        let again = try LoopbackClient(port: process.port)
        let lost = try crowd.lost(on: again)
        let version = try again.send(HTTPText.get("/sessions/\(session.id)")).body
        let isWhole = version.contains("\"version\":\(3 + bystanders[1].successes),")
        let end = process.terminate()
        for target in targets { target.stop() }
        attackers.wait()
        for (attack, answers) in zip(attacks, answers) { print("  \(attack.name) got \(answers)") }
        print(
            String(format: "  %d MiB resident; sessions lost: %d", memory, lost),
            isWhole ? "" : ", and one is not at the version that was acknowledged",
            String(format: "; SIGTERM ended it in %.1f s with %d", end.time, end.status), separator: "")
        return bystanders.allSatisfy(\.isServed) && lost == 0 && isWhole && end.status == 0 && end.time < 10
    }

    /// Somebody who looks whether the server lives, one who uses a session, newcomers, and one who looks back in a
    /// longer session.
    private func bystanders(session: RacingSession, long: RacingSession, bound: Double) -> [Bystander] {
        [
            Bystander("/livez", port: process.port, rate: 100, bound: bound, HTTPText.get("/livez")),
            Bystander(
                "POST /events", port: process.port, rate: 100, bound: bound,
                HTTPText.post("/events", RacingSession.favourite(true), headers: [session.session])),
            Bystander(
                "/livez of newcomers", port: process.port, rate: 20, bound: bound, isNewcomer: true,
                HTTPText.get("/livez")),
            Bystander(
                "GET /route of newcomers", port: process.port, rate: 20, bound: bound, isNewcomer: true,
                HTTPText.get("/route", headers: [session.session])),
            Bystander(
                "GET /route?version=3000", port: process.port, rate: 2, bound: nil,
                HTTPText.get("/route?version=3000", headers: [long.session])),
        ]
    }
}
