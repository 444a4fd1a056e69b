import BatonDiagnostics

extension Parser {
    ///     TypeSystemDefinition : SchemaDefinition | TypeDefinition | DirectiveDefinition
    ///     TypeSystemExtension : SchemaExtension | TypeExtension
    mutating func typeSystemDefinition(
        _ word: String,
        _ description: StringValue?,
        from begin: UInt32
    ) throws(Failure) -> Definition {
        var word = word
        let isExtension = word == "extend"
        if isExtension {
            if let description {
                report(.unexpectedDescription, "an extension has no description", at: description.span)
            }
            advance()
            guard token.kind == .name else { throw fail("expected a definition after 'extend'") }
            word = lexer.text(of: token)
        }
        switch word {
        case "schema": return .schema(try schema(description, isExtension: isExtension, from: begin))
        case "directive" where !isExtension: return .directive(try directive(description, from: begin))
        case "scalar", "type", "interface", "union", "enum", "input":
            return .type(try type(word, description, isExtension: isExtension, from: begin))
        default:
            let words = Self.definitionWords
            throw fail(
                isExtension ? "expected a definition after 'extend'" : "expected a definition",
                suggestion: Spelling.question(for: word, among: words)
            )
        }
    }

    ///     SchemaDefinition : Description? schema Directives[Const]? { RootOperationTypeDefinition+ }
    ///     SchemaExtension : extend schema Directives[Const]? { RootOperationTypeDefinition+ }
    ///         | extend schema Directives[Const]
    private mutating func schema(
        _ description: StringValue?,
        isExtension: Bool,
        from begin: UInt32
    ) throws(Failure) -> SchemaDefinition {
        advance()
        let directives = try directives(isConstant: true)
        var types: [RootOperationType] = []
        if token.kind == .leftBrace || !isExtension || directives.isEmpty {
            try members(
                .leftBrace,
                .rightBrace,
                of: "operation type",
                resumes: Self.resumesOnNewLine
            ) { (parser) throws(Failure) in
                types.append(try parser.rootOperationType())
            }
        }
        return SchemaDefinition(
            description: description,
            directives: directives,
            operationTypes: types,
            isExtension: isExtension,
            span: span(from: begin)
        )
    }

    ///     RootOperationTypeDefinition : OperationType : NamedType
    private mutating func rootOperationType() throws(Failure) -> RootOperationType {
        let begin = start
        guard token.kind == .name, let kind = OperationKind(rawValue: lexer.text(of: token)) else {
            throw fail("expected 'query', 'mutation' or 'subscription'")
        }
        advance()
        try expect(.colon)
        let type = try name("a type name")
        return RootOperationType(kind: kind, type: type, span: span(from: begin))
    }

    ///     TypeDefinition : Description? keyword Name ImplementsInterfaces? Directives[Const]? Body?
    private mutating func type(
        _ word: String,
        _ description: StringValue?,
        isExtension: Bool,
        from begin: UInt32
    ) throws(Failure) -> TypeDefinition {
        advance()
        let name = try name("a type name")
        let takesInterfaces = word == "type" || word == "interface"
        let interfaces = takesInterfaces && isWord("implements") ? try implementsInterfaces() : []
        let directives = try directives(isConstant: true)
        let body = try body(of: word, interfaces: interfaces)
        if isExtension, directives.isEmpty, body.isEmpty {
            throw fail("expected what is added to '\(name.text)'")
        }
        return TypeDefinition(
            description: description,
            name: name,
            directives: directives,
            body: body,
            isExtension: isExtension,
            span: span(from: begin)
        )
    }

    ///     FieldsDefinition : { FieldDefinition+ }
    ///     UnionMemberTypes : = |? NamedType (| NamedType)*
    ///     EnumValuesDefinition : { EnumValueDefinition+ }
    ///     InputFieldsDefinition : { InputValueDefinition+ }
    private mutating func body(of word: String, interfaces: [Name]) throws(Failure) -> TypeDefinition.Body {
        switch word {
        case "type": return .object(interfaces: interfaces, fields: try fields())
        case "interface": return .interface(interfaces: interfaces, fields: try fields())
        case "union":
            guard take(.equals) else { return .union(members: []) }
            return .union(members: try separated(by: .pipe, of: "a type name"))
        case "enum":
            var values: [EnumValueDefinition] = []
            try optionalMembers(of: "enum value") { (parser) throws(Failure) in
                values.append(try parser.enumValue())
            }
            return .enum(values: values)
        case "input":
            var fields: [InputValueDefinition] = []
            try optionalMembers(of: "input field") { (parser) throws(Failure) in
                fields.append(try parser.inputValue("an input field name"))
            }
            return .inputObject(fields: fields)
        default: return .scalar
        }
    }

    private mutating func fields() throws(Failure) -> [FieldDefinition] {
        var fields: [FieldDefinition] = []
        try optionalMembers(of: "field") { (parser) throws(Failure) in
            fields.append(try parser.fieldDefinition())
        }
        return fields
    }

    private mutating func optionalMembers(
        of role: String,
        member: (inout Parser) throws(Failure) -> Void
    ) throws(Failure) {
        guard token.kind == .leftBrace else { return }
        try members(.leftBrace, .rightBrace, of: role, resumes: Self.resumesAtFieldDefinition, member: member)
    }

