import Foundation
import HTTPTypes
import Hummingbird

/// The measured part of the racing app as an ordinary program with Hummingbird: sessions in a dictionary, events that
/// change them, and documents that `JSONEncoder` writes.
///
///     hummingbird-app SEASON [FILE]
///
/// SEASON is `config/racing.json`. With FILE, each event is a commit in that SQLite file before it is answered. The
/// paths, headers and documents are those of Coordinate's server, so that the same clients can use both.
@main
struct HummingbirdApp {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else { fatalError("hummingbird-app SEASON [FILE]") }
        let season = try JSONDecoder().decode(Season.self, from: Data(contentsOf: URL(filePath: arguments[1])))
        let sessions: any SessionStore =
            if arguments.count > 2 {
                try StoredSessions(path: arguments[2], season: season)
            } else {
                MemorySessions(season: season)
            }
        let application = Application(
            router: router(to: sessions, season: season),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                FileHandle.standardOutput.write(
                    Data("listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n".utf8))
            })
        try await application.runService()
    }

    private static func router(to sessions: any SessionStore, season: Season) -> Router<BasicRequestContext> {
        guard let sessionHeader = HTTPField.Name("Session"), let preferHeader = HTTPField.Name("Prefer") else {
            preconditionFailure("The names of the headers are valid.")
        }
        let router = Router()
        router.get("route") { request, _ -> EditedResponse<RouteDocument> in
            guard let id = request.headers[sessionHeader] else {
                let session = try await sessions.create()
                return EditedResponse(
                    headers: [sessionHeader: session.id], response: RouteDocument(session, in: season))
            }
            let session = try sessions.session(id)
            return EditedResponse(
                headers: [.eTag: "\"\(session.version)\""], response: RouteDocument(session, in: season))
        }
        router.post("events") { request, context -> Outcome in
            guard let id = request.headers[sessionHeader] else {
                throw HTTPError(.badRequest, message: "The header Session is missing.")
            }
            let event = try await request.decode(as: Event.self, context: context)
            let (before, after) = try await sessions.apply(event, to: id)
            let isMinimal = request.headers[preferHeader] == "return=minimal"
            return Outcome(
                of: event, from: before, to: after, route: isMinimal ? nil : RouteDocument(after, in: season))
        }
        return router
    }
}
