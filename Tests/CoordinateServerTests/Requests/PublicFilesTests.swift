import CoordinateSessions
import CoordinateTesting
import Foundation
import Racing
import RawClient
import SessionFixtures
import Testing

@testable import CoordinateServer

/// The files of `public/`, and no others.
struct PublicFilesTests {
    static let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../public").path

    @Test(.racing(configuration: .make(publicFolder: shipped))) func thePageAndItsFilesAreServed() async throws {
        let page = try await client.get("/")
        #expect(page.status == 200)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        let policy = try #require(page.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'self'; img-src 'self' blob:;"))
        #expect(!policy.contains("unsafe"))
        #expect(page.header("X-Content-Type-Options") == "nosniff")
        #expect(try await client.get("/index.html").body == page.body)
        for (path, type) in [
            ("/inspector.js", "text/javascript; charset=utf-8"), ("/inspector.css", "text/css; charset=utf-8"),
        ] {
            let file = try await client.get(path)
            #expect(file.status == 200)
            #expect(file.header("Content-Type") == type)
            let content = try Data(contentsOf: URL(filePath: Self.shipped).appending(path: path))
            #expect(file.body == Array(content))
        }
        #expect(client.cookies.isEmpty)
        #expect(try await client.metric("coordinate_sessions") == 0)
    }

    @Test(
        .folder,
        arguments: [
            "/../Package.swift", "/..%2fPackage.swift", "/%2e%2e/Package.swift", "/%2e%2e%2fPackage.swift",
            "/./index.html", "//index.html", "/folder/../index.html", "/..", "/%2e%2e/", "/..%5cPackage.swift",
            "/secret/../../outside.txt", "/.hidden", "/%2ehidden", "/.git/config", "/folder/.hidden", "/folder",
            "/link.txt",
            "/outside.txt", "/index.html/", "/INDEX.HTML", "/index.html%20",
        ])
    func otherFilesAreNotServed(path: String) async throws {
        let answer = try answer(path, [])
        #expect(answer.status == 404)
        #expect(answer.body.contains("/problems/not-found"))
        #expect(!answer.body.contains("secret"))
    }

    @Test(
        .folder,
        arguments: [
            ("/", "page"), ("/index.html", "page"), ("/folder/", "inner page"), ("/folder/index.html", "inner page"),
            ("/%69ndex.html", "page"), ("/a%20b.txt", "spaced"), ("/index.html?query", "page"),
        ])
    func filesAreFoundByTheirPath(path: String, content: String) async throws {
        let answer = try answer(path, [])
        #expect(answer.status == 200)
        #expect(answer.body == content)
    }

    @Test(.folder) func aCachedFileIsNotSentAgain() async throws {
        let tag = try #require(try await client.get("/index.html").header("ETag"))
        #expect(try await client.get("/").header("ETag") == tag)
        #expect(try await client.get("/folder/").header("ETag") != tag)
        // Browsers accept pages and other types. Only JSON would be indented for them.
        for accepts in ["*/*", "text/html,application/xhtml+xml,*/*;q=0.8"] {
            let known = try answer("/", ["Accept: \(accepts)", "If-None-Match: \(tag)"])
            #expect(known.status == 304)
            #expect(known.body.isEmpty)
            #expect(known.header("ETag") == tag)
        }
        #expect(try answer("/", ["If-None-Match: \"other\""]).body == "page")
    }

    // MARK: Compressed files

    private func answer(_ path: String, _ headers: [String]) throws -> RawClient.Answer {
        try server.answer(to: "GET \(path)", ["Host: localhost"] + headers)
    }

    @Test(
        .folder,
        arguments: [
            ("gzip", true), ("GZIP;q=0.5, br", true), ("*", true), ("x-gzip", true), ("br, *;q=0.1", true),
            ("br", false), ("gzip;q=0", false), ("gzip;q=0, *", false), ("identity", false), ("", false),
        ])
    func aTextIsSentCompressedToClientsThatAcceptIt(accepted: String, isCompressed: Bool) async throws {
        let answer = try answer("/a.js", ["Accept-Encoding: \(accepted)"])
        #expect(answer.status == 200)
        #expect(answer.header("Content-Encoding") == (isCompressed ? "gzip" : nil))
        #expect(answer.header("Content-Type") == "text/javascript; charset=utf-8")
        #expect(answer.header("Vary") == "Accept-Encoding")
        #expect((answer.body == ServedFolder.script) == !isCompressed)
    }

    @Test(.folder) func textsAreCompressedToTheSameContent() async throws {
        for suffix in ["html", "css", "js", "json", "svg"] {
            // The client expands it.
            let file = try await client.get("/text.\(suffix)", headers: ["Accept-Encoding": "gzip"])
            #expect(file.header("Content-Encoding") == "gzip", "\(suffix)")
            #expect(file.text == ServedFolder.script)
        }
        let head = try server.answer(to: "HEAD /a.js", "Host: localhost", "Accept-Encoding: gzip")
        #expect(head.header("Content-Encoding") == "gzip")
        #expect(head.header("Content-Length").flatMap { Int($0) } ?? .max < ServedFolder.script.utf8.count)
        let indented = try answer("/a.json?pretty", ["Accept-Encoding: gzip"])
        #expect(indented.header("Content-Encoding") == nil)
        #expect(indented.body.hasPrefix("{\n  \"page\": "))
    }

