import BatonDiagnostics
import BatonSyntax
import FixtureSupport
import RandomCases
import Testing

/// Trees of every kind of node, with names and strings as odd as the grammar allows, are printed and parsed again.
@Suite struct RandomTreeTests {
    @Test func printedTreesParseToEqualTrees() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<RandomCases.count(300) {
            var trees = RandomTrees(random: random)
            let document = trees.document()
            random = trees.random
            for style in [Printer.Style.pretty, .compact] {
                let printed = Printer.print(document, style)
                let source = SourceFile(id: .predeclared, path: "", bytes: Array(printed.utf8))
                let again = Parser.parseDocument(source)
                #expect(again.diagnostics.isEmpty && again.document == document, "\(printed)")
                #expect(Printer.print(again.document, style) == printed)
            }
        }
    }

    @Test func formattedTreesWithCommentsParseToEqualTrees() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<RandomCases.count(300) {
            var trees = RandomTrees(random: random)
            let document = trees.document()
            random = trees.random
            let text = Self.scattered(Printer.print(document, .compact), &random)
            let source = SourceFile(id: .predeclared, path: "", bytes: text)
            let outcome = DocumentFormatter().format(source)
            let formatted = SourceFile(id: .predeclared, path: "", bytes: outcome.edits.applied(to: text))
            let again = Parser.parseDocument(formatted)
            let texts = [text, formatted.bytes].map { String(decoding: $0, as: UTF8.self) }
            let shown = texts.joined(separator: "\n---\n")
            #expect(outcome.diagnostics.isEmpty && again.diagnostics.isEmpty && again.document == document, "\(shown)")
            #expect(DocumentFormatter().format(formatted).edits.isEmpty, "\(shown)")
            #expect(Self.comments(of: formatted) == Self.comments(of: source), "\(shown)")
        }
    }

    /// Puts line breaks and numbered comments between tokens.
    private static func scattered(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
        let source = SourceFile(id: .predeclared, path: "", bytes: Array(text.utf8))
        var lexer = Lexer(source: source)
        var output: [UInt8] = []
        var count = 0
        while true {
            let token = lexer.next()
            for _ in 0..<max(0, random.below(5) - 2) {
                count += 1
                let pieces = [" # c\(count)\n", "\n# c\(count)\n", "\n\n", "\n", ",", "\n\n # c\(count) \n\n"]
                output += pieces[random.below(pieces.count)].utf8
            }
            if token.kind == .endOfFile { return output }
            output += source.bytes[Int(token.start)..<Int(token.end)]
            output.append(0x20)
        }
    }

    /// The comments of a text in their order.
    private static func comments(of source: SourceFile) -> [String] {
        var lexer = Lexer(source: source)
        var end = 0
        var comments: [String] = []
        while true {
            let token = lexer.next()
            let gap = String(decoding: source.bytes[end..<Int(token.start)], as: UTF8.self)
            for line in gap.split(whereSeparator: \.isNewline) {
                guard let start = line.firstIndex(of: "#") else { continue }
                comments.append(line[start...].split(separator: " ").joined(separator: " "))
            }
            if token.kind == .endOfFile { return comments }
            end = Int(token.end)
        }
    }
}

private struct RandomTrees {
    var random: SeededGenerator
    var depth = 0

    private mutating func one<Element>(of choices: [Element]) -> Element { choices[random.below(choices.count)] }

    private mutating func some<Element>(_ least: Int, _ make: (inout Self) -> Element) -> [Element] {
        depth += 1
        defer { depth -= 1 }
        let most = depth > 4 ? 1 : 3
        return (0..<max(least, random.below(most + 1))).map { _ in make(&self) }
    }

    private mutating func maybe<Element>(_ make: (inout Self) -> Element) -> Element? {
        random.below(3) == 0 ? make(&self) : nil
    }

    private mutating func name(besides reserved: [String] = []) -> Name {
        let names = [
            "a", "B", "_", "__x", "on", "type", "query", "fragment", "true", "null", "input", "implements", "z9",
        ]
        return Name(one(of: names.filter { !reserved.contains($0) }))
    }

    private mutating func string() -> StringValue {
        let parts = [
            "", "a", " ", "\t", "\n", "\r", "\r\n", "\"", "\"\"\"", "\\", "\\\"\"\"", "\u{0}", "\u{7F}", "\u{FEFF}",
            "\u{E9}",
            "\u{1F600}", "\u{2028}", "#", "{", "  b", "\n\n", "\\u0041",
        ]
        return StringValue((0..<random.below(6)).map { _ in one(of: parts) }.joined())
    }

    private mutating func value() -> Value {
        switch random.below(depth > 4 ? 6 : 8) {
        case 0: .int(IntValue(one(of: ["0", "-0", "123", "-9999999999999999999999"])))
        case 1: .float(FloatValue(one(of: ["0.5", "-1.0e-9", "1E+5", "3e0"])))
        case 2: .string(string())
        case 3: .boolean(BooleanValue(random.below(2) == 0))
        case 4: .null(NullValue())
        case 5: .enum(name(besides: ["true", "null"]))
        case 6: .list(ListValue(some(0) { $0.value() }))
        default: .object(ObjectValue(some(0) { ObjectField(name: $0.name(), value: $0.value()) }))
        }
    }

