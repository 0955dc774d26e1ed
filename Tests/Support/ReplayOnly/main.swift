// A program with everything that an app's test needs to replay a recorded journal, and nothing of a server: replay-only
// SEASON JOURNAL.
//
// It prints the final path, or the difference, then the libraries that were loaded.

import Coordinate
import CoordinateSessions
import Foundation
import Racing

let arguments = CommandLine.arguments
let season = try JSONDecoder().decode(Season.self, from: Data(contentsOf: URL(filePath: arguments[1])))
let journal = try Data(contentsOf: URL(filePath: arguments[2]))
do {
    print(try RacingApp(season: season).replay(journal))
} catch {
    print(error)
}
let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
for library in Set(maps.split(whereSeparator: { $0 == "\n" || $0 == "/" }).filter { $0.contains(".so") }).sorted() {
    print(library)
}
