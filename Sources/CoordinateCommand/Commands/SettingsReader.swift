internal import Configuration
internal import CoordinateServer
internal import Foundation

/// A reader of settings. Most have defaults, so an error means a value that is not valid.
struct SettingsReader {
    let config: ConfigReader
    let file: String

    func string(_ key: String) throws(ServerError) -> String {
        try value(of: key, "a string") { try config.requiredString(forKey: $0) }
    }

    /// A list. In a variable, commas separate its items.
    func strings(_ key: String) throws(ServerError) -> [String] {
        try value(of: key, "a list of strings") { try config.requiredStringArray(forKey: $0) }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// A string; `nil` if no source sets it.
    func optionalString(_ key: String) -> String? {
        config.string(forKey: ConfigKey(key))
    }

    /// - Parameter other: A valid value outside of the range.
    func int(_ key: String, in range: ClosedRange<Int>, or other: Int? = nil) throws(ServerError) -> Int {
        let numbers = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try value(of: key, other.map { "\($0), or \(numbers)" } ?? numbers) {
            let value = try config.requiredInt(forKey: $0)
            return range.contains(value) || value == other ? value : nil
        }
    }

    func bool(_ key: String) throws(ServerError) -> Bool {
        try value(of: key, "true or false") { try config.requiredBool(forKey: $0) }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String
    ) throws(ServerError) -> Choice where Choice.RawValue == String {
        try value(of: key, Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")) {
            Choice(rawValue: try config.requiredString(forKey: $0))
        }
    }

    /// - Parameters:
    ///   - expected: The valid values, in words.
    ///   - read: Reads the value; `nil` if it is not valid.
    private func value<Value>(
        of key: String, _ expected: String, _ read: (ConfigKey) throws -> Value?
    ) throws(ServerError) -> Value {
        guard let value = try? read(ConfigKey(key)) else {
            throw .configuration(
                "The setting \"\(key)\" must be \(expected): correct \(Settings.variable(of: key)), or \"\(key)\" in \(file)."
            )
        }
        return value
    }
}
