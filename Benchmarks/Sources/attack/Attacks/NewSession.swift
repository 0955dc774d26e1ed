import Loopback

/// Makes a session with each request, as an image tag on a page would.
struct NewSession: Attack {
    static let name = "new-session"
    static let summary = "8 connections at GET /route without a session, which makes one each time"

    private let target: Target

    init(against target: Target) throws { self.target = target }

    func run() {
        target.flood(connections: 8) { _ in HTTPText.get("/route") }
    }
}
