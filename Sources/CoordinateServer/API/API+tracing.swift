internal import CoordinateSessions
internal import MicroHTTPD
internal import Tracing

extension API {
    /// Its field, in lower case (section 3.2.1).
    private static let traceparent = HTTPField.Name(Traceparent.field)!

    /// Continues the trace that a request belongs to (https://www.w3.org/TR/trace-context). Its response and its
    /// event's journal entry name the request's place in the trace. If the program has a tracing backend, that place is
    /// a span of this server.
    func continueTrace(of request: borrowing HTTPRequest) {
        guard isTraced, request.isObserved, let tracing = app.tracing else {
            guard let traceparent = request.traceparent else { return }
            return request.addToAnswer([Self.traceparent: traceparent])
        }
        let method = request.method.rawValue
        let span = tracing.startSpan(method, .server, under: request.traceFields)
        if let traceparent = tracing.traceparent(of: span) {
            request.addToAnswer([Self.traceparent: traceparent])
        }
        request.whenOver { [metrics] exchange in
            let route = exchange.kind.map(metrics.byRoute.pattern)
            if let route { span.operationName = "\(method) \(route)" }
            // https://opentelemetry.io/docs/specs/semconv/http/http-spans
            span.attributes["http.request.method"] = method
            span.attributes["http.route"] = route
            span.attributes["http.response.status_code"] = exchange.status?.code
            if exchange.status?.kind == .serverError { span.setStatus(SpanStatus(code: .error)) }
            span.end()
        }
    }
}

extension HTTPRequest {
    /// The place in a trace that the request names; `nil` if it names none or a malformed one.
    fileprivate var traceparent: String? {
        header(.traceparent).flatMap { Traceparent.read($0.utf8) }
    }

    /// The header fields about the trace, which a tracing backend understands.
    fileprivate var traceFields: [String: String] {
        guard let traceparent else { return [:] }
        var fields = [Traceparent.field: traceparent]
        // One list in any number of lines (section 3.3.1). The limit on the head bounds its length.
        for name in [.tracestate, .baggage] as [HTTPField.Name] {
            let values = headers(named: name)
            if !values.isEmpty { fields[name.canonicalName] = values.joined(separator: ",") }
        }
        return fields
    }
}
