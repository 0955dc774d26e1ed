/// The reason why a plain value was refused.
public struct PlainValueError: Error, Equatable, Sendable {
    /// Half a sentence that follows the value's name: "must be a string".
    public let message: String
    /// The place of the bad value in what was sent, as names of fields and indices, `["items", "2", "count"]`: empty
    /// where the whole value is bad.
    public private(set) var path: [String] = []
    /// The value that may have been meant, if there is a similar one.
    public private(set) var nearest: String?

    /// The name of the field, or of the option, that contains the bad value; empty where the whole value is bad.
    public var field: String { path.first ?? "" }

    /// Creates an error of half a sentence, which follows the name of the value.
    ///
    /// - Parameters:
    ///   - message: The half sentence: "must be a string".
    ///   - nearest: The value that may have been meant. Where a type has ``PlainType/choices``, it is found among them.
    public init(_ message: String, nearest: String? = nil) {
        self.message = message
        self.nearest = nearest
    }

    /// The same error for the value around the bad one, which is in its field of this name, or at this index.
    @usableFromInline
    func at(_ step: String) -> PlainValueError {
        var error = self
        error.path.insert(step, at: 0)
        return error
    }

    /// Runs a body that throws an error about the value in a field of this name, or at this index, and adds that place
    /// to the error.
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

/// The reason why a payload is refused: the path leads from the payload's field to the bad value.
public typealias EventDecodingError = PlainValueError
