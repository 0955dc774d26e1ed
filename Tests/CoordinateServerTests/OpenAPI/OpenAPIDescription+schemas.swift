import CoordinateTesting
import Testing

extension OpenAPIDescription {
    /// Checks that its schemas are valid, that its examples fit them, and that generators of clients understand them.
    func checkSchemas() {
        #expect(references.subtracting(components) == [])
        for reference in references { #expect(root[reference: reference] != nil) }
        for schema in schemas {
            #expect(JSONSchema(schema: schema, root: root).unknownKeywords == [], "\(schema)")
        }
        for (name, object) in values where name != "properties" {
            let examples = object["examples"]?.array ?? object["example"].map { [$0] } ?? []
            for example in examples {
                #expect(JSONSchema(schema: object["schema"] ?? object, root: root).violations(of: example) == [])
            }
        }
        checkForGenerators()
    }

    /// What generators do not read correctly, although OpenAPI allows it.
    private func checkForGenerators() {
        for (name, value) in values {
            let keywords = Set(value.object.keys)
            // Beside a reference, only a description.
            #expect(value["$ref"] == nil || keywords.isSubset(of: ["$ref", "description"]), "\(value)")
            // A constant with its type; only Swift has no name for that of a Boolean.
            if name != "properties", let const = value["const"], const != true {
                #expect(value["type"]?.string != nil, "\(value)")
            }
            // One type, or one and null.
            if let types = value["type"]?.array, !types.isEmpty {
                #expect(types.count == 2 && types.contains("null"), "\(value)")
            }
        }
        // No schema is a Boolean.
        let properties = values.filter { $0.name == "properties" }.flatMap(\.value.object)
        #expect(properties.filter { $0.value == true || $0.value == false }.isEmpty)
        // Names that Swift, TypeScript or Python has taken.
        let names = Set(root["components"]["schemas"]?.object.keys.map { $0 } ?? [])
        #expect(names.isDisjoint(with: ["Array", "Error", "Map", "Object", "Result", "Set", "String"]))
    }
}
