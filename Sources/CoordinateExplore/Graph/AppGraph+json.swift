import Coordinate
package import JSON

extension AppGraph {
    /// The graph as a JSON document, with a line feed at the end: the same bytes in every run.
    public var json: [UInt8] { json() }

    /// The graph as a JSON document.
    ///
    /// - Parameter more: Writes further members, after the graph's own.
    package func json(_ more: (inout JSONWriter<[UInt8]>) -> Void = { _ in }) -> [UInt8] {
        var json = JSONWriter<[UInt8]>(capacity: 512 * (states.count + 1))
        json.line {
            $0.object { json in
                json.field("explore", 1)
                json.field("app", app)
                json.field("appVersion", appVersion)
                json.field("key", key.rawValue)
                json.array("states", states) { $0.state($1) }
                json.array("transitions", transitions) { $0.transition($1) }
                json.array("findings", findings) { $0.finding($1) }
                json.field("truncated", isTruncated)
                json.field("frontier", frontier)
                more(&json)
            }
        }
        return json.finish()
    }
}

extension JSONWriter<[UInt8]> {
    fileprivate mutating func state(_ state: AppGraph.State) {
        object {
            $0.field("id", state.id)
            $0.field("key", state.key)
            $0.field("path", state.path)
            $0.field("screen", state.screen)
            $0.field("title", state.title)
            $0.field("status", state.offer.status.rawValue)
            $0.array("offers", state.offer.events) { $0.string($1) }
            $0.array("pending", state.offer.pending) { $0.string($1) }
            $0.field("parked", state.offer.parked)
            $0.plain(
                "facts",
                .object(state.offer.facts.sorted { $0.key < $1.key }.map { PlainField($0.key, .string($0.value)) }))
            $0.field("depth", state.depth)
            $0.array("journal", state.journal) { $0.step($1) }
        }
    }

    fileprivate mutating func transition(_ transition: AppGraph.Transition) {
        object {
            $0.field("from", transition.from)
            $0.field("to", transition.to)
            $0.field("event", transition.step.event)
            $0.plain("payload", transition.step.payload)
            $0.field("handledBy", transition.handledBy)
            $0.field("title", transition.title)
            $0.origin(transition.step.origin)
        }
    }

    fileprivate mutating func finding(_ finding: Finding) {
        object {
            $0.field("class", finding.isWrong ? "wrong" : "not-reached")
            $0.field("kind", finding.kind.rawValue)
            $0.field("detail", finding.detail)
            $0.field("state", finding.state)
            $0.array("journal", finding.journal) { $0.step($1) }
        }
    }

    /// Writes an event of a journal, in the form of a request to emit it.
    package mutating func step(_ step: Step) {
        object {
            $0.field("event", step.event)
            $0.plain("payload", step.payload)
            $0.field("at", step.at)
            $0.origin(step.origin)
            if let pending = step.pending { $0.field("pending", pending) }
        }
    }

    /// Writes the source of an event; nothing for a client's event, which is the usual case.
    private mutating func origin(_ origin: Step.Origin) {
        if origin != .client { field("origin", origin.rawValue) }
    }
}
