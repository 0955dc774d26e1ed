import CoordinateCommand
import CoordinatePostgreSQL
import CoordinateSQLite
import CoordinateServer
import Racing

await AppCommand.main(
    named: "coordinate-server", version: Server.version, title: "the racing app", journals: [.sqlite, .postgreSQL],
    data: .file("config/racing.json", help: "The season's teams and drivers")
) {
    RacingApp(season: try $0.decode())
}
