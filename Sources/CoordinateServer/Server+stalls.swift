internal import CoordinateSessions
internal import Logging
internal import MicroHTTPD

extension Server {
    /// Tells the log of turns that keep a worker, and ends the process once there is no worker left: whoever started it can
    /// start it again.
    func watchForStalls() -> StallWatch {
        let app = "\(api.app.name) \(api.app.version)"
        return StallWatch(
            of: http,
            onStall: { [logger] stall in
                let time = "\(stall.time.components.seconds) s"
                let event = stall.event.map { "The app \(app) has been at \($0), for version \(stall.version)," }
                let work = event ?? "Somebody waits for a session that is kept by another thread,"
                let clients =
                    stall.disconnected == 0 ? "" : "; of its clients, disconnected: \(stall.disconnected)"
                logger.error("\(work) for \(time)\(stall.isWorker ? ", and keeps a worker" : "")\(clients).")
            },
            onStandstill: {
                LogQueue.standardError.flush(atMost: 0.5)
                ProcessEnd.endNow(
                    "All workers have been kept by the app \(app) for 10 s: the process ends, to be started again.",
                    status: Self.standstillStatus)
            })
    }

    /// sysexits.h: EX_SOFTWARE.
    private static var standstillStatus: Int32 { 70 }
}
