import Foundation
import Loopback

/// One attacked server and its other clients.
struct Siege {
    private let attacks: [any Attack.Type]
    private let settings: [String: String]
    private let process: ServerProcess
    private let memory: MemoryWatch
    private let log = Pipe()

    /// Starts a server with the settings that the attacks need.
    init(_ attacks: [any Attack.Type], on program: ServerProgram) throws {
        self.attacks = attacks
        settings = Attacks.settings(of: attacks)
        // The pipe is full, and no one reads its other end.
        let descriptor = log.fileHandleForWriting.fileDescriptor
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        while write(descriptor, [0x0A], 1) > 0 {}
        _ = fcntl(descriptor, F_SETFL, flags)
        process = try program.start(with: settings, log: log)
        memory = try MemoryWatch(process)
    }

    /// Attacks the server, measures how the others are affected, and stops the server during the attack.
    func run(for time: Duration) throws -> Verdict {
        let targets = attacks.map { _ in Target(port: process.port) }
        defer {
            process.stop()
            for target in targets { target.stop() }
        }
        print(attacks.isEmpty ? "at rest" : attacks.map { "\($0.name): \($0.summary)" }.joined(separator: "\n"))
        fflush(nil)
        let client = try LoopbackClient(port: process.port)
        let crowd = try Crowd(of: crowdSize, on: client)
        let session = try RacingSession(on: client)
        let long = try RacingSession(on: client)
        try long.toggleFavorite(times: 3_000, on: client)
        let bystanders = bystanders(session: session, long: long)

        let prepared = try zip(attacks, targets).map { try $0.init(against: $1) }
        memory.begin()
        let attackers = DispatchGroup()
        for attack in prepared { attackers.run { attack.run() } }
        // Waits until every attack has started.
        let latest = ContinuousClock.now + .seconds(15)
        while targets.contains(where: { $0.answers.isEmpty }), ContinuousClock.now < latest { usleep(10_000) }
        let watch = DispatchGroup()
        for bystander in bystanders { watch.run { bystander.run(for: time) } }
        watch.wait()

        for attack in prepared { attack.judge() }
        var verdict = verdict(on: bystanders, targets)
        verdict.memory = memory.end()
        let again = try LoopbackClient(port: process.port)
        verdict.lost += try crowd.lost(on: again)
        let version = try again.send(HTTPText.get("/sessions/\(session.id)")).body
        if !version.contains("\"version\":\(3 + bystanders[1].successes),") {
            verdict.faults.append("a session is not at the version that was acknowledged")
        }
        for bystander in bystanders { print("  \(bystander.summary)") }
        for (attack, target) in zip(attacks, targets) { print("  \(attack.name) got \(target.answers)") }
        let end = process.terminate()
        for target in targets { target.stop() }
        attackers.wait()
        print(
            "  sessions lost: \(verdict.lost)",
            String(format: "; SIGTERM ended it in %.1f s with %d", end.time, end.status), separator: "")
        if end.status != 0 || end.time >= 10 {
            verdict.faults.append(String(format: "SIGTERM: %.1f s, status %d", end.time, end.status))
        }
        return verdict
    }

    /// The verdict on the effects so far.
    private func verdict(on bystanders: [Bystander], _ targets: [Target]) -> Verdict {
        var verdict = Verdict(
            Attacks.name(of: attacks), faults: targets.map { $0.words(on: .fault) }.filter { !$0.isEmpty })
        // For earlier routes, the server promises only an answer, not a time.
        let promised = bystanders.filter { $0.bound != nil }
        verdict.times = (promised.map(\.times.p99).max() ?? 0, promised.map(\.times.longest).max() ?? 0)
        verdict.refused = promised.map(\.failures).reduce(0, +) + targets.map { $0.number(of: .refusal) }.reduce(0, +)
        verdict.lost = targets.map { $0.number(of: .loss) }.reduce(0, +)
        verdict.limit = settings[ServerProgram.memoryLimit].flatMap { Int($0) }
        if promised.contains(where: \.isLate) { verdict.faults.append("late") }
        for target in targets {
            for harm in [Target.Harm.refusal, .loss] where target.number(of: harm) > 0 {
                print("  \(target.words(on: harm))")
            }
        }
        return verdict
    }

    /// The size of the crowd. It leaves most of the sessions to others.
    private var crowdSize: Int {
        min(1_000, settings[ServerProgram.sessionLimit].flatMap { Int($0) }.map { $0 / 5 } ?? 1_000)
    }

    /// Clients that check whether the server is alive, one with a session, newcomers, and one that reads earlier routes
    /// of a longer session.
    private func bystanders(session: RacingSession, long: RacingSession) -> [Bystander] {
        [
            Bystander("/livez", port: process.port, rate: 100, bound: 50, HTTPText.get("/livez")),
            Bystander(
                "POST /events", port: process.port, rate: 100, bound: 50,
                HTTPText.post("/events", RacingSession.favorite(true), headers: [session.session])),
            Bystander(
                "/livez of newcomers", port: process.port, rate: 20, bound: 50, isNewcomer: true,
                HTTPText.get("/livez")),
            Bystander(
                "GET /route of newcomers", port: process.port, rate: 20, bound: 50, isNewcomer: true,
                HTTPText.get("/route", headers: [session.session])),
            Bystander(
                "GET /route?version=3000", port: process.port, rate: 2, bound: nil,
                HTTPText.get("/route?version=3000", headers: [long.session])),
        ]
    }
}
