extension AppGraph {
    /// An arrow of a drawing: all events that lead from one state to another.
    private struct Arrow {
        let from: Int
        let to: Int
        var events: [String]
    }

    private var arrows: [Arrow] {
        var arrows: [Arrow] = []
        var indexByEnds: [[Int]: Int] = [:]
        for transition in transitions {
            let ends = [transition.from, transition.to]
            let event = transition.step.event
            if let index = indexByEnds[ends] {
                if !arrows[index].events.contains(event) { arrows[index].events.append(event) }
            } else {
                indexByEnds[ends] = arrows.count
                arrows.append(Arrow(from: transition.from, to: transition.to, events: [event]))
            }
        }
        return arrows
    }

    /// The graph as a flow chart of Mermaid (https://mermaid.js.org/syntax/flowchart.html). States with findings are
    /// marked.
    public var mermaid: String {
        let marked = Set(findings.compactMap(\.state))
        var lines = ["flowchart LR"]
        for state in states { lines.append("    s\(state.id)[\"\(Self.escapedForMermaid(label(of: state)))\"]") }
        for arrow in arrows {
            let events = arrow.events.map(Self.escapedForMermaid).joined(separator: "<br>")
            lines.append("    s\(arrow.from) -->|\"\(events)\"| s\(arrow.to)")
        }
        if !marked.isEmpty {
            lines.append("    classDef finding stroke:#c00,stroke-width:3px")
            lines.append("    class \(marked.sorted().map { "s\($0)" }.joined(separator: ",")) finding")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The graph in the language of Graphviz (https://graphviz.org/doc/info/lang.html). States with findings are
    /// marked.
    public var dot: String {
        let marked = Set(findings.compactMap(\.state))
        var lines = ["digraph \(Self.quotedForDot(app)) {", "    rankdir=LR", "    node [shape=box]"]
        for state in states {
            let mark = marked.contains(state.id) ? ", color=red, penwidth=3" : ""
            lines.append("    s\(state.id) [label=\(Self.quotedForDot(label(of: state)))\(mark)]")
        }
        for arrow in arrows {
            lines.append(
                "    s\(arrow.from) -> s\(arrow.to) [label=\(Self.quotedForDot(arrow.events.joined(separator: "\n")))]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// The text of a state in a drawing. A fingerprint is of no use to people.
    private func label(of state: State) -> String {
        key == .document ? "\(state.path) \(state.screen)" : state.key
    }

    private static func escapedForMermaid(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\"": "#quot;"
            case "#": "#35;"
            case "<": "#lt;"
            case ">": "#gt;"
            case "\n", "\r", "\r\n": " "
            default: String(character)
            }
        }.joined()
    }

    private static func quotedForDot(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n", "\r", "\r\n": "\\n"
            default: String(character)
            }
        }.joined()
        return "\"\(escaped)\""
    }
}
