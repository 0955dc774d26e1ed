internal import ArgumentParser

/// A time as an option: `90`, `90s`, `15m`, `12h` or `30d`.
struct WrittenDuration: ExpressibleByArgument {
    let seconds: Int

    private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    init?(argument: String) {
        let unit = argument.last.flatMap { Self.units[$0] }
        guard let number = Int(unit == nil ? argument[...] : argument.dropLast()), number >= 0 else { return nil }
        let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !isTooLong else { return nil }
        self.seconds = seconds
    }
}
