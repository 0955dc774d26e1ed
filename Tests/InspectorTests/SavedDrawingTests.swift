import CoordinateTesting
import Foundation
import Racing
import SessionFixtures
import Testing
import WebDriver

@testable import CoordinateServer

extension Appearance {
    /// Pictures of the screen and of the storyboard that the user saves as files.
    ///
    /// The browser's console stays empty, so the page's Content-Security-Policy allows them.
    struct SavedDrawingTests {
        private func saved(_ page: Page, _ command: String) async throws -> (name: String, content: Data) {
            try await page.saved { try await page.run(command) }
        }

        /// What an SVG file shows: its texts, and whether it needs something from elsewhere.
        private func read(_ drawing: Data, in page: Page) async throws -> JSON {
            try await page.evaluate(
                """
                const file = new DOMParser().parseFromString(arguments[0], "image/svg+xml");
                const isForeign = "style, script, foreignObject, image, use, [href], [style], [class]";
                return {
                  isSVG: file.documentElement.localName === "svg" && file.querySelector("parsererror") === null,
                  foreign: file.querySelectorAll(isForeign).length,
                  texts: [...file.querySelectorAll("text")].map((text) => text.textContent),
                  pixels: ["width", "height"].map((name) => Math.round(2 * file.documentElement.getAttribute(name))),
                  title: file.querySelector("title").textContent,
                };
                """, .string(String(decoding: drawing, as: UTF8.self)))
        }

        /// The width and the height of a PNG file.
        private func size(of picture: Data) throws -> [Int] {
            #expect(picture.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
            try #require(picture.count > 24)
            return [16, 20].map { at in picture[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
        }

        @Test func theScreenIsSavedAsItIsShown() async throws {
            try await withInspector { page, _ in
                try await page.press("#actions button", text: "Continue", version: 1)
                for (isDark, ink) in [(true, "#eceeeb"), (false, "#1a1c1b")] {
                    try await page.prefer(dark: isDark)
                    let file = try await saved(page, "Save the screen as SVG")
                    #expect(file.name == "racing-main-teams-1.svg")
                    let drawing = try await read(file.content, in: page)
                    #expect(drawing["isSVG"] == true)
                    #expect(drawing["foreign"] == 0)
                    #expect(drawing["title"] == "Teams")
                    let texts = drawing["texts"]?.array.compactMap(\.string) ?? []
                    #expect(Set(["Teams", "Ferrari", "Aston Martin", "Profile"]).isSubset(of: texts))
                    #expect(String(decoding: file.content, as: UTF8.self).contains("fill=\"\(ink)\""))
                    let picture = try await saved(page, "Save the screen as PNG")
                    #expect(picture.name == "racing-main-teams-1.png")
                    #expect(try size(of: picture.content) == drawing["pixels"]?.array.compactMap(\.int))
                }
            }
        }

        @Test func aPictureOfAFormHasItsValuesWithoutSecrets() async throws {
            try await withInspector(of: FormApp()) { page, _ in
                try await page.fill("#phone [data-field=name]", with: "Ada")
                try await page.fill("#phone [data-field=password]", with: "swordfish 7")
                let file = try await saved(page, "Save the screen as SVG")
                let texts = try await read(file.content, in: page)["texts"]?.array.compactMap(\.string) ?? []
                for text in ["Ada", "8001", "Switzerland", "•••••••••••"] { #expect(texts.contains(text)) }
                #expect(!String(decoding: file.content, as: UTF8.self).contains("swordfish"))
            }
        }

        @Test func aPictureHasTheImagesAndTheThemeOfTheApp() async throws {
            let (theme, accent) = (TemporaryFile("theme.css"), "#7a1fa2")
            try Data(":root { --accent: \(accent); }".utf8).write(to: URL(filePath: theme.path))
            let server = try Server.showing(GalleryApp(), theme: theme.path)
            try await withInspector(of: server) { page, _ in
                let style = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
                #expect(
                    try await page.evaluate(style, "#actions [data-role=primary]") == "rgb(122, 31, 162)")
                try await page.wait(
                    "for the picture", until: "document.querySelector('#rows img')?.naturalWidth > 0")
                let file = try await saved(page, "Save the screen as SVG")
                let text = String(decoding: file.content, as: UTF8.self)
                for color in [accent, "#e8002d", "#ff8000"] { #expect(text.contains("fill=\"\(color)\"")) }
                // The symbol of a row is in its own color, and that of the selected tab in the theme's.
                for color in [accent, "#27f4d2"] { #expect(text.contains("stroke=\"\(color)\"")) }
                let images = try await page.evaluate(
                    """
                    const file = new DOMParser().parseFromString(arguments[0], "image/svg+xml");
                    return [...file.querySelectorAll("image")]
                      .map((image) => [image.textContent, image.href.baseVal.startsWith("data:image/png;base64,")]);
                    """, .string(text))
                #expect(images == [["Three circles", true]])
                let texts = try await read(file.content, in: page)["texts"]?.array.compactMap(\.string) ?? []
                #expect(
                    Set(["Red", "16", "LN", "Delete all"]).isSubset(of: texts)
                )
                let picture = try await saved(page, "Save the screen as PNG")
                let pixels = try await page.evaluate(
                    """
                    const image = new Image();
                    image.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(arguments[0]), (each) => each.charCodeAt(0))]));
                    return image.decode().then(() => {
                      const context = Object.assign(document.createElement("canvas"), image).getContext("2d");
                      const [phone, row] = ["#phone", "#rows img"].map((each) => document.querySelector(each).getBoundingClientRect());
                      context.drawImage(image, 2 * (phone.left - row.left), 2 * (phone.top - row.top));
                      const { data } = context.getImageData(0, 0, 2 * row.width, 2 * row.height);
                      return new Set(new Uint32Array(data.buffer)).size > 10;
                    });
                    """, .string(picture.content.base64EncodedString()))
                #expect(pixels == true)
            }
        }

        @Test func theWholeStoryboardIsSaved() async throws {
            try await withStoryboard { page, server in
                // From here, the page shows only a part of it.
                try await page.tab(to: "#map .here")
                for _ in 0..<6 { try await page.press(Character("+")) }
                let file = try await saved(page, "Save the storyboard as SVG")
                #expect(file.name == "racing-storyboard.svg")
                let drawing = try await read(file.content, in: page)
                #expect(drawing["isSVG"] == true)
                #expect(drawing["foreign"] == 0)
                let texts = drawing["texts"]?.array.compactMap(\.string) ?? []
                let screens = try await server.client().get("/map").json["states"]?.array.compactMap {
                    $0["screen"]?.string
                }
                #expect(Set(screens ?? []).union(["Teams", "Ferrari", "Edit profile"]).isSubset(of: texts))
                let picture = try await saved(page, "Save the storyboard as PNG")
                #expect(picture.name == "racing-storyboard.png")
                #expect(try size(of: picture.content)[0] > 500)
            }
        }
    }
}
