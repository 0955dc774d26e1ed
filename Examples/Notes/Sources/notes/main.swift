import CoordinateCommand
import CoordinateSQLite

await AppCommand.main(NotesApp(), journals: [.sqlite])
