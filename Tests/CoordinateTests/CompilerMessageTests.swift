import Foundation
import Testing

/// What the compiler says about mistakes that are easy to make in an app.
struct CompilerMessageTests {
    private static let two = "if case .two(let a, let b) = $0 { (a, b) } else { nil }"
    private static let one = "if case .one(let a) = $0 { a } else { nil }"

    @Test(arguments: [
        (event("two", "Self.two", two), "Name the field of each value"),
        (event("two", "Self.two, \"a\"", two), "Name the field of each value"),
        (event("one", "Self.one", one), "Name the field of each value"),
        (event("one", "Self.one, \"a\"", nil), "Return the case's values in a closure"),
        (
            "final class App: Coordinator<ViewController>, HasDependencies { var dependencies: Data! }; struct Data {}",
            "with a type that conforms to AppDependenciesProtocol"
        ),
        (
            "final class App: Coordinator<ViewController>, HasDependencies { var dependencies: Data! }"
                + "; struct Data: AppDependenciesProtocol {}", "Declare `var dependencies: AppDependencies?`"
        ),
        ("final class Order: ViewController, HasArgument { var argument = 0 }", "Declare `var argument: Order!`"),
        ("final class App: Coordinator<ViewController> { override func start() {} }", "Override start(with:) instead"),
    ])
    func theCompilerNamesTheMistake(_ code: String, _ message: String) throws {
        let errors = try errors(in: code)
        #expect(errors.contains(message), "\(errors)")
    }

    @Test func theCompilerAcceptsWhatIsRight() throws {
        #expect(try errors(in: Self.event("two", "Self.two, \"a\", \"b\"", Self.two)) == "")
    }

    /// An enum of events with one declaration, which may be wrong.
    private static func event(_ name: String, _ arguments: String, _ values: String?) -> String {
        """
        enum Events: DeclaredEvents, Equatable {
            case one(String), two(String, Int)
            static let declaration = EventDeclaration<Self>(
                "events", .event("\(name)", \(arguments)) \(values.map { "{ \($0) }" } ?? ""))
        }
        """
    }

    /// Returns what the compiler says about code that uses the library; empty if it has no mistake.
    private func errors(in code: String) throws -> String {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let modules = URL(filePath: program).deletingLastPathComponent().appending(path: "Modules")
        let folder = FileManager.default.temporaryDirectory.appending(path: "compiler-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "App.swift")
        try "import Coordinate\n\(code)\n".write(to: file, atomically: true, encoding: .utf8)

        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path, file.path]
        let output = Pipe()
        compiler.standardError = output
        try compiler.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return text
    }
}
