package import Tracing

/// The spans of a program that has a tracing backend: of requests, turns, commits and work.
///
/// A `traceparent` names a span in its trace: requests contain one, and entries keep it. So a piece of work that begins
/// after a restart is still part of the trace of the request that led to it.
package struct SpanTracing: Sendable {
    private let tracer: any Tracer

    package init(_ tracer: any Tracer) {
        self.tracer = tracer
    }

    /// The tracing with the backend that the program gave `InstrumentationSystem`; `nil` if it gave none.
    package static var ofProcess: SpanTracing? {
        let tracer = InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : SpanTracing(tracer)
    }

    /// Begins a span.
    ///
    /// - Parameter parent: The header fields that name the parent span, as in a request; empty if there is none.
    package func startSpan(
        _ name: String, _ kind: SpanKind = .internal, under parent: [String: String]
    ) -> any Span {
        var context = ServiceContext.topLevel
        tracer.extract(parent, into: &context, using: TraceFields())
        return tracer.startAnySpan(name, context: context, ofKind: kind)
    }

    func startSpan(_ name: String, under traceparent: String?) -> any Span {
        startSpan(name, under: traceparent.map { [Traceparent.field: $0] } ?? [:])
    }

    /// The `traceparent` of a span, for its children; `nil` if the backend has no W3C trace context.
    package func traceparent(of span: any Span) -> String? {
        var fields: [String: String] = [:]
        tracer.inject(span.context, into: &fields, using: TraceFields())
        return fields[Traceparent.field].flatMap { Traceparent.read($0.utf8) }
    }

    /// Runs a body in a span. Spans in the body become its children: by the task's context, or by its `traceparent`.
    func withSpan<Result>(
        _ name: String, under parent: String?, _ body: (_ traceparent: String?) async throws -> Result
    ) async throws -> Result {
        let span = startSpan(name, under: parent)
        defer { span.end() }
        do {
            return try await ServiceContext.withValue(span.context) {
                try await body(traceparent(of: span) ?? parent)
            }
        } catch {
            // Left out of the trace, since the error's text may be secret.
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }
}

extension Span {
    /// Ends the span, which has failed if the result is a failure. The error's text is left out, since it may be secret.
    func end<Success, Failure>(with result: Result<Success, Failure>) {
        if case .failure = result { setStatus(SpanStatus(code: .error)) }
        end()
    }
}

/// Access to the fields of a message by their names.
private struct TraceFields: Extractor, Injector {
    func extract(key: String, from fields: [String: String]) -> String? { fields[key.lowercased()] }

    func inject(_ value: String, forKey key: String, into fields: inout [String: String]) {
        fields[key.lowercased()] = value
    }
}
