import InMemoryTracing
import Tracing

/// A tracing backend that keeps its spans in memory, and knows headers of Trace Context.
struct HeaderTracer: Tracer {
    /// The `tracestate` of a request.
    enum State: ServiceContextKey {
        typealias Value = String
    }

    let memory: InMemoryTracer

    init() {
        memory = InMemoryTracer(
            idGenerator: .init(
                nextTraceID: { "00000000000000000000000000000001" },
                nextSpanID: { String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }))
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        memory.startSpan(
            operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line
        )
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-").map(String.init) ?? []
        guard parts.count == 4 else { return }
        context.inMemorySpanContext = InMemorySpanContext(traceID: parts[1], spanID: parts[2], parentSpanID: nil)
        context[State.self] = extractor.extract(key: "tracestate", from: carrier)
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject(span.traceparent, forKey: "traceparent", into: &carrier)
    }

    func forceFlush() {}
}

extension InMemorySpanContext {
    var traceparent: String { "00-\(traceID)-\(spanID)-01" }
}
