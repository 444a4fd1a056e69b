import BatonDiagnostics
import BatonSchema

/// Generates an enum for an input object with `@oneOf`: a case for each field, with a value that is not null.
///
/// A deprecated field is a static method instead of a case. A deprecated case would be mentioned in the code that sends
/// it, where Swift would warn.
///
/// Specification: https://spec.graphql.org/September2025/#sec-OneOf-Input-Objects
struct OneOfGenerator {
    private let name: String
    private let leaves: LeafTypes
    private let options: GenerationOptions
    private(set) var diagnostics: [Diagnostic] = []

    init(name: String, leaves: LeafTypes, options: GenerationOptions) {
        self.name = name
        self.leaves = leaves
        self.options = options
    }

    mutating func file(for type: SchemaType, path: String?) -> GeneratedFile {
        var scope = NameScope(reserved: ReservedNames.oneOfCases)
        var (cases, deprecated, sent): ([SwiftDeclaration], [SwiftDeclaration], [SwiftSwitchCase]) = ([], [], [])
        var imports = ImportCollector(options: options)
        for field in type.inputFields {
            let wanted = options.memberName(field.name, of: type) ?? field.name
            let claimed = scope.claim(wanted)
            if claimed != wanted {
                let message = "the field '\(field.name)' of '\(type.name)' is '.\(claimed)' in Swift"
                diagnostics.append(Diagnostic(.renamedMember, severity: .warning, message, at: field.span))
            }
            imports.use(leaves.leaf(field.type), publicly: true)
            let name = field.deprecation == nil ? claimed : "__" + claimed
            let value = LeafTypes.unwrapped(field.type, innermost: leaves.leaf(field.type).type)
            let documentation = options.comment(field.description)
            cases.append(
                .enumCases(
                    SwiftHead(documentation: field.deprecation == nil ? documentation : nil),
                    [SwiftEnumCase(name, payload: [value])]))
            if field.deprecation != nil {
                deprecated.append(method(claimed, value, of: name, field, documentation))
            }
            let kind = InputKind(field.type, leaves)
            let add = SwiftExpression.call(
                .member(.closureArgument, "add" + kind.name), [SwiftArgument(nil, .name("value"))] + kind.conversion)
            let one = SwiftExpression.call(
                .member(nil, "one"),
                [SwiftArgument(nil, .string(field.name)), SwiftArgument(nil, .closure(add), isTrailing: true)])
            sent.append(SwiftSwitchCase(.payload(name, binding: "value"), .expression(one)))
        }
        let fields = SwiftVariable(
            SwiftHead(modifiers: options.modifiers), isConstant: false, "__fields",
            .named("GeneratedCode.InputFields"), getter: [.switch(.selfReference, sent)])
        let declaration = SwiftTypeDeclaration(
            SwiftHead(
                documentation: options.comment(type.description),
                modifiers: options.topLevelModifiers + (holdsItself(type) ? ["indirect"] : [])),
            .enum,
            self.name,
            [.named("GeneratedCode.OneOfInput"), .named("Hashable")],
            members: joined(cases) + deprecated + [.variable(fields)]
        )
        return SwiftFile.generated(self.name, source: path, imports: imports.imports, [.type(declaration)])
    }

    /// The cases; neighbours without documentation share a declaration.
    private func joined(_ cases: [SwiftDeclaration]) -> [SwiftDeclaration] {
        cases.reduce(into: []) { result, next in
            if case .enumCases(let head, let one) = next, head.isPlain,
                case .enumCases(let last, let others)? = result.last,
                last.isPlain
            {
                result[result.count - 1] = .enumCases(last, others + one)
            } else {
                result.append(next)
            }
        }
    }

    private func method(
        _ name: String, _ value: SwiftType, of hidden: String, _ field: SchemaInputValue, _ documentation: String?
    ) -> SwiftDeclaration {
        let head = SwiftHead(
            documentation: documentation, deprecation: field.deprecation, modifiers: options.modifiers + ["static"])
        let call = SwiftExpression.call(.member(nil, hidden), [SwiftArgument(nil, .name("value"))])
        return .function(
            SwiftFunction(
                head, .function(name), [SwiftParameter(label: .none, "value", value)], result: .named(self.name),
                body: [.expression(call)]))
    }

    /// Whether a value of the type can hold another value of the type directly. Lists and structs hold their contents
    /// by reference.
    private func holdsItself(_ type: SchemaType) -> Bool {
        var seen: Set<TypeID> = []
        var pending = [type]
        while let next = pending.popLast() {
            for field in next.inputFields where !field.type.isList {
                let inner = leaves.schema.namedType(of: field.type)
                if inner.id == type.id { return true }
                if inner.isOneOf, seen.insert(inner.id).inserted { pending.append(inner) }
            }
        }
        return false
    }
}
