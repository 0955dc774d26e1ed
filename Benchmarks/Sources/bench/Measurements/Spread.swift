import Foundation

/// The values of several rounds, with their median, minimum and maximum.
struct Spread {
    /// The values in the order of the rounds.
    let values: [Double]

    init(_ values: [Double]) { self.values = values }

    var median: Double {
        let values = values.sorted()
        let middle = values.count / 2
        return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
    }

    /// Divides each round's value by another spread's value in the same round.
    func ratio(to other: Spread) -> Spread { Spread(zip(values, other.values).map { $0 / $1 }) }

    /// `1.08 (1.05–1.12)`
    func text(digits: Int, unit: String = "") -> String {
        "\(median.text(digits))\(unit)\(range { $0.text(digits) })"
    }

    /// `8,100 B (7,900 B–8,200 B)`, or without the range if there is only one value.
    func text(_ format: (Double) -> String) -> String { format(median) + range(format) }

    private func range(_ format: (Double) -> String) -> String {
        guard values.count > 1, let least = values.min(), let greatest = values.max() else { return "" }
        return " (\(format(least))–\(format(greatest)))"
    }
}

extension Double {
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension Int {
    /// `1,000,000`
    var grouped: String {
        let digits = Array(String(self))
        return digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "," }
            text.append(digit.element)
        }
    }
}
