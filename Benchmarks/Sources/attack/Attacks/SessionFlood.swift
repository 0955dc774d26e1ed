import Foundation
import Loopback

/// Creates sessions endlessly on a server that has room for few, while others use theirs.
///
/// Some of the others share the attacker's address, as behind a router. The server can refuse them new sessions, but
/// they keep their existing ones.
struct SessionFlood: Attack {
    static let name = "session-flood"
    static let summary =
        "8 connections that create sessions endlessly on a server with room for 200, 32 of which are in use"
    static let settings = [ServerProgram.sessionLimit: "200"]

    private let target: Target
    private let victims: [Victim]

    init(against target: Target) throws {
        self.target = target
        victims = try ["127.0.0.1", Target.attacker].flatMap { address in
            try Victim.Use.allCases.flatMap { use in
                try (0..<4).map { _ in try Victim(at: address, use, of: target) }
            }
        }
    }

    func run() {
        let group = DispatchGroup()
        for victim in victims { group.run { victim.run() } }
        group.run { beginSessions() }
        target.flood(connections: 8) { _ in HTTPText.get("/route") }
        group.wait()
    }

    func judge() {
        for victim in victims { victim.judge() }
    }

    /// Creates a session now and then at the victims' address, returns to it, and ends it.
    private func beginSessions() {
        while !target.isOver {
            do {
                let client = try LoopbackClient(port: target.port)
                let answer = try client.ask(HTTPText.get("/route"))
                guard let id = answer.header("Session"), answer.status == 200 else {
                    if !target.isOver { target.record(.refusal, "\(answer.status) for a victim's new session") }
                    usleep(200_000)
                    continue
                }
                usleep(500_000)
                let end = try client.ask(HTTPText.delete("/sessions/\(id)"))
                if end.status != 204, !target.isOver { target.record(.loss, "a victim's new session") }
            } catch {
                usleep(10_000)
            }
        }
    }
}

/// A client with a session that is in use, even if it has no event.
private struct Victim: Sendable {
    enum Use: String, CaseIterable {
        case followed, awaited, read, forked
    }

    private let target: Target
    private let address: String
    private let use: Use
    private let session: RacingSession

    init(at address: String, _ use: Use, of target: Target) throws {
        self.target = target
        self.address = address
        self.use = use
        let client = try target.connect(from: address)
        let new = try RacingSession.new(on: client)
        guard use == .forked else {
            session = new
            return
        }
        let fork = try client.send(HTTPText.post("/sessions/\(new.id)/forks", #"{"version": 0}"#))
        guard let id = fork.header("Location")?.split(separator: "/").last else {
            throw BenchmarkError("The server did not name the fork.")
        }
        session = RacingSession(id: String(id))
        try client.send(HTTPText.delete("/sessions/\(new.id)"))
    }

    /// Uses the session until the attack is over.
    func run() {
        while !target.isOver {
            do {
                switch use {
                case .followed: try follow()
                case .awaited: try wait()
                case .read: try read()
                case .forked: return
                }
            } catch {
                usleep(10_000)
            }
        }
    }

    /// Checks that the session still exists.
    func judge() {
        let answer = try? target.connect(from: address).ask(HTTPText.get("/sessions/\(session.id)"))
        if answer?.status != 200 { target.record(.loss, "a session that was \(use.rawValue), at \(address)") }
    }

    private func follow() throws {
        let stream = try LiveStream(port: target.port, from: address, session: session.id)
        while !target.isOver, !stream.isOver { _ = try stream.next(within: .milliseconds(500)) }
        usleep(100_000)
    }

    private func wait() throws {
        let client = try target.connect(from: address)
        let path = "/sessions/\(session.id)/route"
        guard let tag = try client.ask(HTTPText.get(path)).header("ETag") else {
            usleep(100_000)
            return
        }
        try client.write(HTTPText.get(path, headers: ["If-None-Match: \(tag)", "Prefer: wait=30"]))
        while !target.isOver, try client.receive(within: .milliseconds(500)) == nil {}
    }

    private func read() throws {
        _ = try target.connect(from: address).ask(HTTPText.get("/sessions/\(session.id)/route"))
        usleep(500_000)
    }
}
