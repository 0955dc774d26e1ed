internal import CoordinateSessions
internal import MicroHTTPD

/// An exported journal on its way in. It is replayed as it arrives, so that no more than a line of it is kept as text,
/// and no other client has to wait for the whole of it.
final class JournalUpload: HTTPBodyReceiver {
    /// The largest journal, in bytes.
    static let maximumSize = 16 * 1024 * 1024

    private var progress: Result<SessionImport, SessionError>

    init(into sessions: SessionRegistry) {
        progress = Result { () throws(SessionError) in try SessionImport(into: sessions) }
    }

    func receive(_ part: [UInt8]) {
        guard case .success(let upload) = progress else { return }
        do throws(SessionError) {
            try upload.read(part)
        } catch {
            progress = .failure(error)
        }
    }

    /// Makes the session, once all has arrived.
    ///
    /// - Parameter client: A number for whoever sent it.
    func session(for client: Int) -> Future<SessionSummary, SessionError> {
        switch progress {
        case .success(let upload): upload.finish(for: client)
        case .failure(let error): .failed(error)
        }
    }
}