    ///     ImplementsInterfaces : implements &? NamedType (& NamedType)*
    ///
    /// The form of 2018 and before, `implements A, B` or `implements A B`, is reported once and read.
    private mutating func implementsInterfaces() throws(Failure) -> [Name] {
        advance()
        var names = try separated(by: .ampersand, of: "an interface name")
        var isReported = false
        while token.kind == .name, !beginsDefinition {
            if !isReported {
                let all = names.map(\.text) + [lexer.text(of: token)]
                report(
                    .obsoleteSyntax,
                    "interfaces are separated by '&'",
                    at: lexer.span(of: token),
                    suggestion: "write 'implements \(all.joined(separator: " & "))'"
                )
                isReported = true
            }
            names += try separated(by: .ampersand, of: "an interface name")
        }
        return names
    }

    /// Whether the word here begins the next definition rather than being a name.
    private var beginsDefinition: Bool {
        guard Self.definitionWords.contains(lexer.text(of: token)) else { return false }
        switch following.kind {
        case .name, .at: return true
        case .leftBrace: return isWord("schema") || isWord("query")
        default: return false
        }
    }

    /// Names with a separator between them, which may also stand in front of the first.
    private mutating func separated(by separator: Token.Kind, of role: String) throws(Failure) -> [Name] {
        _ = take(separator)
        var names = [try name(role)]
        while take(separator) { names.append(try name(role)) }
        return names
    }

    ///     FieldDefinition : Description? Name ArgumentsDefinition? : Type Directives[Const]?
    private mutating func fieldDefinition() throws(Failure) -> FieldDefinition {
        let begin = start
        let description = description()
        let name = try name("a field name")
        let arguments = try argumentDefinitions()
        try expect(.colon)
        let type = try type()
        let directives = try directives(isConstant: true)
        return FieldDefinition(
            description: description,
            name: name,
            arguments: arguments,
            type: type,
            directives: directives,
            span: span(from: begin)
        )
    }

    ///     ArgumentsDefinition : ( InputValueDefinition+ )
    private mutating func argumentDefinitions() throws(Failure) -> [InputValueDefinition] {
        guard token.kind == .leftParenthesis else { return [] }
        var arguments: [InputValueDefinition] = []
        try members(
            .leftParenthesis,
            .rightParenthesis,
            of: "argument",
            resumes: Self.resumesAtArgument
        ) { (parser) throws(Failure) in
            arguments.append(try parser.inputValue("an argument name"))
        }
        return arguments
    }

    ///     InputValueDefinition : Description? Name : Type DefaultValue? Directives[Const]?
    private mutating func inputValue(_ role: String) throws(Failure) -> InputValueDefinition {
        let begin = start
        let description = description()
        let name = try name(role)
        try expect(.colon)
        let type = try type()
        let defaultValue = take(.equals) ? try value(isConstant: true) : nil
        let directives = try directives(isConstant: true)
        return InputValueDefinition(
            description: description,
            name: name,
            type: type,
            defaultValue: defaultValue,
            directives: directives,
            span: span(from: begin)
        )
    }

    ///     EnumValueDefinition : Description? EnumValue Directives[Const]?
    ///     EnumValue : Name but not `true`, `false` or `null`
    private mutating func enumValue() throws(Failure) -> EnumValueDefinition {
        let begin = start
        let description = description()
        let name = try name("an enum value")
        if ["true", "false", "null"].contains(name.text) {
            report(.reservedName, "an enum value cannot be named '\(name.text)'", at: name.span)
        }
        let directives = try directives(isConstant: true)
        return EnumValueDefinition(
            description: description,
            name: name,
            directives: directives,
            span: span(from: begin)
        )
    }

    ///     DirectiveDefinition : Description? directive @ Name ArgumentsDefinition? repeatable? on DirectiveLocations
    ///     DirectiveLocations : |? DirectiveLocation (| DirectiveLocation)*
    private mutating func directive(
        _ description: StringValue?,
        from begin: UInt32
    ) throws(Failure) -> DirectiveDefinition {
        advance()
        let nameStart = start
        try expect(.at)
        let name = try name("a directive name")
        let arguments = try argumentDefinitions()
        let isRepeatable = takeWord("repeatable")
        guard takeWord("on") else { throw fail("expected 'on' and locations") }
        var locations: [DirectiveDefinition.Located] = []
        for name in try separated(by: .pipe, of: "a directive location") {
            if let location = DirectiveLocation(rawValue: name.text) {
                locations.append(DirectiveDefinition.Located(location, span: name.span))
            } else {
                report(
                    .syntax,
                    "unknown directive location '\(name.text)'",
                    at: name.span,
                    suggestion: Spelling.question(
                        for: name.text,
                        among: DirectiveLocation.allCases.map(\.rawValue)
                    )
                )
            }
        }
        return DirectiveDefinition(
            description: description,
            name: Name(name.text, span: Span(source: name.span.source, start: nameStart, end: name.span.end)),
            arguments: arguments,
            isRepeatable: isRepeatable,
            locations: locations,
            span: span(from: begin)
        )
    }
}

extension TypeDefinition.Body {
    fileprivate var isEmpty: Bool {
        switch self {
        case .scalar: true
        case .object(let interfaces, let fields), .interface(let interfaces, let fields):
            interfaces.isEmpty && fields.isEmpty
        case .union(let members): members.isEmpty
        case .enum(let values): values.isEmpty
        case .inputObject(let fields): fields.isEmpty
        }
    }
}
