import CoordinateSessions
import CoordinateTesting
import InMemoryTracing
import SessionFixtures
import Testing
import Tracing

@testable import CoordinateServer

/// The traces to which requests belong (https://www.w3.org/TR/trace-context).
struct TracingTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let traceparent = "00-\(trace)-b7ad6b7169203331-01"
    private static let headers = ["traceparent": traceparent]
    private let world = World()

    @Test(arguments: TestTransport.allCases)
    func everyAnswerNamesTheTraceOfItsRequest(over transport: TestTransport) async throws {
        try await withClient(of: WorkApp(world), over: transport) { client in
            #expect(try await client.get("/route").header("traceparent") == nil)
            for path in ["/route", "/sessions", "/livez", "/nowhere", "/sessions/x/route", "/openapi.json"] {
                #expect(try await client.get(path, headers: Self.headers).header("traceparent") == Self.traceparent)
            }
            let tag = try #require(try await client.get("/route").header("ETag"))
            let unchanged = try await client.get("/route", headers: Self.headers.merging(["If-None-Match": tag]) { $1 })
            #expect(unchanged.status == 304)
            #expect(unchanged.header("traceparent") == Self.traceparent)
            for rest in ["", "-", "-more-of-it"] {
                let later = ["traceparent": "cc\(Self.traceparent.dropFirst(2))\(rest)"]
                #expect(try await client.get("/route", headers: later).header("traceparent") == Self.traceparent)
            }
            // The trace of one request must not be on a shared response.
            #expect(try await client.get("/route").header("traceparent") == nil)
        }
    }

    @Test(
        .working,
        arguments: [
            "", "00", "01", "00-\(trace)-b7ad6b7169203331", "00-\(trace)-b7ad6b7169203331-01-",
            "ff-\(trace)-b7ad6b7169203331-01",
            "00-\(trace.uppercased())-b7ad6b7169203331-01", "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-\(trace)-0000000000000000-01", "00_\(trace)_b7ad6b7169203331_01", "0g-\(trace)-b7ad6b7169203331-01",
            "01-\(trace)-b7ad6b7169203331-01x", "00-\(trace)-b7ad6b716920333-001",
        ])
    func malformedTraceparentsAreIgnored(text: String) async throws {
        let answer = try await client.post(
            "/events", json: ["event": "work.look"], headers: ["traceparent": text])
        #expect(answer.status == 200)
        #expect(answer.header("traceparent") == nil)
        #expect(try await client.get("/events").json["events"][0]["traceparent"] == nil)
    }

    @Test(.working) func entriesAndTheirCopiesKeepTheirTraces() async throws {
        _ = try await client.post("/events", json: ["event": "work.push"], headers: Self.headers)
        let path = try await client.route().path
        let link = try await client.put("/route", json: ["path": .string(path)], headers: Self.headers)
        #expect(link.status == 200)
        try await client.emit("work.look")
        let traces = { (document: JSON?) in document["events"]?.array.map { $0["traceparent"]?.string } }
        let expected = [Self.traceparent, Self.traceparent, nil]
        #expect(traces(try await client.get("/events").json) == expected)

        let exported = try await client.get("/events", headers: ["Accept": "application/x-ndjson"]).body
        let copy = server.client()
        let answer = try await copy.request(
            "POST", "/sessions", headers: ["Content-Type": "application/x-ndjson"], body: exported)
        #expect(answer.status == 201)
        let place = try #require(answer.header("Location"))
        #expect(traces(try await copy.get("\(place)/events").json) == expected)
    }

    @Test func workAndTimersBelongToTheRequestingTrace() async throws {
        let clock = ManualClock()
        let host = try Server(
            app: WorkApp(world), configuration: .make(), logger: .silent, clock: clock.clock, journal: MemoryJournal())
        try await withServer(host) { server in
            let client = server.client()
            for (event, payload) in [("work.ask", ["name": "pay"] as JSON), ("work.setTimer", ["seconds": 9])] {
                _ = try await client.post(
                    "/events", json: ["event": .string(event), "payload": payload], headers: Self.headers)
            }
            #expect(await world.call(0).traceparent == Self.traceparent)
            // A rebuilt tree reads it from the journal.
            clock.advance(by: 301)
            host.sweep()
            world.finish("pay")
            try await waitUntil("both outcomes are recorded") {
                host.sweep()
                return try await client.session().version == 4
            }
            let entries = try await client.get("/events").json["events"]?.array ?? []
            #expect(entries.map { $0["traceparent"]?.string } == Array(repeating: Self.traceparent, count: 4))
            try await client.emit("work.ask", ["name": "later"])
            #expect(await world.call(1).traceparent == nil)
        }
    }

    @Test(arguments: [true, false])
    func aBackendGetsSpansOfRequestsTurnsCommitsAndWork(isTraced: Bool) async throws {
        let tracer = HeaderTracer()
        let server = try Server(
            app: WorkApp(world), configuration: .make(), logger: .silent, clock: .system, journal: MemoryJournal(),
            tracing: SpanTracing(tracer))
        try await withServer(server, over: .socket) { server in
            let client = server.client()
            let answer = try await client.post(
                "/events", json: ["event": "work.ask", "payload": ["name": "pay"]],
                headers: isTraced ? Self.headers.merging(["tracestate": "a=1"]) { $1 } : [:])
            let call = await world.call(0)
            world.fail("pay")
            try await waitUntil("all spans are over") { tracer.memory.finishedSpans.count == 6 }
            #expect(tracer.memory.activeSpans.isEmpty)
            let all = tracer.memory.finishedSpans
            let spans = Dictionary(grouping: all, by: \.operationName).compactMapValues(\.first)
            let commits = all.filter { $0.operationName == "commit" }
            let request = try #require(spans["POST /events"])
            #expect(request.kind == .server)
            #expect(request.parentSpanID == (isTraced ? "b7ad6b7169203331" : nil))
            #expect(request.context[HeaderTracer.State.self] == (isTraced ? "a=1" : nil))
            #expect(request.attributes.get("http.request.method") == .string("POST"))
            #expect(request.attributes.get("http.route") == .string("/events"))
            #expect(request.attributes.get("http.response.status_code") == .int64(200))
            #expect(answer.header("traceparent") == request.spanContext.traceparent)
            #expect(spans["turn work.ask"]?.parentSpanID == request.spanID)
            #expect(commits.map(\.parentSpanID) == [request.spanID, request.spanID])
            #expect(!commits.contains { $0.status?.code == .error })
            let work = try #require(spans["work pay"])
            #expect(work.parentSpanID == request.spanID)
            #expect(work.status?.code == .error)
            #expect(call.traceparent == work.spanContext.traceparent)
            #expect(spans["turn work.didFail"]?.parentSpanID == request.spanID)
            #expect(all.allSatisfy { $0.traceID == (isTraced ? Self.trace : request.traceID) })
            // An error may contain confidential text.
            #expect(all.allSatisfy { $0.errors.isEmpty })
            let entry = try await client.get("/events").json["events"][0]
            #expect(entry["traceparent"]?.string == request.spanContext.traceparent)
        }
    }
}
