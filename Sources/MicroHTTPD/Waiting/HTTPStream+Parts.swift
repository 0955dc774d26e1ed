extension HTTPStream {
    /// How much may wait for a client that reads more slowly than it is sent to.
    ///
    /// What the system has taken over to send does not count: up to some 100 KiB more.
    public struct Capacity: Hashable, Sendable {
        public var pieces: Int
        public var bytes: Int

        public init(pieces: Int = 256, bytes: Int = 256 * 1024) {
            self.pieces = pieces
            self.bytes = bytes
        }
    }

    /// What is sent when nothing else was for a while, so that nobody on the way takes the connection for dead.
    public struct Heartbeat: Sendable {
        /// The longest silence; a tenth of a second more may pass.
        public var interval: Duration
        public var piece: HTTPBody

        public init(every interval: Duration, piece: HTTPBody) {
            self.interval = interval
            self.piece = piece
        }
    }
}
