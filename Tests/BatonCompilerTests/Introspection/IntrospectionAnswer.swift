import BatonSchema
import BatonSyntax
import Foundation

/// The answer that a server with a schema gives to the introspection query, in one of the shapes that servers use.
struct IntrospectionAnswer {
    let schema: Schema
    /// Whether the query asked only for fields that servers of 2016 know.
    var isOld = false

    func json(wrapped keys: [String] = ["data", "__schema"], isIndented: Bool = true) throws -> String {
        var value: Any = schemaValue
        for key in keys.reversed() { value = [key: value] }
        let options: JSONSerialization.WritingOptions = isIndented ? [.sortedKeys, .prettyPrinted] : .sortedKeys
        let data = try JSONSerialization.data(withJSONObject: value, options: options)
        return String(decoding: data, as: UTF8.self)
    }

    private var schemaValue: [String: Any] {
        func root(_ kind: OperationKind) -> Any {
            schema.rootType(for: kind).map { ["name": $0.name] as Any } ?? NSNull()
        }
        var value: [String: Any] = [
            "queryType": root(.query), "mutationType": root(.mutation), "subscriptionType": root(.subscription),
            // No server knows Relay's own types.
            "types": schema.types.filter {
                !$0.isPredeclared || ["Int", "Float", "String", "Boolean", "ID"].contains($0.name)
                    || $0.name.hasPrefix("__")
            }
            .map(value(of:)),
            "directives": [schema.directives.values, schema.definitionDirectives.values].joined()
                .filter { $0.origin == .schema || $0.origin == .specification }
                .sorted { $0.name < $1.name }.map(value(of:)),
        ]
        if !isOld { value["description"] = schema.description ?? NSNull() as Any }
        return value
    }

    private func value(of type: SchemaType) -> [String: Any] {
        var value: [String: Any] = [
            "kind": kind(of: type), "name": type.name, "description": type.description ?? NSNull() as Any,
            "fields": NSNull(), "interfaces": NSNull(), "possibleTypes": NSNull(), "enumValues": NSNull(),
            "inputFields": NSNull(),
        ]
        switch type.kind {
        case .scalar: if !isOld { value["specifiedByURL"] = type.specifiedByURL ?? NSNull() as Any }
        case .object, .interface:
            value["fields"] = type.fields.map(self.value(of:))
            if !isOld || type.kind == .object {
                value["interfaces"] = type.interfaces.map { reference(to: schema[$0]) }
            }
            if type.kind == .interface { value["possibleTypes"] = possible(type) }
        case .union: value["possibleTypes"] = possible(type)
        case .enum:
            value["enumValues"] = type.enumValues.map {
                named($0.name, $0.description).merging(deprecation($0.deprecation)) { $1 }
            }
        case .inputObject:
            value["inputFields"] = type.inputFields.map(self.value(of:))
            if !isOld { value["isOneOf"] = type.isOneOf }
        }
        return value
    }

    private func possible(_ type: SchemaType) -> [[String: Any]] {
        type.kind == .union
            ? type.members.map { reference(to: schema[$0]) } : schema.possibleTypes(of: type).map(reference(to:))
    }

    private func value(of field: SchemaField) -> [String: Any] {
        named(field.name, field.description).merging(deprecation(field.deprecation)) { $1 }
            .merging(["args": field.arguments.map(value(of:)), "type": value(of: field.type)]) { $1 }
    }

    private func value(of input: SchemaInputValue) -> [String: Any] {
        named(input.name, input.description).merging(isOld ? [:] : deprecation(input.deprecation)) { $1 }
            .merging([
                "type": value(of: input.type),
                "defaultValue": input.defaultValue.map { Printer.print($0, .compact) } ?? NSNull() as Any,
            ]) { $1 }
    }

    private func value(of directive: SchemaDirective) -> [String: Any] {
        var value = named(directive.name, directive.description)
        value["args"] = directive.arguments.map(self.value(of:))
        value["locations"] = DirectiveLocation.allCases.filter(directive.locations.contains).map(\.rawValue)
        if !isOld { value["isRepeatable"] = directive.isRepeatable }
        return value
    }

    private func value(of type: TypeReference) -> [String: Any] {
        switch type.shape {
        case .named(let id): reference(to: schema[id])
        case .list(let item): ["kind": "LIST", "name": NSNull(), "ofType": value(of: item)]
        case .nonNull(let inner): ["kind": "NON_NULL", "name": NSNull(), "ofType": value(of: inner)]
        }
    }

    private func reference(to type: SchemaType) -> [String: Any] {
        ["kind": kind(of: type), "name": type.name, "ofType": NSNull()]
    }

    private func named(_ name: String, _ description: String?) -> [String: Any] {
        ["name": name, "description": description ?? NSNull() as Any]
    }

    private func deprecation(_ reason: String?) -> [String: Any] {
        ["isDeprecated": reason != nil, "deprecationReason": reason ?? NSNull() as Any]
    }

    private func kind(of type: SchemaType) -> String {
        switch type.kind {
        case .scalar: "SCALAR"
        case .object: "OBJECT"
        case .interface: "INTERFACE"
        case .union: "UNION"
        case .enum: "ENUM"
        case .inputObject: "INPUT_OBJECT"
        }
    }
}
