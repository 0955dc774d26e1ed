import CoordinateCommand
import CoordinateSQLite
import Notes

await AppCommand.main(NotesApp(), journals: [.sqlite])
