package import Foundation
import Synchronization

/// The processes that this program has started, so that it can end them if it is interrupted.
package enum StartedProcesses {
    private static let processes = Mutex<[Process]>([])

    package static func append(_ process: Process) {
        processes.withLock { processes in
            processes.removeAll { !$0.isRunning }
            processes.append(process)
        }
    }

    /// Kills those that are still running, by their ids.
    package static func killAll() {
        processes.withLock { processes in
            for process in processes where process.isRunning { kill(process.processIdentifier, SIGKILL) }
            processes = []
        }
    }
}
