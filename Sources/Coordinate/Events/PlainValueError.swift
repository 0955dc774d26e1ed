/// The reason why a plain value is not what was asked for.
public struct PlainValueError: Error, Equatable, Sendable {
    /// Half a sentence that follows the value's name: "must be a string".
    public let message: String
    /// The place of the bad value in what was sent, as names of fields and indices, `["items", "2", "count"]`: empty where all
    /// of it is bad.
    public private(set) var path: [String] = []
    /// The value that was meant, if any is like it.
    public private(set) var nearest: String?

    /// The name of the field, or of the option, in which the bad value is; empty where all is bad.
    public var field: String { path.first ?? "" }

    /// Makes an error of half a sentence, which follows the name of what was sent.
    ///
    /// - Parameters:
    ///   - message: The half sentence: "must be a string".
    ///   - nearest: The value that was meant. Where a type has ``PlainType/choices``, it is found among them.
    public init(_ message: String, nearest: String? = nil) {
        self.message = message
        self.nearest = nearest
    }

    /// The same error, of a value that has the bad one in a field of this name, or at this index.
    @usableFromInline
    func at(_ step: String) -> PlainValueError {
        var error = self
        error.path.insert(step, at: 0)
        return error
    }

    /// Does what may fail because of the value in a field of this name, or at this index.
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

/// The reason why a payload is refused: the path leads to the bad value, from the payload's field on.
public typealias EventDecodingError = PlainValueError
