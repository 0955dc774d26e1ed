// Public, as the writer that conforms is.
public import JSON
internal import MicroHTTPD

/// A writer of documents, into the memory from which they are sent.
typealias DocumentWriter = JSONWriter<HTTPBodyWriter>

extension HTTPBodyWriter: JSONOutput {}

extension DocumentWriter {
    /// Ends the document.
    ///
    /// - Parameter isToBeKept: True where it should take no more memory than it needs.
    consuming func finish(isToBeKept: Bool = false) -> HTTPBody {
        written().finish(isToBeKept: isToBeKept)
    }

    /// Writes a value that is JSON already.
    mutating func encoded(_ json: HTTPBody) {
        encoded { $0.append(json) }
    }
}
