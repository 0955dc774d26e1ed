public import MicroHTTPD
public import ProcessSupport

// The watchdog watches workers.

extension HTTPWorker: WatchedThread {}
