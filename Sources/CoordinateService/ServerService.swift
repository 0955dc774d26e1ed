public import CoordinateServer
public import ServiceLifecycle

/// A server as a service of swift-service-lifecycle, for a program that runs other services beside it.
///
/// ```swift
/// let server = try Server(app: MyApp())
/// let group = ServiceGroup(
///     services: [database, ServerService(server)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
/// try await group.run()
/// ```
///
/// The group handles the signals. When it shuts down, or cancels the service, the server refuses new requests, finishes
/// those in progress within six seconds, and releases all sessions. The journal keeps them.
///
/// A turn that does not end is not a task, and nothing can cancel it. Give the group a `maximumGracefulShutdownDuration`
/// of more than six seconds.
public struct ServerService: Service {
    private let server: Server
    private let didStart: @Sendable (_ url: String) -> Void

    /// - Parameters:
    ///   - server: A server that was not started before.
    ///   - didStart: Called with the server's ``CoordinateServer/Server/url`` once requests are accepted.
    public init(_ server: Server, didStart: @escaping @Sendable (_ url: String) -> Void = { _ in }) {
        self.server = server
        self.didStart = didStart
    }

    /// Serves until the service's group shuts down or cancels it.
    ///
    /// - Throws: ``CoordinateServer/ServerError`` if the server cannot start.
    public func run() async throws {
        // It throws if the task is cancelled, which ends the server as well.
        try await server.serve(didStart: didStart) { try? await gracefulShutdown() }
    }
}
