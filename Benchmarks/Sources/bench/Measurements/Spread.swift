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
        let (least, greatest) = (values.min() ?? .nan, values.max() ?? .nan)
        return "\(median.text(digits))\(unit) (\(least.text(digits))–\(greatest.text(digits)))"
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
