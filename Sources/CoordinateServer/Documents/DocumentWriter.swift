// Public, because the conforming writer is public.
public import JSON
package import MicroHTTPD

/// A writer of documents, into the memory from which they are sent.
package typealias DocumentWriter = JSONWriter<HTTPBodyWriter>

extension HTTPBodyWriter: JSONOutput {}

extension DocumentWriter {
    /// Ends the document.
    ///
    /// - Parameter isToBeKept: Whether to shrink the document's memory to its size.
    package consuming func finish(isToBeKept: Bool = false) -> HTTPBody {
        written().finish(isToBeKept: isToBeKept)
    }

    /// Writes a value that is already JSON.
    mutating func encoded(_ json: HTTPBody) {
        encoded { $0.append(json) }
    }
}
