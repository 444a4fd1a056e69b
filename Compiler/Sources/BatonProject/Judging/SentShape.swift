import BatonDiagnostics
import BatonSyntax

/// What the text of a request asks, without the names that mean nothing to the answer: those of operations and
/// fragments, and the labels of parts. Two texts with one shape differ in such names and in their order alone.
struct SentShape: Hashable {
    private let text: String

    /// Makes the shape of a text in which variables and response names are what `variable` and `key` make of them.
    init(_ text: String, variable: @escaping (String) -> String, key: @escaping (String) -> String) {
        let source = SourceFile(id: SourceID(index: 1), path: "", bytes: Array(text.utf8))
        let (document, mistakes) = Parser.parseDocument(source, limits: ParserLimits())
        guard mistakes.isEmpty else {
            self.text = text
            return
        }
        var writer = Writer(document, variable: variable, key: key)
        self.text = document.definitions.map { definition in
            guard case .operation(let operation) = definition else { return "" }
            return writer.text(of: operation)
        }.sorted().joined(separator: "\n")
    }

    private struct Writer {
        private var definitions: [String: FragmentDefinition] = [:]
        /// The shapes of fragments. A hash stands for what a fragment selects, since fragments spread each other.
        private var fragments: [String: String] = [:]
        private let variable: (String) -> String
        private let key: (String) -> String

        init(_ document: Document, variable: @escaping (String) -> String, key: @escaping (String) -> String) {
            self.variable = variable
            self.key = key
            for case .fragment(let fragment) in document.definitions { definitions[fragment.name.text] = fragment }
        }

        mutating func text(of operation: OperationDefinition) -> String {
            let variables = operation.variables.map { declared in
                let value = declared.defaultValue.map { "=" + text(of: $0) } ?? ""
                return "$\(variable(declared.name.text)):\(text(of: declared.type))\(value)"
                    + text(of: declared.directives)
            }
            return operation.kind.rawValue + "(" + variables.sorted().joined(separator: ",") + ")"
                + text(of: operation.directives) + text(of: operation.selectionSet)
        }

        private mutating func text(of set: SelectionSet) -> String {
            var selections: [String] = []
            for selection in set.selections {
                switch selection {
                case .field(let field):
                    let inner = field.selectionSet.map { text(of: $0) } ?? ""
                    selections.append(
                        "\(key((field.alias ?? field.name).text)):\(field.name.text)\(text(of: field.arguments))"
                            + text(of: field.directives) + inner)
                case .inlineFragment(let inline):
                    selections.append(
                        "...\(inline.typeCondition?.text ?? "")" + text(of: inline.directives)
                            + text(of: inline.selectionSet))
                case .fragmentSpread(let spread):
                    selections.append("..." + text(of: spread.directives) + shape(of: spread.name.text))
                }
            }
            return "{" + selections.sorted().joined(separator: " ") + "}"
        }

        private mutating func shape(of fragment: String) -> String {
            if let known = fragments[fragment] { return known }
            // A fragment that spreads itself is refused elsewhere, and must not end in endless recursion here.
            fragments[fragment] = "&"
            guard let definition = definitions[fragment] else { return "&" }
            let content =
                definition.typeCondition.text + text(of: definition.directives) + text(of: definition.selectionSet)
            let shape = "&" + String(ContentHash.of(content), radix: 16)
            fragments[fragment] = shape
            return shape
        }

        private func text(of directives: [Directive]) -> String {
            directives.map { directive in
                let isPart = ["defer", "stream"].contains(directive.name.text)
                let arguments = directive.arguments.filter { !isPart || $0.name.text != "label" }
                return "@" + directive.name.text + text(of: arguments)
            }.joined()
        }

        private func text(of arguments: [Argument]) -> String {
            "(" + arguments.map { "\($0.name.text):\(text(of: $0.value))" }.sorted().joined(separator: ",") + ")"
        }

        private func text(of type: TypeNode) -> String {
            switch type {
            case .named(let name): name.text
            case .list(let item, _): "[" + text(of: item) + "]"
            case .nonNull(let type, _): text(of: type) + "!"
            }
        }

        /// The parser's limit on nesting bounds the recursion.
        private func text(of value: Value) -> String {
            switch value {
            case .variable(let used): "$" + variable(used.name)
            case .int(let number): number.text
            case .float(let number): number.text
            case .string(let string): string.text.quoted(in: .json)
            case .boolean(let boolean): boolean.isTrue ? "true" : "false"
            case .null: "null"
            case .enum(let name): name.text
            case .list(let list): "[" + list.values.map { text(of: $0) }.joined(separator: ",") + "]"
            case .object(let object):
                "{" + object.fields.map { "\($0.name.text):\(text(of: $0.value))" }.sorted().joined(separator: ",")
                    + "}"
            }
        }
    }
}
