import Foundation
import Loopback

/// Takes all connections there are, and keeps them: with nothing sent, half a head, half a body, or closed by half.
struct HeldConnection: Attack {
    static let name = "held-connection"
    static let summary = "10,000 connections that say nothing, or half of what they would"

    private static let connections = 10_000

    private let target: Target

    init(against target: Target) throws { self.target = target }

    func run() {
        Target.giveWay()
        var clients: [LoopbackClient?] = Array(repeating: nil, count: Self.connections)
        while !target.isOver {
            var opened = 0
            for place in clients.indices where !target.isOver {
                if let client = clients[place], !client.isClosedByServer { continue }
                clients[place] = nil
                guard let client = try? target.connect() else {
                    target.count("refused")
                    usleep(10_000)
                    continue
                }
                opened += 1
                try? open(client, place)
                clients[place] = client
            }
            // Only now does it begin to be felt.
            target.count("held", opened)
            usleep(50_000)
        }
    }

    private func open(_ client: LoopbackClient, _ place: Int) throws {
        switch place % 4 {
        case 0: break
        case 1: try client.write("GET /route HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half:")
        case 2:
            try client.write(HTTPText.post("/events", "{").replacing("Content-Length: 1", with: "Content-Length: 900"))
        default:
            try client.write("GET /livez HTTP/1.1\r\nHost:")
            client.closeSending()
        }
    }
}
