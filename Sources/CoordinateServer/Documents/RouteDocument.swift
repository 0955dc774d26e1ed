package import Coordinate
package import CoordinateSessions
package import JSON
package import MicroHTTPD

/// The document with the navigation state of a session.
package enum RouteDocument {
    /// The deepest nesting of a document: two brackets per level of coordinators at most, and the payloads of the
    /// actions that the deepest one offers.
    static let maximumDepth = 512

    /// - Parameter session: The session's id; `nil` for a tree that belongs to no session.
    package static func encode(_ state: LiveState, session: SessionID?, version: Int) -> HTTPBody {
        let visible = state.visible
        var json = DocumentWriter(capacity: 4096)
        json.object {
            if let session { $0.field("session", session.description) }
            $0.field("version", version)
            $0.field("path", visible.path)
            $0.field("leaf", visible.leaf)
            $0.array("breadcrumbs", visible.breadcrumbs) { json, crumb in
                json.object {
                    $0.field("title", crumb.title)
                    $0.field("path", crumb.path)
                }
            }
            $0.parked(visible.parked)
            $0.pending(visible.pending)
            $0.key("screen")
            $0.screen(visible.screen)
            $0.navigation(of: visible)
            $0.key("tree")
            $0.node(state.root, of: state)
        }
        return json.finish(isToBeKept: true)
    }
}

/// Writes more fields of a form.
package typealias FormDescription = (_ inputs: [Action.Input], inout DocumentWriter) -> Void

extension DocumentWriter {
    package mutating func screen(_ screen: Screen, describing forms: FormDescription? = nil) {
        object {
            $0.field("name", screen.name)
            $0.field("title", screen.title)
            $0.field("style", screen.style.rawValue)
            $0.field("status", screen.status.rawValue)
            $0.field("message", screen.message)
            $0.array("sections", screen.sections) { json, section in
                json.object {
                    $0.field("id", section.id)
                    $0.field("title", section.title)
                    $0.field("footer", section.footer)
                }
            }
            $0.array("rows", screen.rows) { json, row in
                json.object {
                    $0.field("id", row.id)
                    $0.field("section", row.section)
                    $0.field("title", row.title)
                    $0.field("subtitle", row.subtitle)
                    $0.image(row.image)
                    $0.field("favorite", row.isFavorite)
                    $0.action("action", row.action, forms)
                    $0.action("delete", row.delete, forms)
                    $0.field("value", row.value)
                    $0.array("actions", row.actions) { $0.action($1, forms) }
                }
            }
            $0.field("empty", screen.emptyText)
            $0.array("actions", screen.actions) { $0.action($1, forms) }
            $0.plain("content", screen.content)
        }
    }

    private mutating func image(_ image: Image?) {
        key("image")
        guard let image else { return null() }
        object {
            $0.field("url", image.file)
            $0.field("symbol", image.symbol)
            $0.field("letters", image.letters)
            $0.field("color", image.hexadecimalColor)
            $0.field("alt", image.alt)
        }
    }

    fileprivate mutating func parked(_ path: String?) {
        if let path {
            object("parked") { $0.field("path", path) }
        } else {
            key("parked")
            null()
        }
    }

    package mutating func pending(_ pending: [PendingWork]) {
        array("pending", pending) { json, work in
            json.object {
                $0.field("id", work.id)
                $0.field("name", work.name)
                $0.field("kind", work.due == nil ? "work" : "timer")
                $0.field("at", work.at)
                $0.field("due", work.due?.description)
            }
        }
    }

    package mutating func navigation(of visible: VisibleState, describing forms: FormDescription? = nil) {
        object("navigation") {
            $0.action("back", visible.back, forms)
            $0.array("tabs", visible.tabs) { json, tab in
                json.object {
                    $0.field("title", tab.title)
                    $0.field("badge", tab.badge)
                    $0.image(tab.image)
                    $0.field("selected", tab.isSelected)
                    $0.action("action", tab.action, forms)
                }
            }
            $0.action("dismiss", visible.dismiss, forms)
        }
    }

    fileprivate mutating func node(_ node: LiveState.Node, of state: LiveState) {
        object {
            $0.field("id", node.id)
            $0.field("coordinator", node.coordinator)
            $0.field("kind", node.kind.rawValue)
            $0.field("started", node.isStarted)
            $0.field("title", node.title)
            $0.field("badge", node.badge)
            $0.field("route", state.route(of: node)?.relative)
            $0.field("section", node.section)
            $0.field("index", node.index)
            $0.key("presented")
            if let presented = node.presented { $0.node(presented, of: state) } else { $0.null() }
            $0.array("children", count: node.childCount) { $0.node(node.child(at: $1), of: state) }
        }
    }

    private mutating func action(_ name: StaticString, _ action: Action?, _ forms: FormDescription?) {
        key(name)
        if let action { self.action(action, forms) } else { null() }
    }

    private mutating func action(_ action: Action, _ forms: FormDescription?) {
        object {
            $0.field("title", action.title)
            $0.field("event", action.event)
            $0.plain("payload", action.payload)
            $0.field("role", action.role?.rawValue)
            $0.field("opens", action.opens)
            if action.isForm {
                $0.array("inputs", action.inputs) { $0.input($1) }
                forms?(action.inputs, &$0)
            }
        }
    }

    private mutating func input(_ input: Action.Input) {
        object {
            $0.field("field", input.field)
            $0.field("title", input.title)
            $0.field("type", input.type.kind.rawValue)
            $0.plain("value", input.value)
            $0.field("error", input.error)
            $0.key("choices")
            if let choices = input.choices { $0.choices(choices) } else { $0.null() }
            $0.field("required", !input.type.isOptional)
            $0.field("secret", input.type.isSecret)
            $0.field("kind", input.kind?.rawValue)
        }
    }

    private mutating func choices(_ choices: [Action.Input.Choice]) {
        array(choices) { json, choice in
            json.object {
                $0.plain("value", choice.value)
                $0.field("title", choice.title)
            }
        }
    }
}
