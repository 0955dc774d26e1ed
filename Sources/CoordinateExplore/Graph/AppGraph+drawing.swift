internal import Coordinate

extension AppGraph {
    /// A box of a drawing: a state; or, if the key is ``StateOffer``, a screen with all of its states.
    private struct Box {
        let label: String
        var hasFindings = false
        /// The number of times that sessions reached it; `nil` if the drawing does not show it.
        var uses: Int?

        var texts: [String] { [label] + (uses.map { [AppGraph.times($0)] } ?? []) }
    }

    /// An arrow of a drawing: all events that lead from one box to another.
    private struct Arrow {
        let from: Int
        let to: Int
        var events: [String]
        /// Whether one of the events is that of a destructive action.
        var isDestructive = false
        /// Whether all events are links, or say what they open.
        var isLink = true
        /// The number of times that sessions used it; `nil` if the drawing does not show it.
        var uses: Int

        var texts: [String] { uses == 0 ? events : events + [AppGraph.times(uses)] }
    }

    /// The boxes and arrows of a drawing.
    private struct Drawing {
        var boxes: [Box] = []
        var arrows: [Arrow] = []

        init(of graph: AppGraph, with coverage: Coverage?) {
            let marked = Set(graph.findings.filter(\.isWrong).compactMap(\.state))
            var boxByLabel: [String: Int] = [:]
            var boxByState: [Int] = []
            for state in graph.states {
                let label = graph.label(of: state)
                let box = graph.key == .offer ? boxByLabel[label] ?? boxes.count : boxes.count
                if box == boxes.count { boxes.append(Box(label: label, uses: coverage.map { _ in 0 })) }
                boxByLabel[label] = box
                boxByState.append(box)
                if marked.contains(state.id) { boxes[box].hasFindings = true }
                if let coverage { boxes[box].uses? += coverage.stateUses[state.id] }
            }
            var arrowByEnds: [[Int]: Int] = [:]
            for (position, transition) in graph.transitions.enumerated() {
                let (from, to) = (boxByState[transition.from], boxByState[transition.to])
                if graph.key == .offer, from == to || Self.isTabOrLink(transition) { continue }
                let arrow = arrowByEnds[[from, to]] ?? arrows.count
                if arrow == arrows.count { arrows.append(Arrow(from: from, to: to, events: [], uses: 0)) }
                arrowByEnds[[from, to]] = arrow
                let event = transition.step.event
                if !arrows[arrow].events.contains(event) { arrows[arrow].events.append(event) }
                if transition.role == .destructive { arrows[arrow].isDestructive = true }
                if transition.opens == nil, !Self.isLink(transition) { arrows[arrow].isLink = false }
                if let coverage { arrows[arrow].uses += coverage.transitionUses[position] }
            }
        }

        /// Whether an event is a tap on a tab, or a link.
        private static func isTabOrLink(_ transition: Transition) -> Bool {
            transition.step.event == "navigation.selectTab" || isLink(transition)
        }

        private static func isLink(_ transition: Transition) -> Bool {
            // A button may open a link as well.
            transition.step.event == "navigation.open" && transition.title == nil
        }
    }

    /// The graph as a flow chart of Mermaid (https://mermaid.js.org/syntax/flowchart.html). Boxes with findings that
    /// are wrong are marked. Arrows of destructive actions are red, and those of links are dashed.
    ///
    /// If the key is ``StateKey/offer``, a box is a screen with all of its states. The arrows connect screens, without
    /// tabs and links, which lead nearly everywhere.
    public var mermaid: String { mermaid(with: nil) }

    /// The flow chart, with the number of times that recorded sessions used each box and each arrow.
    public func mermaid(with coverage: Coverage?) -> String {
        let drawing = Drawing(of: self, with: coverage)
        func text(_ texts: [String]) -> String { texts.map(Self.escapedForMermaid).joined(separator: "<br>") }
        var lines = ["flowchart LR"]
        for (id, box) in drawing.boxes.enumerated() { lines.append("    s\(id)[\"\(text(box.texts))\"]") }
        for arrow in drawing.arrows {
            let line = arrow.isLink ? "-.->" : "-->"
            lines.append("    s\(arrow.from) \(line)|\"\(text(arrow.texts))\"| s\(arrow.to)")
        }
        let destructive = drawing.arrows.indices.filter { drawing.arrows[$0].isDestructive }
        if !destructive.isEmpty {
            lines.append("    linkStyle \(destructive.map(String.init).joined(separator: ",")) stroke:#c00")
        }
        let marked = drawing.boxes.indices.filter { drawing.boxes[$0].hasFindings }
        if !marked.isEmpty {
            lines.append("    classDef finding stroke:#c00,stroke-width:3px")
            lines.append("    class \(marked.map { "s\($0)" }.joined(separator: ",")) finding")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The graph in the language of Graphviz (https://graphviz.org/doc/info/lang.html), with the same boxes as
    /// ``mermaid``.
    public var dot: String { dot(with: nil) }

    /// The graph in the language of Graphviz, with the number of times that recorded sessions used each box and each
    /// arrow.
    public func dot(with coverage: Coverage?) -> String {
        let drawing = Drawing(of: self, with: coverage)
        func text(_ texts: [String]) -> String { Self.quotedForDot(texts.joined(separator: "\n")) }
        var lines = ["digraph \(Self.quotedForDot(app)) {", "    rankdir=LR", "    node [shape=box]"]
        for (id, box) in drawing.boxes.enumerated() {
            lines.append("    s\(id) [label=\(text(box.texts))\(box.hasFindings ? ", color=red, penwidth=3" : "")]")
        }
        for arrow in drawing.arrows {
            let look = (arrow.isLink ? ", style=dashed" : "") + (arrow.isDestructive ? ", color=red" : "")
            lines.append("    s\(arrow.from) -> s\(arrow.to) [label=\(text(arrow.texts))\(look)]")
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// The text of a state's box. A fingerprint is left out, since it is of no use to people.
    private func label(of state: State) -> String {
        switch key {
        case .offer, .screen: state.screen
        case .path: state.path
        case .document: "\(state.path) \(state.screen)"
        }
    }

    private static func times(_ uses: Int) -> String {
        switch uses {
        case 0: "never"
        case 1: "1 time"
        default: "\(uses) times"
        }
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
