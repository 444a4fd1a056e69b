import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

/// Prints the documents of requests.
///
/// The text of a fragment is printed once, and used for every operation that reaches the fragment.
package struct OperationTextPrinter {
    /// The layout of a text. Both layouts have the same tokens.
    package enum Layout: String, CaseIterable, Sendable {
        /// One selection on a line, as Relay's compiler prints it.
        case lines
        /// Only necessary white space, as Relay's compiler prints it with `compact_query_text`.
        case compact
    }

    private let schema: Schema
    private let layout: Layout
    private var fragments: [String: String] = [:]

    package init(schema: Schema, layout: Layout = .compact) {
        self.schema = schema
        self.layout = layout
    }

    private var isCompact: Bool { layout == .compact }
    private var space: String { isCompact ? "" : " " }
    private var comma: String { isCompact ? "," : ", " }
    private var colon: String { isCompact ? ":" : ": " }

    /// Prints the whole document, which must not be empty: the operation, and its fragments in the byte order of their
    /// names.
    package mutating func print(_ text: OperationText) -> String {
        var output = operation(text)
        for fragment in text.fragments { output += (isCompact ? "" : "\n") + self.fragment(fragment) }
        return output
    }

    /// Prints the operation without fragments.
    package func operation(_ text: OperationText) -> String { placed(text, PlacedText()).text }

    /// Prints the operation without fragments, with the places of its selections in the documents.
    package func placed(_ text: OperationText) -> PlacedText { placed(text, PlacedText(places: [])) }

    private func placed(_ text: OperationText, _ start: PlacedText) -> PlacedText {
        let operation = text.operation
        var output = start
        output += operation.kind.rawValue + " " + operation.name
        if !text.variables.isEmpty {
            let variables = text.variables.map { variable in
                "$" + variable.name + colon + schema.describe(variable.type)
                    + (variable.defaultValue.map { space + "=" + space + value($0) } ?? "")
                    + directives(variable.directives.filter(schema.sends))
            }
            output +=
                isCompact
                ? "(" + variables.joined(separator: ",") + ")"
                : "(\n" + variables.map { "  " + $0 + "\n" }.joined() + ")"
        }
        output += directives(operation.directives.filter(schema.sends)) + space
        set(text.selections, on: operation.type, indentation: "", into: &output)
        output += isCompact ? "" : "\n"
        return output
    }

    package mutating func fragment(_ text: FragmentText) -> String {
        if let known = fragments[text.name] { return known }
        let output = placed(text, PlacedText()).text
        fragments[text.name] = output
        return output
    }

    /// Prints a fragment, with the places of its selections in the documents.
    package func placed(_ text: FragmentText) -> PlacedText { placed(text, PlacedText(places: [])) }

    private func placed(_ text: FragmentText, _ start: PlacedText) -> PlacedText {
        var output = start
        output += "fragment \(text.name) on \(text.type.name)" + directives(text.directives) + space
        set(text.selections, on: text.type, indentation: "", into: &output)
        if !isCompact { output += "\n" }
        return output
    }

    // MARK: - Selections

    /// Prints a selection set. The nesting of the documents bounds the recursion.
    private func set(
        _ selections: [TextSelection], on type: SchemaType, indentation: String, into output: inout PlacedText
    ) {
        output += isCompact ? "{" : "{\n"
        var isFirst = true
        items(selections, under: [], on: type, indentation: indentation + "  ", &isFirst, into: &output)
        output += isCompact ? "}" : indentation + "}"
    }

    /// Prints selections, each with the conditions around it. The innermost condition comes first.
    private func items(
        _ selections: [TextSelection], under conditions: [TextSelection.Condition], on type: SchemaType,
        indentation: String, _ isFirst: inout Bool, into output: inout PlacedText
    ) {
        for selection in selections {
            if case .condition(let inner) = selection {
                if conditions.contains(where: { $0.isSkip == inner.isSkip }) {
                    // A selection holds one `@include` and one `@skip`.
                    begin(indentation, &isFirst, into: &output)
                    output += "..." + text(conditions) + space
                    set([selection], on: type, indentation: indentation, into: &output)
                    if !isCompact { output += "\n" }
                } else {
                    items(
                        inner.selections, under: [inner] + conditions, on: type, indentation: indentation, &isFirst,
                        into: &output)
                }
                continue
            }
            begin(indentation, &isFirst, into: &output)
            item(selection, text(conditions), on: type, indentation: indentation, into: &output)
            if !isCompact { output += "\n" }
        }
    }

    private func begin(_ indentation: String, _ isFirst: inout Bool, into output: inout PlacedText) {
        if isCompact {
            if !isFirst { output += "," }
        } else {
            output += indentation
        }
        isFirst = false
    }

    private func item(
        _ selection: TextSelection, _ conditions: String, on type: SchemaType, indentation: String,
        into output: inout PlacedText
    ) {
        output.note(selection.span)
        switch selection {
        case .field(let field):
            let name = field.definition.name
            output += field.responseKey == name ? name : field.responseKey + colon + name
            output += arguments(field.arguments) + conditions + directives(field.directives)
            if field.selections.isEmpty { return }
            output += space
            let inner = schema.namedType(of: field.definition.type)
            set(field.selections, on: inner, indentation: indentation, into: &output)
        case .inlineFragment(let inline):
            output += "..." + (inline.type.map { (isCompact ? "on " : " on ") + $0.name } ?? "") + conditions
            output += directives(inline.directives) + space
            set(inline.selections, on: inline.type ?? type, indentation: indentation, into: &output)
        case .spread(let spread): output += "..." + spread.fragment + conditions + directives(spread.directives)
        case .condition: break
        }
    }

    // MARK: - Parts

    private func text(_ conditions: [TextSelection.Condition]) -> String {
        conditions.map { space + ($0.isSkip ? "@skip" : "@include") + "(if" + colon + "$" + $0.variable + ")" }.joined()
    }

    private func directives(_ directives: [Directive]) -> String {
        directives.map { space + "@" + $0.name.text + arguments($0.arguments) }.joined()
    }

    private func arguments(_ arguments: [Argument]) -> String {
        if arguments.isEmpty { return "" }
        return "(" + arguments.map { $0.name.text + colon + value($0.value) }.joined(separator: comma) + ")"
    }

    private func value(_ value: Value) -> String {
        ValueText.sent(value, isCompact: isCompact)
    }
}
