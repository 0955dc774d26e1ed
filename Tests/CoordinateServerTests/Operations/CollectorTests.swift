import CoordinateClient
import CoordinateSessions
import CoordinateTesting
import Foundation
import MicroHTTPD
import SessionFixtures
import Synchronization
import Testing
import Tracing

@testable import CoordinateServer

/// What a collector of OpenTelemetry receives of a session, if the program's tracing backend exports to one.
struct CollectorTests {
    private let world = World()

    @Test func oneTraceGoesFromTheRequestToTheOutcomeOfItsWork() async throws {
        let collector = Collector()
        let receiver = HTTPServer(
            configuration: HTTPServerConfiguration(
                host: "127.0.0.1", port: 0, workers: 2, connectionLimit: 10, requestDeadline: .seconds(10),
                maximumBodySize: 64 * 1_024),
            handler: collector)
        try receiver.start()
        let tracer = NotingTracer()
        let server = try Server(
            app: WorkApp(world), configuration: .make(), logger: .silent, clock: .system, journal: MemoryJournal(),
            tracing: SpanTracing(tracer))
        try await withServer(server) { server in
            let client = server.client()
            try await client.emit("work.ask", ["name": "pay"])
            world.fail("pay")
            try await waitUntil("all spans are over") { tracer.spans.count { $0.isOver } == 6 }
            try await tracer.export(to: SessionClient(url: "http://127.0.0.1:\(receiver.port)"))
        }
        #expect(
            collector.outline == """
                POST /events
                  commit
                  commit
                  turn work.ask
                  turn work.didFail
                  work pay

                """)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                receiver.drain()
                receiver.stop(deadline: .seconds(10))
                continuation.resume()
            }
        }
    }
}

extension NotingTracer {
    /// Sends all spans to a collector (https://opentelemetry.io/docs/specs/otlp/#otlphttp).
    fileprivate func export(to collector: SessionClient) async throws {
        let spans = spans.map { span -> JSON in
            [
                "traceId": .string(span.trace), "spanId": .string(span.id), "parentSpanId": .string(span.parent ?? ""),
                "name": .string(span.operationName),
            ]
        }
        let answer = try await collector.post(
            "/v1/traces", json: ["resourceSpans": [["scopeSpans": [["spans": .array(spans)]]]]])
        #expect(answer.status == 200)
    }
}

/// A collector that keeps the spans that it receives.
private final class Collector: HTTPHandler {
    private let spans = Mutex<[JSON]>([])

    func bodyPlan(for request: borrowing HTTPRequest) -> HTTPBodyPlan { .collect() }

    func respond(to request: borrowing HTTPRequest) -> HTTPAnswer {
        guard request.path == "/v1/traces", let body = try? JSONDecoder().decode(JSON.self, from: Data(request.body))
        else { return .now(HTTPResponse(status: 400)) }
        let received = (body["resourceSpans"]?.array ?? []).flatMap { $0["scopeSpans"]?.array ?? [] }
            .flatMap { $0["spans"]?.array ?? [] }
        spans.withLock { $0 += received }
        return .now(HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: "{}"))
    }

    func refuse(_ refusal: HTTPRefusal) -> HTTPResponse { HTTPResponse(status: refusal.status) }

    /// The names of all spans, each below its parent. Spans of several traces have no common root.
    var outline: String {
        let spans = spans.withLock { $0 }
        func outline(below parent: String, of trace: String, depth: Int) -> String {
            spans.filter { $0["parentSpanId"]?.string == parent && $0["traceId"]?.string == trace }
                .sorted { ($0["name"]?.string ?? "") < ($1["name"]?.string ?? "") }
                .map { span in
                    String(repeating: "  ", count: depth) + (span["name"]?.string ?? "") + "\n"
                        + outline(below: span["spanId"]?.string ?? "", of: trace, depth: depth + 1)
                }
                .joined()
        }
        return Set(spans.compactMap { $0["traceId"]?.string }).sorted()
            .map { outline(below: "", of: $0, depth: 0) }.joined()
    }
}
