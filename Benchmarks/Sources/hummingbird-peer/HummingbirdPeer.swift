import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Hummingbird without any work: it reads a request and sends as many bytes as Coordinate.
///
///     hummingbird-peer ROUTE MINIMAL FULL
///
/// The arguments are the sizes of the bodies of `GET /route` and of both kinds of `POST /events`.
@main
struct HummingbirdPeer {
    static func main() async throws {
        let sizes = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        guard sizes.count == 3, let prefer = HTTPField.Name("Prefer") else {
            fatalError("hummingbird-peer ROUTE MINIMAL FULL")
        }
        let bodies = sizes.map { ByteBuffer(repeating: UInt8(ascii: "x"), count: $0) }
        let (route, minimal, full) = (bodies[0], bodies[1], bodies[2])

        let router = Router()
        router.get("route") { request, _ -> Response in
            if request.headers[.ifNoneMatch] != nil {
                return Response(status: .notModified, headers: [.eTag: "\"1\""])
            }
            return Response(
                status: .ok, headers: [.contentType: "application/json", .eTag: "\"1\""],
                body: ResponseBody(byteBuffer: route))
        }
        router.post("events") { request, _ -> Response in
            _ = try await request.body.collect(upTo: 65_536)
            let isMinimal = request.headers[prefer] == "return=minimal"
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: isMinimal ? minimal : full))
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                FileHandle.standardOutput.write(
                    Data("listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n".utf8))
            })
        try await application.runService()
    }
}
