import CoordinateSessions
import CoordinateTesting
import MetricsTestKit
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

/// What a metrics backend of the program gets, beside the text for Prometheus.
struct MetricsExportTests {
    private let backend = TestMetrics()

    private func withExportingRacing(_ body: (Server, TestServer) async throws -> Void) async throws {
        let host = try Server(
            app: try RacingApp.make(), configuration: .make(), logger: .silent, clock: .system,
            journal: MemoryJournal(), metrics: MetricsExport(to: backend))
        try await withServer(host, over: .socket) { try await body(host, $0) }
    }

    @Test func aBackendGetsWhatTheTextSays() async throws {
        try await withExportingRacing { host, server in
            let client = server.client()
            try await client.start()
            try await client.emit("comparison.finish", expecting: .unhandled)
            host.sweep()
            #expect(try backend.expectCounter("coordinate_events_total").totalValue == 2)
            #expect(try backend.expectCounter("coordinate_events_unhandled_total").totalValue == 1)
            #expect(try backend.expectGauge("coordinate_sessions").lastValue == 1)
            #expect(try backend.expectCounter("coordinate_turn_seconds_count", [("app", "Racing")]).totalValue == 2)
            let memory = try backend.expectGauge("coordinate_memory_bytes", [("kind", "trees")])
            #expect(try #require(memory.lastValue) > 0)

            // A counter reports its growth, and a sum that has not grown nothing.
            try await client.emit("comparison.finish", expecting: .unhandled)
            host.sweep()
            host.sweep()
            // The server also sweeps once a second, on a busy machine between two events.
            let growth = try backend.expectCounter("coordinate_events_total").values
            #expect(growth.reduce(0, +) == 3 && growth.allSatisfy { $0 > 0 }, "\(growth)")
        }
    }

    @Test func everyMetricOfTheTextIsExported() async throws {
        try await withExportingRacing { host, server in
            let client = server.client()
            try await client.start()
            host.sweep()
            let lines = try await client.get("/metrics").text.split(separator: "\n")
            let names = Set(
                lines.filter { !$0.hasPrefix("#") }.map { String($0.prefix { $0 != "{" && $0 != " " }) }
                    .filter { !$0.hasPrefix("coordinate_http_re") })
            let exported = Set(
                backend.counters.map(\.label) + backend.recorders.map(\.label) + backend.meters.map(\.label))
            let unchanged = names.subtracting(exported)
            #expect(names.count > 30)
            #expect(unchanged.isEmpty, "not exported: \(unchanged)")
        }
    }

    @Test func eachRequestIsRecorded() async throws {
        try await withExportingRacing { _, server in
            let client = server.client()
            for _ in 0..<3 { _ = try await client.get("/livez") }
            _ = try await client.get("/nowhere")
            let labels = [("method", "GET"), ("route", "/livez"), ("status", "200")]
            // A request is recorded when its last byte is sent. The client may have that earlier.
            try await waitUntil("not all are recorded") {
                let timer = try? backend.expectTimer("coordinate_http_request_duration_seconds", labels)
                let others = try? backend.expectTimer(
                    "coordinate_http_request_duration_seconds",
                    [("method", "other"), ("route", "other"), ("status", "404")])
                return timer?.values.count == 3 && others?.values.count == 1
            }
            let sizes = try backend.expectRecorder("coordinate_http_response_size_bytes", labels)
            #expect(sizes.values == Array(repeating: Double(#"{"status":"ok"}"#.utf8.count), count: 3))
        }
    }
}
