// A program that tests replace with another release of itself. The environment variable RELEASE chooses the release.

import CoordinateCommand
import CoordinatePostgreSQL
import CoordinateSQLite

await AppCommand.main(BasketApp(), journals: [.sqlite, .postgreSQL])
