import Foundation
import Testing

@testable import CoordinateServer

/// Pages whose modules and style sheets are joined.
struct JoinedPageTests {
    /// A file of the page, by its path.
    private static func text(_ path: String) -> String? {
        try? String(contentsOf: URL(filePath: PublicFilesTests.shipped).appending(path: path), encoding: .utf8)
    }

    @Test func everyPageOfTheLibraryCanBeJoined() throws {
        let pages = try FileManager.default.subpathsOfDirectory(atPath: PublicFilesTests.shipped)
            .filter { $0.hasSuffix(".html") }
        #expect(pages.count >= 2)
        for name in pages {
            let page = try #require(Self.text(name))
            let joined = try #require(try JoinedPage(page, Self.text), "\(name) loads no module")
            #expect(joined.files.count == 2)
            #expect(!joined.html.contains("modulepreload"))
        }
    }

    @Test func modulesKeepTheirNamesApartAndRunInOrder() throws {
        let modules = [
            "/main.js": """
            // @ts-check
            import { Three } from "./b/c.js";
            import "./a.js";

            export async function main() {
              return new Three();
            }

            """,
            "/a.js": "/** One. */\nexport const one = 1;\n\nexport function two() {\n  return 2;  // two\n}\n",
            "/b/c.js": """
            import {
              one, two as twice,
            } from "../a.js";
            import * as all from "/a.js";
            /*
             * A comment.
             */
            export class Three {
              /** @type {number} */ (value) = one + twice() + all.one;
            }

            """,
        ]
        let script = try JoinedScript(of: "/main.js") { modules[$0] }
        #expect(
            script.text == """
                const module2 = (() => {
                const one = 1;
                function two() {
                  return 2;  // two
                }
                return { one, two };
                })();
                const module1 = (() => {
                const { one, two: twice } = module2;
                const all = module2;
                class Three {
                  /** @type {number} */ (value) = one + twice() + all.one;
                }
                return { Three };
                })();
                const module0 = (() => {
                const { Three } = module1;

                async function main() {
                  return new Three();
                }
                return { main };
                })();

                """)
    }

    @Test(arguments: [
        "export default 1;", "export { a };", "export { a } from \"./b.js\";", "export let a = 1;",
        "export * from \"./b.js\";",
        "export const { a } = b;", "import b from \"./b.js\";", "import { missing } from \"./b.js\";",
        "import { b } from \"package\";", "import { b } from './b.js';", "import { b } from \"./none.js\";",
        "import { back } from \"./back.js\";", "const b = await import(\"./b.js\");", "const url = import.meta.url;",
        "/*\n*/ code();", "import { b from \"./b.js\";", "const b = await load();", "await load();",
    ])
    func otherFormsOfModulesAreRefused(text: String) {
        let modules = [
            "/a.js": text + "\n", "/b.js": "export const b = 1;\n",
            "/back.js": "import \"./a.js\";\nexport const back = 1;\n",
        ]
        let textOf: (String) -> String? = { modules[$0] }
        #expect(throws: UnknownForm.self) { try JoinedScript(of: "/a.js", textOf) }
    }

    @Test func aPageLoadsTheJoinedFilesBehindTheDesign() throws {
        let files = [
            "/page.js": "export const page = 1;\n", "/page.css": "/* A page. */\np {\n  margin: 0;\n}\n",
            "/other.css": "b {\n}\n", "/image.css": "p { background: url(\"image.png\"); }\n",
        ]
        let page = """
            <head>
              <link rel="stylesheet" href="/web/theme.css">
              <link rel="stylesheet" href="/page.css">
              <link rel="stylesheet" href="/other.css">
              <script type="module" src="/page.js"></script>
              <link rel="modulepreload" href="/other.js">
            </head>

            """
        let textOf: (String) -> String? = { files[$0] }
        let joined = try #require(try JoinedPage(page, textOf))
        let paths = joined.files.keys.sorted { $0.suffix(3) < $1.suffix(3) }
        #expect(
            joined.html == """
                <head>
                  <script type="module" src="\(paths[0])"></script>
                  <link rel="stylesheet" href="/web/theme.css">
                  <link rel="stylesheet" href="\(paths[1])">
                </head>

                """)
        #expect(joined.files[paths[1]]?.text == "p {\n  margin: 0;\n}\nb {\n}\n")
        let plain = try JoinedPage("<script src=\"/page.js\"></script>\n", textOf)
        #expect(plain?.html == nil)
        for sheet in ["/none.css", "/image.css"] {
            let page = page.replacing("/page.css", with: sheet)
            #expect(throws: UnknownForm.self) { try JoinedPage(page, textOf) }
        }
    }
}
