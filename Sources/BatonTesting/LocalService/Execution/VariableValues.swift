import Baton
import BatonSchema
import BatonSyntax

/// The coerced values of an operation's variables; a variable without a value and a default has no entry.
struct VariableValues {
    let values: [String: JSONValue]

    /// Coerces the values that the client sent; throws one problem for each variable that does not fit.
    ///
    /// Specification: https://spec.graphql.org/September2025/#CoerceVariableValues()
    init(_ given: JSONValue, for operation: OperationDefinition, schema: Schema) throws(RequestProblems) {
        let coercion = InputCoercion(schema: schema)
        var values: [String: JSONValue] = [:]
        var problems: [RequestProblem] = []
        for definition in operation.variables {
            let name = definition.name.text
            guard let type = schema.resolve(definition.type) else { continue }
            do throws(InputProblem) {
                if let value = given[name] {
                    if case .null = value, type.isNonNull {
                        let text = schema.describe(type)
                        problems.append(
                            .init(
                                "Variable \"$\(name)\" of non-null type \"\(text)\" must not be null.",
                                at: [definition.span])
                        )
                        continue
                    }
                    values[name] = try coercion.coerce(value, to: type, path: name)
                } else if let value = definition.defaultValue {
                    let literals = LiteralCoercion(input: coercion) { _, _ throws(InputProblem) in .absent }
                    values[name] = try literals.coerce(value, to: type)
                } else if type.isNonNull {
                    let text = schema.describe(type)
                    problems.append(
                        .init(
                            "Variable \"$\(name)\" of required type \"\(text)\" was not provided.",
                            at: [definition.span])
                    )
                }
            } catch {
                let value = given[name].map { coercion.describe($0) } ?? "null"
                let place = error.path == name || error.path.isEmpty ? "" : " at \"\(error.path)\""
                problems.append(
                    .init(
                        "Variable \"$\(name)\" got invalid value \(value)\(place); \(error.message)",
                        at: [definition.span])
                )
            }
        }
        guard problems.isEmpty else { throw RequestProblems(problems) }
        self.values = values
    }

    /// Throws if a variable that decides `@skip` or `@include` has no value.
    func check(_ conditions: [PreparedDocument.Condition]) throws(RequestProblems) {
        for condition in conditions {
            if case .bool = values[condition.variable] { continue }
            throw RequestProblems(
                "Argument \"if\" of non-null type \"Boolean!\" must not be null.",
                at: [condition.span]
            )
        }
    }
}
