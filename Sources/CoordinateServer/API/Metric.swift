/// A metric of the server, with its values at one moment.
struct Metric {
    enum Kind: String {
        case counter, gauge
        /// A sum and a count, both of which only grow.
        case summary
    }

    enum Number: CustomStringConvertible {
        case whole(Int)
        case fraction(Double)

        var description: String {
            switch self {
            case .whole(let number): "\(number)"
            case .fraction(let number): "\(number)"
            }
        }
    }

    struct Value {
        /// The metric's name, with the suffix of a summary's part.
        let name: String
        let labels: [(name: String, value: String)]
        let number: Number
    }

    let name: String
    /// What the metric counts, as one sentence.
    let help: String
    let kind: Kind
    let values: [Value]

    init(_ name: String, _ kind: Kind, _ help: String, _ values: [Value]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.values = values
    }

    init(_ name: String, _ kind: Kind, _ help: String, _ number: Number, _ labels: [(String, String)] = []) {
        self.init(name, kind, help, [Value(name: name, labels: labels, number: number)])
    }

    static func summary(
        _ name: String, _ help: String, sum: Number, count: Int, _ labels: [(String, String)] = []
    ) -> Metric {
        Metric(
            name, .summary, help,
            [
                Value(name: "\(name)_sum", labels: labels, number: sum),
                Value(name: "\(name)_count", labels: labels, number: .whole(count)),
            ])
    }

    /// The metric in Prometheus's text format 0.0.4.
    var text: String {
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for value in values {
            text += value.name
            if !value.labels.isEmpty {
                let labels = value.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }
                text += "{\(labels.joined(separator: ","))}"
            }
            text += " \(value.number)\n"
        }
        return text
    }

    /// A text, escaped as the value of a label.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
