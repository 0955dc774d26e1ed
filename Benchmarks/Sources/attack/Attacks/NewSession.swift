import Loopback

/// Creates a session with each request, as an image on a web page would.
struct NewSession: Attack {
    static let name = "new-session"
    static let summary = "8 connections that send GET /route without a session, which creates one each time"

    private let target: Target

    init(against target: Target) throws { self.target = target }

    func run() {
        target.flood(connections: 8) { _ in HTTPText.get("/route") }
    }
}
