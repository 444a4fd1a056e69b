import BatonSchema
import BatonSyntax

/// The directives `@defer` and `@stream` for schemas that do not declare them.
enum IncrementalDirectives {
    static func definitions(for schema: Schema) -> [String: SchemaDirective] {
        func type(_ name: String) -> TypeReference? { schema.type(named: name).map { TypeReference($0.id) } }
        guard let text = type("String"), let boolean = type("Boolean"), let condition = boolean.required,
            let number = type("Int")
        else { return [:] }
        let arguments = [
            SchemaInputValue(name: "label", type: text),
            SchemaInputValue(name: "if", type: condition, defaultValue: .boolean(BooleanValue(true))),
        ]
        let count = SchemaInputValue(name: "initialCount", type: number, defaultValue: .int(IntValue("0")))
        return [
            "defer": SchemaDirective(
                name: "defer", arguments: arguments, locations: [.fragmentSpread, .inlineFragment],
                origin: .specification),
            "stream": SchemaDirective(
                name: "stream", arguments: arguments + [count], locations: [.field], origin: .specification),
        ]
    }
}