    @Test(.folder) func compressedFilesHaveTheirOwnTag() async throws {
        let tags = try ["gzip", "identity"].map { encoding in
            try #require(try answer("/a.js", ["Accept-Encoding: \(encoding)"]).header("ETag"))
        }
        #expect(tags[0] != tags[1])
        for (encoding, statuses) in [("gzip", [304, 200]), ("identity", [200, 304])] {
            let answers = try tags.map {
                try answer("/a.js", ["Accept-Encoding: \(encoding)", "If-None-Match: \($0)"])
            }
            #expect(answers.map(\.status) == statuses)
        }
    }

    @Test(.folder) func picturesAndShortTextsAreSentAsTheyAre() async throws {
        for (path, content) in [("/picture.png", ServedFolder.script), ("/short.js", "let page = 2;\n")] {
            let answer = try answer(path, ["Accept-Encoding: gzip"])
            #expect(answer.header("Content-Encoding") == nil)
            #expect(answer.body == content)
        }
    }

    @Test(.folder) func onlyAFileThatIsNamedByItsHashIsKeptForGood() async throws {
        let hash = String(Array(ServedFolder.script.utf8).fingerprint, radix: 36)
        for headers in [[], ["Accept-Encoding: gzip"]] {
            let hashed = try answer("/a.\(hash).js", headers)
            #expect(hashed.header("Cache-Control") == "public, max-age=31536000, immutable")
            for path in ["/a.js", "/a.20261127.js", "/"] {
                let other = try answer(path, headers)
                #expect(other.header("Cache-Control") == "no-cache")
            }
        }
    }

    // MARK: Pages with joined modules

