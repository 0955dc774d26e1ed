/// Groups of horizontal bars as SVG, with colors that are readable on light and on dark pages.
struct BarChart {
    /// One bar.
    struct Bar {
        let label: String
        let value: Double
        /// The text after the bar.
        let text: String
        /// Bars of the same series have the same color.
        let series: Int
    }

    struct Group {
        let title: String
        let bars: [Bar]
        /// The value of a line that bars should not cross. `nil` for none.
        var goal: Double?
    }

    let title: String
    let groups: [Group]

    var svg: String {
        var elements: [String] = []
        var y = 40
        let greatest = groups.flatMap { $0.bars.map(\.value) + [$0.goal ?? 0] }.max() ?? 1
        let scale = Double(Self.barWidth) / max(greatest, .leastNonzeroMagnitude)
        for group in groups {
            elements.append(#"<text x="16" y="\#(y + 14)" class="group">\#(group.title.escaped)</text>"#)
            y += 22
            let top = y
            for bar in group.bars {
                let width = max(1, (bar.value * scale).rounded())
                elements += [
                    #"<text x="\#(Self.labelWidth - 8)" y="\#(y + 13)" text-anchor="end">\#(bar.label.escaped)</text>"#,
                    #"<rect class="s\#(bar.series)" x="\#(Self.labelWidth)" y="\#(y)""#
                        + #" width="\#(Int(width))" height="17"/>"#,
                    #"<text x="\#(Self.labelWidth + Int(width) + 6)" y="\#(y + 13)">\#(bar.text.escaped)</text>"#,
                ]
                y += 21
            }
            if let goal = group.goal {
                let x = Self.labelWidth + Int((goal * scale).rounded())
                elements.append(#"<line x1="\#(x)" x2="\#(x)" y1="\#(top - 3)" y2="\#(y)" class="goal"/>"#)
            }
            y += 10
        }
        let width = Self.labelWidth + Self.barWidth + 150
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y)" width="\(width)" role="img">
            <title>\(title.escaped)</title>
            <style>
            text { font: 13px system-ui, sans-serif; fill: #24292f }
            .title { font-weight: 600; font-size: 15px } .group { font-weight: 600 }
            .s0 { fill: #2f6fde } .s1 { fill: #8b949e } .s2 { fill: #d97706 }
            .goal { stroke: #d1242f; stroke-width: 2; stroke-dasharray: 4 3 }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3 } .s0 { fill: #6ea8fe } .goal { stroke: #ff7b72 }
            }
            </style>
            <text x="16" y="22" class="title">\(title.escaped)</text>
            \(elements.joined(separator: "\n"))
            </svg>

            """
    }

    private static let labelWidth = 150
    private static let barWidth = 420
}

extension String {
    fileprivate var escaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
