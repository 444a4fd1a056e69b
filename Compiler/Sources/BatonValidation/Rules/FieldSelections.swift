import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension ValidationRule {
    static let fieldSelections = ValidationRule(
        .fields, "FieldSelections",
        .field { $0.checkFieldIsDefined($1, on: $2, $3) })
}

extension Traversal {
    /// Checks that the parent type defines the field. The suggestion is a possible type that defines the field, or else
    /// a field with a similar name.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Field-Selections
    func checkFieldIsDefined(_ field: Field, on parent: SchemaType, _ definition: SchemaField?) {
        if definition != nil { return }
        let name = field.name
        let message = "unknown field '\(name.text)' on type '\(parent.name)'"
        if let question = questionAboutHolders(ofField: name.text, on: parent) {
            report(.unknownField, message, at: name.span, suggestion: question)
            return
        }
        let metaFields = parent === schema.queryType ? ["__typename", "__schema", "__type"] : ["__typename"]
        let near = Spelling.suggestions(for: name.text, among: parent.fields.map(\.name) + metaFields)
        if near.isEmpty, let question = questionAboutSimilarFields(name.text, below: parent) {
            report(.unknownField, message, at: name.span, suggestion: question)
        } else {
            reportUnknown(.unknownField, message, name, meant: near)
        }
    }

    /// A question that names the possible types of an abstract type that define the field.
    private func questionAboutHolders(ofField name: String, on parent: SchemaType) -> String? {
        guard parent.isAbstract, Spelling.budget?.isSpent != true else { return nil }
        let possible = schema.possibleTypes(of: parent)
        Spelling.budget?.spend(possible.count)
        var holders = possible.filter { $0.field(named: name) != nil }
        // An interface that all these types implement is named instead of the types.
        let shared = holders.first?.interfaces.map { schema[$0] }.first { interface in
            interface.field(named: name) != nil && holders.allSatisfy { schema.implements($0, interface) }
        }
        if let shared, holders.count > 1 { holders = [shared] }
        let names = holders.prefix(5).map { "'\($0.name)'" }
        guard let last = names.last else { return nil }
        let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " + last : last
        return "'\(name)' exists on \(list), did you mean an inline fragment?"
    }

    /// The number of possible types that are searched for a similar name.
    private static let searchedTypes = 100

    /// A question about fields with a similar name, which only some of the possible types define.
    private func questionAboutSimilarFields(_ name: String, below parent: SchemaType) -> String? {
        guard parent.isAbstract, Spelling.budget?.isSpent != true else { return nil }
        let types = schema.possibleTypes(of: parent).prefix(Self.searchedTypes)
        let names = Set(types.flatMap { $0.fields.map(\.name) })
        guard let near = Spelling.suggestions(for: name, among: names).first,
            let holder = types.first(where: { $0.field(named: near) != nil })
        else { return nil }
        return "did you mean '... on \(holder.name) { \(near) }'?"
    }
}
