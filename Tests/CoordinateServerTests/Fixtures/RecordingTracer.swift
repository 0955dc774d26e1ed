import Synchronization
import Testing
import Tracing

/// A tracing backend that stores its spans.
final class RecordingTracer: Tracer {
    private let recorded = Mutex<[RecordedSpan]>([])

    var spans: [RecordedSpan] { recorded.withLock { $0 } }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> RecordedSpan {
        recorded.withLock { recorded in
            let span = RecordedSpan(operationName, kind, in: context(), number: recorded.count + 1)
            recorded.append(span)
            return span
        }
    }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let parts = extractor.extract(key: "traceparent", from: carrier)?.split(separator: "-") ?? []
        guard parts.count == 4 else { return }
        context[Place.self] = Place(
            trace: String(parts[1]), span: String(parts[2]), state: extractor.extract(key: "tracestate", from: carrier))
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let place = context[Place.self] else { return }
        injector.inject("00-\(place.trace)-\(place.span)-01", forKey: "traceparent", into: &carrier)
    }

    func forceFlush() {}
}

/// A place in a trace, as stored in contexts.
private struct Place: ServiceContextKey {
    typealias Value = Place

    var trace: String
    var span: String
    var state: String?
}

final class RecordedSpan: Span {
    private struct State {
        var operationName: String
        var attributes: SpanAttributes = [:]
        var hasFailed = false
        var isOver = false
    }

    let context: ServiceContext
    let kind: SpanKind
    let id: String
    let trace: String
    let parent: String?
    let state: String?
    private let recorded: Mutex<State>

    init(_ name: String, _ kind: SpanKind, in context: ServiceContext, number: Int) {
        let place = context[Place.self]
        self.kind = kind
        id = "000000000000000\(number)"
        trace = place?.trace ?? "00000000000000000000000000000001"
        parent = place?.span
        state = place?.state
        var own = context
        own[Place.self] = Place(trace: trace, span: id, state: state)
        self.context = own
        recorded = Mutex(State(operationName: name))
    }

    var traceparent: String { "00-\(trace)-\(id)-01" }
    var isRecording: Bool { !isOver }
    var isOver: Bool { recorded.withLock { $0.isOver } }
    var hasFailed: Bool { recorded.withLock { $0.hasFailed } }

    var operationName: String {
        get { recorded.withLock { $0.operationName } }
        set { recorded.withLock { $0.operationName = newValue } }
    }

    var attributes: SpanAttributes {
        get { recorded.withLock { $0.attributes } }
        set { recorded.withLock { $0.attributes = newValue } }
    }

    func setStatus(_ status: SpanStatus) { recorded.withLock { $0.hasFailed = status.code == .error } }
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}

    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        Issue.record("An error may contain confidential text.")
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        recorded.withLock { recorded in
            #expect(!recorded.isOver)
            recorded.isOver = true
        }
    }
}

extension SpanAttributes {
    func text(_ name: String) -> String? {
        var text: String?
        forEach { key, value in
            switch value {
            case .string(let value) where key == name: text = value
            case .int32(let value) where key == name: text = "\(value)"
            case .int64(let value) where key == name: text = "\(value)"
            default: break
            }
        }
        return text
    }
}
