/// The progress of a body in chunks, whose length is not known before its end.
struct ChunkedBody {
    /// The bytes received.
    var count = 0
    /// The largest body, in bytes.
    var limit: Int
    /// The reason why the rest of the body is discarded; `nil` while the body is kept.
    var refusal: HTTPRefusal.Reason?

    /// The bytes over the limit after which a client is disconnected without an answer. libmicrohttpd accepts an answer
    /// only at the end of the body.
    static let longestDiscarded = 16 * 1024 * 1024
}
