// Public, as the writer that conforms is.
public import JSON
internal import MicroHTTPD

/// A writer of documents, right where they are sent from.
typealias DocumentWriter = JSONWriter<HTTPBodyWriter>

extension HTTPBodyWriter: JSONOutput {}

extension DocumentWriter {
    /// All that was written.
    ///
    /// - Parameter isToBeKept: whether it should take no more memory than it needs.
    consuming func finish(isToBeKept: Bool = false) -> HTTPBody {
        written().finish(isToBeKept: isToBeKept)
    }

    /// A value that is JSON already.
    mutating func encoded(_ json: HTTPBody) {
        encoded { $0.append(json) }
    }
}
