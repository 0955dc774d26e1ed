import CoordinateCommand
import CoordinateSQLite
import Shop

await AppCommand.main(ShopApp(), journals: [.sqlite])
