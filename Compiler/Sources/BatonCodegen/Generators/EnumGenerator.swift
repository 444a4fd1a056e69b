import BatonDiagnostics
import BatonSchema

/// Generates an enum with a case for each value of the schema, and one for any other text.
///
/// A deprecated value becomes a static property instead of a case; the property is the unknown case with the value's
/// text. A deprecated case would be mentioned in the mappings to and from text, where Swift would warn.
struct EnumGenerator {
    private let name: String
    private let options: GenerationOptions
    private(set) var diagnostics: [Diagnostic] = []

    init(name: String, options: GenerationOptions) {
        self.name = name
        self.options = options
    }

    mutating func file(for type: SchemaType, path: String?) -> GeneratedFile {
        var scope = NameScope(reserved: ReservedNames.enumCases)
        let values = type.enumValues.map { value in
            let wanted = options.memberName(value.name, of: type) ?? SwiftName.enumCase(value.name)
            let claimed = scope.claim(wanted)
            if claimed != wanted {
                let message = "the value '\(value.name)' of enum '\(type.name)' is '.\(claimed)' in Swift"
                diagnostics.append(Diagnostic(.renamedMember, severity: .warning, message, at: value.span))
            }
            return (value: value, name: claimed)
        }
        let current = values.filter { $0.value.deprecation == nil }
        let deprecated = values.filter { $0.value.deprecation != nil }

        var members = cases(current.map { (SwiftEnumCase($0.name), options.comment($0.value.description)) })
        members += deprecated.map { item in
            .variable(
                SwiftVariable(
                    SwiftHead(
                        documentation: options.comment(item.value.description),
                        deprecation: item.value.deprecation,
                        modifiers: options.modifiers + ["static"]
                    ),
                    isConstant: false,
                    item.name,
                    .named(name),
                    getter: [
                        .expression(.call(.member(nil, "unknown"), [SwiftArgument(nil, .string(item.value.name))]))
                    ]
                )
            )
        }
        members.append(list(of: current.map(\.name)))
        members.append(rawValue(current.map { ($0.value.name, $0.name) }))
        let declaration = SwiftTypeDeclaration(
            SwiftHead(documentation: options.comment(type.description), modifiers: options.topLevelModifiers),
            .enum,
            name,
            [.named("GraphQLEnum"), .named("RawRepresentable"), .named("Hashable")],
            members: members
        )
        return SwiftFile.generated(
            name,
            source: path,
            // Swift does not count a conformance of a package declaration as a use of a public import.
            imports: [options.access == .package ? SwiftImport("Baton") : .baton(options.access)],
            [.type(declaration)]
        )
    }

    /// The cases, and one for any other text. Neighbouring cases without documentation share a declaration.
    private func cases(_ values: [(SwiftEnumCase, documentation: String?)]) -> [SwiftDeclaration] {
        var result: [SwiftDeclaration] = []
        var plain: [SwiftEnumCase] = []
        func flush() {
            if !plain.isEmpty { result.append(.enumCases(SwiftHead(), plain)) }
            plain = []
        }
        for (value, documentation) in values {
            guard let documentation else {
                plain.append(value)
                continue
            }
            flush()
            result.append(.enumCases(SwiftHead(documentation: documentation), [value]))
        }
        plain.append(SwiftEnumCase("unknown", payload: [.named("String")]))
        flush()
        return result
    }

    /// The list of the cases, in which a text is looked up.
    private func list(of cases: [String]) -> SwiftDeclaration {
        let values = SwiftExpression.call(
            .name("GeneratedCode.EnumValues<\(SwiftName.escaped(name))>"),
            cases.map { SwiftArgument(nil, .member(nil, $0)) },
            layout: .block
        )
        let head = SwiftHead(modifiers: options.modifiers + ["static"])
        return .variable(SwiftVariable(head, isConstant: true, "__values", nil, value: values))
    }

    private func rawValue(_ values: [(text: String, name: String)]) -> SwiftDeclaration {
        var cases = values.map { value in
            SwiftSwitchCase(.expression(.member(nil, value.name)), .return(.string(value.text)))
        }
        cases.append(SwiftSwitchCase(.payload("unknown", binding: "text"), .return(.name("text"))))
        return .variable(
            SwiftVariable(
                SwiftHead(modifiers: options.modifiers),
                isConstant: false,
                "rawValue",
                .named("String"),
                getter: [.switch(.selfReference, cases)]
            )
        )
    }
}

extension SwiftImport {
    /// The import of the runtime, with the access level of the generated code.
    static func baton(_ access: AccessLevel) -> SwiftImport {
        SwiftImport("Baton", access: access == .internal ? nil : access)
    }
}
