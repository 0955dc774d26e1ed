// A program that tests kill. It serves the payment app, whose outside world is the folder TILL.

import CoordinateCommand
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateServer
import CoordinateSessions
import Foundation

if let banner = ProcessInfo.processInfo.environment["BANNER"] {
    FileHandle.standardOutput.write(Data(banner.utf8))
}

await AppCommand.main(
    PaymentApp(version: ProcessInfo.processInfo.environment["APP_VERSION"] ?? "1", till: .ofEnvironment),
    journals: [.sqlite, .postgreSQL],
    hooks: SessionHooks(
        didBegin: { Till.ofEnvironment.write("\($0)", in: "begun") },
        didEnd: { Till.ofEnvironment.write("\($0)", in: "ended") })
) { server in
    Till.ofEnvironment.write(server.url, in: "address")
}
