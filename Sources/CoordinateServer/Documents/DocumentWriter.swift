// Public, because the conforming writer is public.
public import JSON
internal import MicroHTTPD

/// A writer of documents, into the memory from which they are sent.
typealias DocumentWriter = JSONWriter<HTTPBodyWriter>

extension HTTPBodyWriter: JSONOutput {}

extension DocumentWriter {
    /// Ends the document.
    ///
    /// - Parameter isToBeKept: Whether to shrink the document's memory to its size.
    consuming func finish(isToBeKept: Bool = false) -> HTTPBody {
        written().finish(isToBeKept: isToBeKept)
    }

    /// Writes a value that is already JSON.
    mutating func encoded(_ json: HTTPBody) {
        encoded { $0.append(json) }
    }
}
