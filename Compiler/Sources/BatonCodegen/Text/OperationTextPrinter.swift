import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

/// Prints the document that is sent for an operation, on one line.
///
/// The text of a fragment is printed once and reused for every operation that sends it.
package struct OperationTextPrinter {
    private let schema: Schema
    private var fragments: [String: String] = [:]

    package init(schema: Schema) {
        self.schema = schema
    }

    /// Prints the whole document: the operation and the fragments that are not inlined.
    package mutating func print(_ text: OperationText) -> String {
        var output = operation(text)
        for fragment in text.fragments { output += " " + self.fragment(fragment) }
        return output
    }

    /// Prints the operation without fragments.
    package func operation(_ text: OperationText) -> String {
        let operation = text.operation
        var output = operation.kind.rawValue + " " + operation.name
        if !text.variables.isEmpty {
            let variables = text.variables.map { variable in
                "$" + variable.name + ": " + schema.describe(variable.type)
                    + (variable.defaultValue.map { " = " + ValueText.graphQL($0) } ?? "")
                    + directives(variable.directives)
            }
            output += "(" + variables.joined(separator: ", ") + ")"
        }
        return output + directives(operation.directives) + " " + selections(text.selections)
    }

    /// Prints a fragment that is not inlined.
    package mutating func fragment(_ text: FragmentText) -> String {
        let fragment = text.fragment
        if let known = fragments[fragment.name] { return known }
        let head = "fragment \(fragment.name) on \(fragment.type.name)" + directives(fragment.directives)
        let printed = head + " " + selections(text.selections)
        fragments[fragment.name] = printed
        return printed
    }

    private func selections(_ plan: SelectionPlan, discriminator: SchemaType? = nil) -> String {
        var parts: [String] = []
        if let discriminator { parts.append("__is\(discriminator.name): __typename") }
        var groups: [Conjunction: Int] = [:]
        var conditional: [(condition: Conjunction, items: [SelectionPlan.Item])] = []
        for item in plan.items {
            let condition = Self.condition(of: item)
            if condition.isAlways {
                parts.append(self.item(item, directives: ""))
            } else if let index = groups[condition] {
                conditional[index].items.append(item)
            } else {
                groups[condition] = conditional.count
                conditional.append((condition, [item]))
            }
        }
        for group in conditional { parts.append(text(of: group.items, under: group.condition)) }
        return "{ " + (parts.isEmpty ? "__typename" : parts.joined(separator: " ")) + " }"
    }

    /// The condition of an item. It is a single conjunction, because `Flatten` keeps items with other conditions apart
    /// in text.
    private static func condition(of item: SelectionPlan.Item) -> Conjunction {
        let condition =
            switch item {
            case .field(let field): field.condition
            case .inline(let inline): inline.condition
            case .spread(let spread): spread.condition
            }
        return condition.alternatives.first ?? .always
    }

    /// Prints items under a condition. A selection holds one `@include` and one `@skip`; further ones are on enclosing
    /// inline fragments.
    private func text(of items: [SelectionPlan.Item], under condition: Conjunction) -> String {
        let included = condition.literals.filter { !$0.isNegated }.map { " @include(if: $\($0.variable))" }
        let skipped = condition.literals.filter(\.isNegated).map { " @skip(if: $\($0.variable))" }
        let layers = (0..<max(included.count, skipped.count)).map { index in
            (index < included.count ? included[index] : "") + (index < skipped.count ? skipped[index] : "")
        }
        var result: String
        var outer = layers[...]
        if items.count == 1, let item = items.first {
            result = self.item(item, directives: outer.popLast() ?? "")
        } else {
            result = items.map { item($0, directives: "") }.joined(separator: " ")
        }
        for layer in outer.reversed() { result = "...\(layer) { \(result) }" }
        return result
    }

    private func item(_ item: SelectionPlan.Item, directives conditions: String) -> String {
        switch item {
        case .field(let field):
            let definition = field.definition
            var output = field.responseKey == definition.name ? "" : field.responseKey + ": "
            output += definition.name
            if !field.arguments.isEmpty {
                let arguments = field.arguments.map { $0.name.text + ": " + ValueText.graphQL($0.value) }
                output += "(" + arguments.joined(separator: ", ") + ")"
            }
            output += conditions + directives(field.directives)
            if let inner = field.selections { output += " " + selections(inner) }
            return output
        case .inline(let inline):
            let inner = selections(inline.selections, discriminator: inline.needsDiscriminator ? inline.type : nil)
            return "... on \(inline.type.name)\(conditions)\(directives(inline.directives)) \(inner)"
        case .spread(let spread):
            return "...\(spread.fragment)\(conditions)\(directives(spread.directives))"
        }
    }

    /// Prints the directives that the server's schema declares; the others are for the compiler.
    private func directives(_ directives: [Directive]) -> String {
        directives.filter(schema.sends).map { directive in
            let arguments = directive.arguments.map { $0.name.text + ": " + ValueText.graphQL($0.value) }
            return " @" + directive.name.text
                + (arguments.isEmpty ? "" : "(" + arguments.joined(separator: ", ") + ")")
        }.joined()
    }
}
