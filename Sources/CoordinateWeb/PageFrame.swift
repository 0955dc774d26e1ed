/// The frame around the content of every page: the document's head, and the element `body`.
struct PageFrame {
    let title: String
    var language = PageLanguage.english
    var look = PageLook()

    /// The whole document.
    ///
    /// - Parameters:
    ///   - attributes: The attributes of the element `body`.
    ///   - content: Writes the content of the element `body`.
    func document(_ attributes: HTMLAttributes = [:], _ content: (inout HTMLWriter) -> Void) -> String {
        var html = HTMLWriter()
        html.block("html", ["lang": language.tag, "dir": language.isRightToLeft ? "rtl" : nil]) { html in
            html.block("head") { html in
                html.void("meta", ["charset": "utf-8"])
                html.startLine()
                html.void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                html.startLine()
                html.void("meta", ["name": "color-scheme", "content": "light dark"])
                html.startLine()
                html.element("title", [:], look.app.map { $0 == title ? title : "\(title) – \($0)" } ?? title)
                for sheet in look.styleSheets {
                    html.startLine()
                    html.void("link", ["rel": "stylesheet", "href": sheet])
                }
                if let icon = look.icon {
                    html.startLine()
                    html.void("link", ["rel": "icon", "href": icon])
                }
                if let script = look.script {
                    html.startLine()
                    html.element("script", ["type": "module", "src": script]) { _ in }
                }
            }
            html.block("body", attributes, content)
        }
        return "<!DOCTYPE html>\n" + html.html
    }

    /// The document of a page with a message in place of a screen. The title is its heading.
    func message(_ content: (inout HTMLWriter) -> Void) -> String {
        document { html in
            writeHeader(&html)
            html.block("main", ["id": "main", "class": "message"]) { html in
                html.element("h1", ["tabindex": "-1"], title)
                content(&html)
            }
        }
    }

    /// Writes the header of a page, with the name of the app and what the closure writes.
    func writeHeader(_ html: inout HTMLWriter, _ content: (inout HTMLWriter) -> Void = { _ in }) {
        html.block("header") { html in
            if let app = look.app { html.element("p", ["class": "app", "dir": "auto"], app) }
            content(&html)
        }
    }
}

extension HTMLWriter {
    /// Writes an element with a sentence of this library, which is English on a page of any language.
    mutating func sentence(
        _ name: StaticString = "p", _ attributes: HTMLAttributes = [:], on language: PageLanguage, _ text: String
    ) {
        let foreign: HTMLAttributes = language.isEnglish ? [:] : ["lang": "en", "dir": "ltr"]
        element(name, attributes + foreign, text)
    }
}
