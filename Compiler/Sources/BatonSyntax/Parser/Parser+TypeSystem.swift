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
        case "directive": return .directive(try directive(description, isExtension: isExtension, from: begin))
        case "scalar", "type", "interface", "union", "enum", "input":
            return .type(try type(word, description, isExtension: isExtension, from: begin))
        default:
            if isExtension {
                let words = Self.extensibleWords
                throw fail(
                    "expected a definition after 'extend'", suggestion: Spelling.question(for: word, among: words))
            }
            let words = Self.definitionWords
            let failure = fail("expected a definition", suggestion: Spelling.question(for: word, among: words))
            let isMeantToExtend = Spelling.suggestions(for: word, among: words).first == "extend"
            guard isMeantToExtend, Self.extensibleWords.contains(lexer.text(of: following)) else { throw failure }
            return try typeSystemDefinition("extend", description, from: begin)
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
        let keyword = lexer.span(of: token)
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
            span: span(from: begin),
            keyword: keyword
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
        var interfaces: [Name] = []
        var directives: [Directive] = []
        do throws(Failure) {
            let takesInterfaces = word == "type" || word == "interface"
            if takesInterfaces, isWord("implements") { interfaces = try implementsInterfaces() }
            directives = try self.directives(isConstant: true)
            if takesInterfaces, !directives.isEmpty, isWord("implements") {
                interfaces = try misplacedInterfaces()
            } else if !isAtBody(of: word) {
                throw failAtBody(of: word)
            }
        } catch {
            if !skipToBody() { return brokenType(word, description, name, isExtension: isExtension, from: begin) }
        }
        let before = reportCount
        let body = try body(of: word, interfaces: interfaces)
        if isExtension, directives.isEmpty, body.isEmpty, reportCount == before {
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

    /// A type whose definition could not be parsed after its name.
    private func brokenType(
        _ word: String,
        _ description: StringValue?,
        _ name: Name,
        isExtension: Bool,
        from begin: UInt32
    ) -> TypeDefinition {
        let body: TypeDefinition.Body
        switch word {
        case "type": body = .object(interfaces: [], fields: [])
        case "interface": body = .interface(interfaces: [], fields: [])
        case "union": body = .union(members: [])
        case "enum": body = .enum(values: [])
        case "input": body = .inputObject(fields: [])
        default: body = .scalar
        }
        return TypeDefinition(
            description: description,
            name: name,
            body: body,
            isExtension: isExtension,
            span: span(from: begin)
        )
    }

    /// Whether the body of a type begins here, or the definition ends without a body.
    private func isAtBody(of word: String) -> Bool {
        switch word {
        case "union": token.kind == .equals || token.kind != .leftBrace && isBehindDefinition
        case "scalar": token.kind != .leftBrace && isBehindDefinition
        default: isBehindDefinition
        }
    }

    private mutating func failAtBody(of word: String) -> Failure {
        switch word {
        case "scalar": return fail("expected the end of the scalar")
        case "union": return fail("expected '=' and the members")
        default:
            let isSubclass = isWord("extends") || token.kind == .colon
            return fail("expected '{'", suggestion: isSubclass ? "write 'implements' in front of interfaces" : nil)
        }
    }

    /// Reports and reads interfaces after the directives.
    private mutating func misplacedInterfaces() throws(Failure) -> [Name] {
        _ = fail("expected '{'", suggestion: "write the interfaces in front of the directives")
        return try implementsInterfaces()
    }

    ///     FieldsDefinition : { FieldDefinition+ }
    ///     UnionMemberTypes : = |? NamedType (| NamedType)*
    ///     EnumValuesDefinition : { EnumValueDefinition+ }
    ///     InputFieldsDefinition : { InputValueDefinition+ }
    private mutating func body(of word: String, interfaces: [Name]) throws(Failure) -> TypeDefinition.Body {
        switch word {
        case "type": return .object(interfaces: interfaces, fields: try fields())
        case "interface": return .interface(interfaces: interfaces, fields: try fields())
        case "union": return .union(members: try members())
        case "enum":
            var values: [EnumValueDefinition] = []
            try optionalMembers(of: "enum value", areBareNames: true) { (parser) throws(Failure) in
                values.append(try parser.enumValue())
            }
            return .enum(values: values)
        case "input":
            var fields: [InputValueDefinition] = []
            try optionalMembers(of: "input field") { (parser) throws(Failure) in
                fields.append(try parser.inputValue("an input field name"))
            }
            return .inputObject(fields: fields)
        default:
            // The braces after a scalar have been reported.
            if token.kind == .leftBrace { skipGroup() }
            return .scalar
        }
    }

    /// Parses the members of a union. Braces in place of members have been reported.
    private mutating func members() throws(Failure) -> [Name] {
        if token.kind == .leftBrace { skipGroup() }
        guard take(.equals) else { return [] }
        _ = take(.pipe)
        var names: [Name] = []
        repeat {
            guard token.kind == .name, !isOnNewLine || !isSurelyDefinition else {
                _ = fail("expected a type name")
                return names
            }
            names.append(try name())
        } while takePipe(of: "members")
        return names
    }

    /// Takes the separator of a list of names. A missing separator or `&` is reported and counts as the separator.
    mutating func takePipe(of members: String) -> Bool {
        if take(.pipe) { return true }
        let isName = token.kind == .name && !isOnNewLine && !beginsDefinitionBehindNames
        guard isName || token.kind == .ampersand else { return false }
        _ = fail("\(members) are separated by '|'")
        _ = take(.ampersand)
        return true
    }

    /// Whether a definition begins here even though a name is expected. `type A` begins a definition; in `type type`,
    /// the first word may be a name before a definition.
    private var isSurelyDefinition: Bool {
        guard beginsDefinitionBehindNames else { return false }
        let next = following
        return next.kind == .at || next.kind == .name && !Self.definitionWords.contains(lexer.text(of: next))
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
        areBareNames: Bool = false,
        member: (inout Parser) throws(Failure) -> Void
    ) throws(Failure) {
        guard token.kind == .leftBrace else { return }
        try members(
            .leftBrace,
            .rightBrace,
            of: role,
            areBareNames: areBareNames,
            resumes: Self.resumesAtFieldDefinition,
            member: member
        )
    }

    ///     ImplementsInterfaces : implements &? NamedType (& NamedType)*
    ///
    /// The syntax before 2018, `implements A, B` or `implements A B`, is reported once and accepted.
    private mutating func implementsInterfaces() throws(Failure) -> [Name] {
        advance()
        var names = try separated(by: .ampersand, of: "an interface name")
        let second = token
        while token.kind == .name, !beginsDefinitionBehindNames {
            names += try separated(by: .ampersand, of: "an interface name")
        }
        if token.start > second.start {
            excuseNext()
            report(
                .obsoleteSyntax,
                "interfaces are separated by '&'",
                at: lexer.span(of: second),
                suggestion: "write 'implements \(names.map(\.text).joined(separator: " & "))'"
            )
        }
        return names
    }

    /// Parses names with a separator between them, which may also precede the first name.
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
    mutating func argumentDefinitions() throws(Failure) -> [InputValueDefinition] {
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
