import Foundation
import Loopback

/// Closes its sending side and keeps the connection.
struct HalfClosed: Attack {
    static let name = "half-closed"
    static let summary = "200 connections that close their sending side before, within and after a request"

    private static let connections = 200
    /// The longest time that the server can keep such a connection, in seconds.
    private static let bound = 4

    private let target: Target

    init(against target: Target) throws { self.target = target }

    func run() {
        // This runs at normal priority, so that the close arrives while the server answers the request.
        while !target.isOver {
            let clients = (0..<Self.connections).compactMap { try? halfClosed($0) }
            target.count("half closed", clients.count)
            let open = left(of: clients)
            if open > 0, !target.isOver {
                target.note(.fault, "half closed and still open after \(Self.bound) s", open)
            }
        }
    }

    private func halfClosed(_ number: Int) throws -> LoopbackClient {
        let client = try target.connect()
        switch number % 4 {
        case 0: break
        case 1: try client.write("GET /livez HTTP/1.1\r\nHost:")
        case 2: try client.send(HTTPText.get("/livez"))
        default: try client.write(HTTPText.get("/livez"))
        }
        client.closeSending()
        return client
    }

    /// The number of connections that are still open after the server's time limit.
    private func left(of clients: [LoopbackClient]) -> Int {
        var open = clients
        let end = ContinuousClock.now + .seconds(Self.bound)
        while !target.isOver, ContinuousClock.now < end {
            usleep(100_000)
            open.removeAll { $0.isClosedByServer() }
            if open.isEmpty { return 0 }
        }
        return open.count
    }
}