    private mutating func directives() -> [Directive] {
        some(0) { trees in
            Directive(name: trees.name(), arguments: trees.some(0) { Argument(name: $0.name(), value: $0.value()) })
        }
    }

    private mutating func type() -> TypeNode {
        var type = TypeNode.named(name())
        for _ in 0..<random.below(4) {
            let none = Uncompared(wrappedValue: Span.none)
            if case .nonNull = type { type = .list(type, span: none) } else { type = .nonNull(type, span: none) }
        }
        return type
    }

    // MARK: - Documents

    mutating func document() -> Document {
        Document(definitions: some(1) { $0.definition() })
    }

    private mutating func definition() -> Definition {
        switch random.below(6) {
        case 0: .operation(operation())
        case 1: .fragment(fragment())
        case 2: .schema(schema())
        case 3: .directive(directive())
        default: .type(typeDefinition())
        }
    }

    private mutating func operation() -> OperationDefinition {
        let kind = one(of: OperationKind.allCases)
        let isBare = random.below(4) == 0
        if isBare { return OperationDefinition(kind: kind, name: nil, selectionSet: selectionSet()) }
        return OperationDefinition(
            description: maybe { $0.string() },
            kind: kind,
            name: maybe { $0.name() },
            variables: some(0) { trees in
                VariableDefinition(
                    description: trees.maybe { $0.string() },
                    name: trees.name(),
                    type: trees.type(),
                    defaultValue: trees.maybe { $0.value() },
                    directives: trees.directives()
                )
            },
            directives: directives(),
            selectionSet: selectionSet()
        )
    }

    private mutating func fragment() -> FragmentDefinition {
        FragmentDefinition(
            description: maybe { $0.string() },
            name: name(besides: ["on"]),
            typeCondition: name(),
            directives: directives(),
            selectionSet: selectionSet()
        )
    }

    private mutating func selectionSet() -> SelectionSet {
        SelectionSet(some(1) { $0.selection() })
    }

    private mutating func selection() -> Selection {
        switch random.below(4) {
        case 0: .fragmentSpread(FragmentSpread(name: name(besides: ["on"]), directives: directives()))
        case 1 where depth < 5:
            .inlineFragment(
                InlineFragment(
                    typeCondition: maybe { $0.name() },
                    directives: directives(),
                    selectionSet: selectionSet()
                )
            )
        default:
            .field(
                Field(
                    alias: maybe { $0.name() },
                    name: name(),
                    arguments: some(0) { trees in
                        let isVariable = trees.random.below(4) == 0
                        let value = isVariable ? .variable(Variable(trees.name().text)) : trees.value()
                        return Argument(name: trees.name(), value: value)
                    },
                    directives: directives(),
                    selectionSet: depth < 5 ? maybe { $0.selectionSet() } : nil
                )
            )
        }
    }

    // MARK: - Schemas

    private mutating func schema() -> SchemaDefinition {
        let isExtension = random.below(2) == 0
        return SchemaDefinition(
            description: isExtension ? nil : maybe { $0.string() },
            directives: directives(),
            operationTypes: some(1) { RootOperationType(kind: $0.one(of: OperationKind.allCases), type: $0.name()) },
            isExtension: isExtension
        )
    }

    private mutating func directive() -> DirectiveDefinition {
        DirectiveDefinition(
            description: maybe { $0.string() },
            name: name(),
            arguments: some(0) { $0.inputValue() },
            isRepeatable: random.below(2) == 0,
            locations: some(1) { .init($0.one(of: DirectiveLocation.allCases)) }
        )
    }

    private mutating func inputValue() -> InputValueDefinition {
        InputValueDefinition(
            description: maybe { $0.string() },
            name: name(),
            type: type(),
            defaultValue: maybe { $0.value() },
            directives: directives()
        )
    }

    private mutating func field() -> FieldDefinition {
        FieldDefinition(
            description: maybe { $0.string() },
            name: name(),
            arguments: some(0) { $0.inputValue() },
            type: type(),
            directives: directives()
        )
    }

    private mutating func typeDefinition() -> TypeDefinition {
        let isExtension = random.below(3) == 0
        let least = isExtension ? 1 : 0
        let body: TypeDefinition.Body
        var directives = directives()
        switch random.below(6) {
        case 0:
            body = .scalar
            if isExtension { directives.append(Directive(name: name())) }
        case 1: body = .object(interfaces: some(0) { $0.name() }, fields: some(least) { $0.field() })
        case 2: body = .interface(interfaces: some(0) { $0.name() }, fields: some(least) { $0.field() })
        case 3: body = .union(members: some(least) { $0.name() })
        case 4:
            body = .enum(
                values: some(least) { trees in
                    EnumValueDefinition(
                        description: trees.maybe { $0.string() },
                        name: trees.name(besides: ["true", "null"]),
                        directives: trees.directives()
                    )
                }
            )
        default: body = .inputObject(fields: some(least) { $0.inputValue() })
        }
        return TypeDefinition(
            description: isExtension ? nil : maybe { $0.string() },
            name: name(),
            directives: directives,
            body: body,
            isExtension: isExtension
        )
    }
}
