/// An error that explains why a plain value was refused.
public struct PlainValueError: Error, Equatable, Sendable {
    /// The problem, as the end of a sentence that begins with the value's name: "must be a string".
    public let message: String
    /// The path of the bad value, as names of fields and indices: `["items", "2", "count"]`. Empty if the whole value
    /// is bad.
    public private(set) var path: [String] = []
    /// A similar valid value; `nil` if there is none.
    public private(set) var nearest: String?

    /// What to enter instead, as a sentence for the people who use the app: "Enter a name of up to 80 characters."
    /// `nil` if the app has none.
    public private(set) var advice: String?

    /// The name of the field, or of the option, that contains the bad value; empty if the whole value is bad.
    public var field: String { path.first ?? "" }

    /// Creates an error from the end of a sentence that begins with the value's name.
    ///
    /// - Parameters:
    ///   - message: The end of the sentence: "must be a string".
    ///   - nearest: A similar valid value. If the type has ``PlainType/choices``, the library searches them for one.
    ///   - advice: What to enter instead, as a sentence for the people who use the app.
    public init(_ message: String, nearest: String? = nil, advice: String? = nil) {
        self.message = message
        self.nearest = nearest
        self.advice = advice
    }

    /// Returns the same error for the value that contains the bad one in a field of this name, or at this index.
    @usableFromInline
    func at(_ step: String) -> PlainValueError {
        var error = self
        error.path.insert(step, at: 0)
        return error
    }

    /// Runs a body that reads the value in a field of this name, or at this index, and adds that step to the path of
    /// its error.
    @inlinable
    static func at<Result>(
        _ step: @autoclosure () -> String, _ body: () throws(PlainValueError) -> Result
    ) throws(PlainValueError) -> Result {
        do throws(PlainValueError) {
            return try body()
        } catch {
            throw error.at(step())
        }
    }

    func nearest(_ nearest: String?) -> PlainValueError {
        var error = self
        error.nearest = nearest
        return error
    }
}

/// An error that explains why a payload was refused. Its path begins with the payload's field.
public typealias EventDecodingError = PlainValueError
