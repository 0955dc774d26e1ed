import Loopback

/// Opens as many connections as possible and keeps them: with nothing sent, half a head, half a body, or half closed.
struct HeldConnection: Attack {
    static let name = "held-connection"
    static let summary = "10,000 connections that send nothing, or half of a request"
    static let settings = ServerProgram.littleMemory

    private let target: Target

    init(against target: Target) throws { self.target = target }

    func run() {
        target.hold(connections: 10_000, reading: 4_096) { number, client in
            switch number % 4 {
            case 0: break
            case 1: try client.write("GET /route HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half:")
            case 2:
                let whole = HTTPText.post("/events", "{")
                try client.write(whole.replacing("Content-Length: 1", with: "Content-Length: 900"))
            default:
                try client.write("GET /livez HTTP/1.1\r\nHost:")
                client.closeSending()
            }
        }
    }
}
