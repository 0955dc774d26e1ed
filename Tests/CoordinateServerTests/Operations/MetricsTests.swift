import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing

@testable import CoordinateServer

@Suite(.racing(over: .socket)) struct MetricsTests {
    /// The names of samples with their labels, and their values.
    private static func samples(_ text: String) throws -> [(name: String, value: Double)] {
        try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.split(separator: " ")
            return (String(parts.dropLast().joined(separator: " ")), try #require(Double(parts[parts.count - 1])))
        }
    }

    private static let route = #"method="GET",route="/sessions/{id}/route",status="200""#

    @Test func requestsAreCountedByRouteAndStatus() async throws {
        try await client.start()
        let id = try #require(client.sessionID)
        var sizes = 0
        for _ in 0..<5 { sizes += try await client.get("/sessions/\(id)/route").body.count }
        _ = try await client.get("/sessions/none/route")
        _ = try await client.get("/nowhere")
        _ = try await client.request("BREW", "/route")
        // A request is counted when its last byte is sent. The client may have that earlier.
        try await waitUntil("not all are counted") {
            let text = try await client.get("/metrics").text
            return text.contains("size_bytes_count{\(Self.route)} 5\n")
                && text.contains("duration_seconds_count{method=\"other\",route=\"other\",status=\"405\"} 1\n")
        }
        let text = try await client.get("/metrics").text
        let samples = Dictionary(uniqueKeysWithValues: try Self.samples(text))
        let histogram = "coordinate_http_request_duration_seconds"
        #expect(samples["\(histogram)_bucket{\(Self.route),le=\"+Inf\"}"] == 5)
        #expect(samples["\(histogram)_count{\(Self.route)}"] == 5)
        #expect(try #require(samples["\(histogram)_sum{\(Self.route)}"]) > 0)
        #expect(samples["coordinate_http_response_size_bytes_sum{\(Self.route)}"] == Double(sizes))
        let missing = #"method="GET",route="/sessions/{id}/route",status="404""#
        #expect(samples["\(histogram)_count{\(missing)}"] == 1)
        #expect(samples["\(histogram)_count{method=\"other\",route=\"other\",status=\"404\"}"] == 1)
        #expect(samples["\(histogram)_count{method=\"POST\",route=\"/events\",status=\"200\"}"] == 1)
        #expect(!text.contains(id))
    }

    @Test func bucketsAreCumulative() async throws {
        for _ in 0..<20 { _ = try await client.get("/livez") }
        let text = try await client.get("/metrics").text
        let prefix = #"coordinate_http_request_duration_seconds_bucket{method="GET",route="/livez","#
        let buckets = try Self.samples(text).filter { $0.name.hasPrefix(prefix) }.map(\.value)
        #expect(buckets.count == RequestMetrics.bounds.count + 1)
        #expect(buckets == buckets.sorted())
    }

    /// An open stream is in flight. An ended one is in no histogram.
    @Test func streamsAreNotInTheHistogram() async throws {
        do {
            let stream = try await client.follow()
            #expect(try await client.metric("coordinate_streams") == 1)
            #expect(try await client.metric("coordinate_http_requests_in_flight") >= 2)
            withExtendedLifetime(stream) {}
        }
        let other = server.client()
        try await waitUntil("the stream is still open") { try await other.metric("coordinate_streams") == 0 }
        #expect(try await !other.get("/metrics").text.contains(#"method="GET",route="/events""#))
    }

    @Test func theDashboardUsesExistingMetrics() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../config/grafana.json")
        let dashboard = try String(contentsOf: file, encoding: .utf8)
        let names = Set(dashboard.matches(of: /coordinate_[a-z_]+/).map { String($0.output) })
        #expect(names.count > 10)
        try await client.start()
        let metrics = try await client.get("/metrics").text
        for name in names { #expect(metrics.contains("\n\(name)"), "\(name)") }
    }
}
