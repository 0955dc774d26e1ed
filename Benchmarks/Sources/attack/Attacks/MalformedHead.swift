import Loopback

/// Sends heads that no client should send.
struct MalformedHead: Attack {
    static let name = "malformed-head"
    static let summary = "8 connections that send malformed, doubled and enormous heads"

    private let target: Target

    init(against target: Target) throws { self.target = target }

    func run() {
        let heads = [
            "GET /route HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "POST /events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1x\r\n\r\n",
            HTTPText.get("/livez", headers: ["Cookie: \(String(repeating: "a", count: 20_000))"]),
            HTTPText.get("/livez?\(String(repeating: "a&", count: 3_000))"),
            HTTPText.get("/\(String(repeating: "a", count: 40_000))"),
            HTTPText.get("/route", headers: ["Host: example.org"]), "NONSENSE\r\n\r\n",
            HTTPText.get("/route").replacing("127.0.0.1", with: "evil.example"),
        ]
        target.flood(connections: 8) { number, client in
            for head in heads {
                // The server can close the connection after each answer.
                target.count((try? target.connect().ask(head).status).map(String.init) ?? "closed")
            }
        }
    }
}
