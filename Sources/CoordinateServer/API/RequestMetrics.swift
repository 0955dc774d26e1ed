internal import MicroHTTPD
internal import Synchronization

/// The answered requests by endpoint and status: their number, durations and response sizes.
///
/// The thread that serves a request counts it, in atomic counters of its endpoint and status, without a lock or a
/// look-up by name.
final class RequestMetrics: Sendable {
    /// The upper bounds of the histogram's buckets, in seconds.
    static let bounds = [
        0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let nanosecondBounds = bounds.map { Int64($0 * 1e9) }

    /// The endpoints by their numbers, then one kind each for the host's own endpoints, for files and for all other
    /// requests.
    private let routes: [(method: String, pattern: String)]
    /// The kind of the host's own endpoints, whose numbers follow those of the others.
    private let own: Int
    /// The kind of files.
    let files: Int
    private let other: Int
    /// One row per status of each kind.
    private let rows: [Row]

    init(of endpoints: [Endpoint]) {
        own = endpoints.count
        (files, other) = (own + 1, own + 2)
        routes =
            endpoints.map { ($0.method.rawValue, $0.pattern) } + [
                ("any", "/x/{path}"), ("GET", "/{file}"), ("other", "other"),
            ]
        rows = (0..<routes.count * Self.statuses.count).map { _ in Row() }
    }

    static let durationName = "coordinate_http_request_duration_seconds"
    static let sizeName = "coordinate_http_response_size_bytes"

    /// The kind of the requests to an endpoint.
    func kind(of endpoint: Int) -> Int { min(endpoint, own) }
    /// The endpoint of an exchange.
    func route(of exchange: HTTPExchange) -> (method: String, pattern: String) { routes[exchange.kind ?? other] }
    /// The pattern of the paths of a kind of requests.
    func pattern(of kind: Int) -> String { routes[kind].pattern }
    /// The name of a kind of requests, such as `POST /sessions/{id}/events`.
    func name(of kind: Int) -> String { "\(routes[kind].method) \(routes[kind].pattern)" }

    /// The statuses that the server sends, and 0 for all others.
    private static let statuses =
        [0, 200, 201, 202, 204, 303, 304] + Set(Problem.Kind.allCases.map(\.status.code)).sorted()
    /// The position of each status among them.
    private static let placeOfStatus = (0..<600).map { statuses.firstIndex(of: $0) ?? 0 }

    private final class Row: Sendable {
        /// One counter per bound, and one for everything above.
        let buckets = InlineArray<17, Atomic<Int>> { _ in Atomic(0) }
        let nanoseconds = Atomic<Int64>(0)
        let bytes = Atomic(0)
    }

    /// Counts an exchange, unless it was a stream, which lasts as long as its client listens.
    func record(_ exchange: HTTPExchange) {
        guard let status = exchange.status, !exchange.isStream else { return }
        let row = rows[(exchange.kind ?? other) * Self.statuses.count + Self.placeOfStatus[status.code]]
        let time = exchange.nanoseconds
        let bucket = Self.nanosecondBounds.firstIndex { time <= $0 } ?? Self.bounds.count
        row.buckets[bucket].wrappingAdd(1, ordering: .relaxed)
        row.nanoseconds.wrappingAdd(time, ordering: .relaxed)
        row.bytes.wrappingAdd(exchange.size ?? 0, ordering: .relaxed)
    }

    /// Both families in Prometheus's text format 0.0.4. Endpoints without requests are left out.
    var text: String {
        var durations = """
            # HELP \(Self.durationName) Time from a request's first line to the last byte of its response, except streams.
            # TYPE \(Self.durationName) histogram

            """
        var sizes = """
            # HELP \(Self.sizeName) Body sizes of these responses.
            # TYPE \(Self.sizeName) summary

            """
        for (number, row) in rows.enumerated() {
            let (route, status) = number.quotientAndRemainder(dividingBy: Self.statuses.count)
            let labels = """
                method="\(routes[route].method)",route="\(routes[route].pattern)",\
                status="\(Self.statuses[status] == 0 ? "other" : String(Self.statuses[status]))"
                """
            var count = 0
            var buckets = ""
            for index in row.buckets.indices {
                count += row.buckets[index].load(ordering: .relaxed)
                let bound = index < Self.bounds.count ? "\(Self.bounds[index])" : "+Inf"
                buckets += "\(Self.durationName)_bucket{\(labels),le=\"\(bound)\"} \(count)\n"
            }
            guard count > 0 else { continue }
            let sum = Double(row.nanoseconds.load(ordering: .relaxed)) / 1e9
            durations += buckets
            durations += "\(Self.durationName)_sum{\(labels)} \(sum)\n"
            durations += "\(Self.durationName)_count{\(labels)} \(count)\n"
            sizes += "\(Self.sizeName)_sum{\(labels)} \(row.bytes.load(ordering: .relaxed))\n"
            sizes += "\(Self.sizeName)_count{\(labels)} \(count)\n"
        }
        return durations + sizes
    }
}
