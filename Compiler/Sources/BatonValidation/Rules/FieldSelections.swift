import BatonDiagnostics
import BatonSchema
import BatonSyntax

extension Traversal {
    /// The field is defined on the type in scope.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Field-Selections
    func checkFieldSelection(_ field: Field, on parent: SchemaType) -> SchemaField? {
        let name = field.name.text
        if let definition = schema.field(named: name, on: parent) { return definition }
        report(
            .unknownField,
            "unknown field '\(name)' on type '\(parent.name)'",
            at: field.name.span,
            suggestion: suggestion(forField: name, on: parent)
        )
        return nil
    }

    /// A type that has the field and may be met here, or else a field with a similar name.
    private func suggestion(forField name: String, on parent: SchemaType) -> String? {
        if parent.isAbstract {
            var holders = schema.possibleTypes(of: parent).filter { $0.field(named: name) != nil }
            // An interface that several of them share says it once.
            let shared = holders.first?.interfaces.map { schema[$0] }.first { interface in
                interface.field(named: name) != nil && holders.allSatisfy { schema.implements($0, interface) }
            }
            if let shared, holders.count > 1 { holders = [shared] }
            if !holders.isEmpty {
                let names = holders.prefix(5).map { "'\($0.name)'" }
                let last = names.last ?? ""
                let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " + last : last
                return "'\(name)' exists on \(list), did you mean an inline fragment?"
            }
        }
        return Spelling.question(for: name, among: parent.fields.map(\.name) + ["__typename"])
    }
}
