extension Place {
    /// The place as lines of text, as a person sees it: what is around the screen, its rows with their buttons, its own
    /// buttons and forms, and what no screen shows.
    ///
    /// - Parameter isDetailed: Whether it shows what a person does not see: ids, events and payloads.
    private func drawing(isDetailed: Bool) -> [String] {
        let status = status == "ready" ? "" : ", \(status)"
        let buttons = Dictionary(grouping: offers) { $0.row }.mapValues {
            $0.map { $0.drawing(isDetailed: isDetailed) }
        }
        return [path, "\(screen) (\(style)\(status))"]
            + texts.map { "\($0.name): \($0.text)" }
            + rows.map { row in
                let texts = [isDetailed ? row.id : nil, row.title, row.subtitle, row.value, row.isFavorite ? "★" : nil]
                    .compactMap(\.self)
                return ([texts.joined(separator: " · ")] + (buttons[row.id] ?? [])).joined(separator: "  ")
            }
            + (buttons[nil] ?? [])
            + pending.map { "pending: \($0)" }
            + (parked.map { ["parked: \($0)"] } ?? [])
            + facts.map { "\($0.name): \($0.text)" }
    }

    /// The differences from another place, line by line as `diff` marks them. Lines that only moved are the same.
    func difference(from former: Place) -> String {
        var (old, new) = (former.drawing(isDetailed: false), drawing(isDetailed: false))
        if old == new { (old, new) = (former.drawing(isDetailed: true), drawing(isDetailed: true)) }
        let (kept, known) = (Self.isContained(old, in: new), Self.isContained(new, in: old))
        var lines: [String] = []
        var next = 0
        for (index, line) in old.enumerated() {
            guard kept[index] else {
                lines.append("- \(line)")
                continue
            }
            while next < new.count, !known[next] {
                lines.append("+ \(new[next])")
                next += 1
            }
            lines.append("  \(line)")
            next += 1
        }
        return (lines + new.indices.dropFirst(next).filter { !known[$0] }.map { "+ \(new[$0])" }).joined(
            separator: "\n")
    }

    /// Whether each line is one of others, each of which counts once.
    private static func isContained(_ lines: [String], in others: [String]) -> [Bool] {
        var counts = others.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return lines.map { line in
            counts[line, default: 0] -= 1
            return counts[line, default: 0] >= 0
        }
    }
}

extension Place.Offer {
    fileprivate func drawing(isDetailed: Bool) -> String {
        let event = isDetailed ? " \(event) \(Optional(payload).text) at \(coordinator)" : ""
        return "[\(title)\(event)]" + (inputs.isEmpty ? "" : " (\(inputs.map(\.title).joined(separator: ", ")))")
    }
}