    /// The script and the style sheets of a page that runs scripts, by their paths.
    private func loadedFiles(of page: String) throws -> [String] {
        try answer(page, []).body.replacing(/<noscript>.*<\/noscript>/, with: "")
            .matches(of: /<(?:script|link rel="stylesheet")[^>]* (?:src|href)="([^"]+)"/).map { String($0.1) }
    }

    @Test(
        .racing(configuration: .make(publicFolder: shipped), over: .socket),
        arguments: ["/", "/index.html", "/api.html"])
    func aPageLoadsOneScriptAndOneStyleSheetThatBrowsersKeep(page: String) async throws {
        let loaded = try loadedFiles(of: page)
        let kept = loaded.filter { !$0.hasPrefix("/web/") }
        #expect(loaded == kept.prefix(1) + ["/web/tokens.css", "/web/theme.css"] + kept.dropFirst())
        #expect(kept.map { $0.suffix(3) } == [".js", "css"])
        for path in kept {
            let answers = try ["Accept-Encoding: gzip", "Accept-Encoding: br"].map { try answer(path, [$0]) }
            for answer in answers {
                #expect(answer.status == 200)
                #expect(answer.header("Cache-Control") == "public, max-age=31536000, immutable")
                let tag = try #require(answer.header("ETag"))
                let encoding = "Accept-Encoding: \(answer.header("Content-Encoding") ?? "br")"
                #expect(try self.answer(path, [encoding, "If-None-Match: \(tag)"]).status == 304)
            }
            #expect(answers.map { $0.header("Content-Encoding") } == ["gzip", nil])
            let hash = try #require(path.split(separator: ".").dropFirst().first)
            #expect(answers[1].header("ETag") == "\"\(hash)\"")
            #expect(try answer(path.replacing(hash, with: String(hash.reversed())), []).status == 404)
        }
        #expect(try answer(page, []).header("Cache-Control") == "no-cache")
    }

    @Test(arguments: [
        // Another page than the library's.
        ("own.js", "import { one } from \"./one.js\";\n"),
        // Forms that cannot be joined.
        ("inspector.js", "export default 1;\n"), ("inspector.js", "import { one } from \"./missing.js\";\n"),
    ])
    func anyOtherPageOfAFolderStaysAsItIs(script: String, text: String) async throws {
        let page = "<link rel=\"stylesheet\" href=\"/own.css\">\n<script type=\"module\" src=\"/\(script)\"></script>\n"
        let files = [
            "index.html": page, script: text, "one.js": "export const one = 1;\n", "own.css": "p { margin: 0; }\n",
        ]
        try await withFolder(files) { folder in
            try await withRacing(configuration: .make(publicFolder: folder.path)) { server in
                for (path, content) in [("/", page), ("/\(script)", text)] {
                    let answer = try await server.client().get(path)
                    #expect(answer.text == content)
                }
            }
        }
    }

    @Test(.racing) func aServerWithoutAFolderServesNoFiles() async throws {
        for path in ["/", "/openapi.json"] {
            let answer = try await server.client().get(path)
            #expect(answer.status == 404)
            #expect(answer.text.contains("There is nothing at this path."))
        }
    }

    // MARK: The library's page

    @Test func everyFileOfThePageIsShippedWithTheLibrary() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.shipped)
            .filter { $0.contains(".") && !$0.hasPrefix(".") && !$0.contains("/.") }
        #expect(names.count > 30)
        try await withServer(app: try RacingApp.make(), configuration: configuration) { server in
            let client = server.client()
            for name in names {
                let content = try Data(contentsOf: URL(filePath: Self.shipped).appending(path: name))
                let answer = try await client.get("/\(name)?\(name == "openapi.json" ? "generic" : "modules")")
                #expect(answer.status == 200, "\(name) must be among the resources in Package.swift")
                #expect(answer.body == Array(content), "\(name)")
            }
            let page = try await client.get("/")
            #expect(try await client.get("/index.html").body == page.body)
        }
    }

    @Test(.folder) func aFolderWithoutADescriptionGetsTheLibrarys() async throws {
        let file = try Data(contentsOf: URL(filePath: Self.shipped).appending(path: "openapi.json"))
        #expect(try await client.get("/openapi.json?generic").body == Array(file))
        #expect(try await client.get("/inspector.js").status == 404)
        let folder = ServedFolder.path
        try Data(#"{"own": true}"#.utf8).write(to: URL(filePath: folder).appending(path: "openapi.json"))
        try await withRacing(configuration: .make(publicFolder: folder)) { server in
            let answer = try await server.client().get("/openapi.json")
            #expect(answer.text == #"{"own": true}"#)
        }
    }

    /// The program of the tests has the library's page beside it.
    @Test func filesOfAFolderWithoutAPageAreServedBesideTheLibrarys() async throws {
        let images = [
            "svg": "image/svg+xml", "png": "image/png", "webp": "image/webp", "jpg": "image/jpeg",
            "jpeg": "image/jpeg", "gif": "image/gif", "avif": "image/avif", "JPG": "image/jpeg",
        ]
        try await withFolder { folder in
            let own = folder.appending(path: "images")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            for suffix in images.keys { try Data(suffix.utf8).write(to: own.appending(path: "lamp.\(suffix)")) }
            try Data("mine".utf8).write(to: folder.appending(path: "favicon.svg"))
            try await withRacing(configuration: .make(publicFolder: folder.path)) { server in
                let client = server.client()
                for (suffix, type) in images {
                    let image = try await client.get("/images/lamp.\(suffix)")
                    #expect(image.text == suffix)
                    #expect(image.header("Content-Type") == type)
                    #expect(image.header("Content-Security-Policy")?.hasPrefix("default-src 'self';") == true)
                }
                #expect(try await client.get("/favicon.svg").text == "mine")
                for (path, name) in [
                    ("/?modules", "index.html"), ("/inspector.js", "inspector.js"), ("/web/app.css", "web/app.css"),
                ] {
                    let content = try Data(contentsOf: URL(filePath: Self.shipped).appending(path: name))
                    #expect(try await client.get(path).body == Array(content), "\(path)")
                }
            }
        }
    }

    @Test func aMissingFolderIsRefusedAtTheStart() throws {
        #expect {
            try PublicFiles(folder: "/nowhere/at/all")
        } throws: { error in
            (error as? UnreadableFolder)?.description.contains("/nowhere/at/all") == true
        }
    }
}

/// A trait that runs each test with the racing app on a server of a folder, with some files that must not be served.
private struct ServedFolder: TestTrait, TestScoping {
    /// A text that gzip makes smaller.
    static let script = String(repeating: "let page = 1;\n", count: 8_000)
    @TaskLocal static var path = ""

    private static func write(to folder: URL) throws {
        let files = FileManager.default
        for name in ["folder", ".git"] {
            try files.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        let hash = String(Array(script.utf8).fingerprint, radix: 36)
        let texts = ["html", "css", "js", "json", "svg"].map { ("text.\($0)", script) }
        for (name, content) in texts + [
            ("index.html", "page"), ("folder/index.html", "inner page"), ("a b.txt", "spaced"), (".hidden", "secret"),
            ("folder/.hidden", "secret"), (".git/config", "secret"), ("../outside.txt", "secret"),
            ("../Package.swift", "secret"), ("a.js", script), ("a.\(hash).js", script),
            ("a.20261127.js", script), ("short.js", "let page = 2;\n"), ("picture.png", script),
            ("a.json", "{\"page\":[\(Array(repeating: "1", count: 200).joined(separator: ","))]}"),
        ] {
            try Data(content.utf8).write(to: folder.appending(path: name))
        }
        try files.createSymbolicLink(
            at: folder.appending(path: "link.txt"), withDestinationURL: folder.appending(path: "../outside.txt"))
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withFolder { root in
            let folder = root.appending(path: "public")
            try Self.write(to: folder)
            try await Self.$path.withValue(folder.path) {
                try await Serving.provide(
                    RacingApp.make(), configuration: .make(publicFolder: folder.path), over: .socket,
                    performing: function)
            }
        }
    }
}

extension Trait where Self == ServedFolder { fileprivate static var folder: Self { Self() } }
