import BatonSchema
import BatonSyntax

/// The declarations of a schema in the form in which an editor shows them.
struct SchemaText {
    private let schema: Schema

    init(_ schema: Schema) {
        self.schema = schema
    }

    func field(_ field: SchemaField, on type: SchemaType?) -> String {
        let owner = type.map { $0.name + "." } ?? ""
        return owner + field.name + arguments(field.arguments) + ": " + schema.describe(field.type)
    }

    func input(_ value: SchemaInputValue) -> String {
        let initial = value.defaultValue.map { " = " + Printer.print($0) } ?? ""
        return value.name + ": " + schema.describe(value.type) + initial
    }

    func directive(_ directive: SchemaDirective) -> String {
        "directive @" + directive.name + arguments(directive.arguments)
    }

    private func arguments(_ values: [SchemaInputValue]) -> String {
        if values.isEmpty { return "" }
        let parts = values.map(input)
        let line = "(" + parts.joined(separator: ", ") + ")"
        return line.utf8.count <= 60 ? line : "(\n  " + parts.joined(separator: "\n  ") + "\n)"
    }

    /// The first line of a type's declaration, with a short form of what belongs to the type.
    func type(_ type: SchemaType) -> String {
        func names(_ types: [SchemaType]) -> String {
            let shown = types.prefix(8).map(\.name).joined(separator: " | ")
            return types.count > 8 ? shown + " | ..." : shown
        }
        switch type.kind {
        case .scalar: return "scalar \(type.name)"
        case .object: return "type \(type.name)" + implementing(type)
        case .interface: return "interface \(type.name)" + implementing(type)
        case .union: return "union \(type.name) = " + names(schema.possibleTypes(of: type))
        case .enum:
            return "enum \(type.name) { " + type.enumValues.prefix(12).map(\.name).joined(separator: " ")
                + (type.enumValues.count > 12 ? " ... }" : " }")
        case .inputObject:
            return "input \(type.name) {\n" + type.inputFields.map { "  " + input($0) + "\n" }.joined() + "}"
        }
    }

    private func implementing(_ type: SchemaType) -> String {
        if type.interfaces.isEmpty { return "" }
        return " implements " + type.interfaces.map { schema[$0].name }.joined(separator: " & ")
    }
}
