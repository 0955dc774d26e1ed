internal import Configuration
internal import CoordinateServer
internal import Foundation

/// A reader of settings. Most have defaults, so an error means a value that is not valid.
struct SettingsReader {
    let config: ConfigReader
    let file: String

    func string(_ key: String) throws(ServerError) -> String {
        do {
            return try config.requiredString(forKey: ConfigKey(key))
        } catch {
            throw refusal(of: key, "a string")
        }
    }

    /// A list. In a variable, commas separate its items.
    func strings(_ key: String) throws(ServerError) -> [String] {
        do {
            return try config.requiredStringArray(forKey: ConfigKey(key)).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            .filter { !$0.isEmpty }
        } catch {
            throw refusal(of: key, "a list of strings")
        }
    }

    /// A string; `nil` if no source sets it.
    func optionalString(_ key: String) -> String? {
        config.string(forKey: ConfigKey(key))
    }

    /// - Parameter other: A valid value outside of the range.
    func int(_ key: String, in range: ClosedRange<Int>, or other: Int? = nil) throws(ServerError) -> Int {
        let numbers = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        let expected = other.map { "\($0), or \(numbers)" } ?? numbers
        do {
            let value = try config.requiredInt(forKey: ConfigKey(key))
            guard range.contains(value) || value == other else { throw refusal(of: key, expected) }
            return value
        } catch {
            throw refusal(of: key, expected)
        }
    }

    func bool(_ key: String) throws(ServerError) -> Bool {
        do {
            return try config.requiredBool(forKey: ConfigKey(key))
        } catch {
            throw refusal(of: key, "true or false")
        }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String
    ) throws(ServerError) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: try string(key)) else {
            throw refusal(of: key, Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
        }
        return choice
    }

    private func refusal(of key: String, _ expected: String) -> ServerError {
        let words = key.split(separator: ".").last.map(String.init) ?? key
        return .configuration(
            "The setting \"\(key)\" must be \(expected): correct \(Settings.variable(of: words)), or \"\(key)\" in \(file)."
        )
    }
}
