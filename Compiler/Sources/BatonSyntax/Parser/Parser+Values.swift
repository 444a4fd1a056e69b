import BatonDiagnostics

extension Parser {
    ///     Arguments[Const] : ( Argument[?Const]+ )
    mutating func arguments(isConstant: Bool) throws(Failure) -> [Argument] {
        guard token.kind == .leftParenthesis else { return [] }
        var arguments: [Argument] = []
        try members(
            .leftParenthesis,
            .rightParenthesis,
            of: "argument",
            resumes: Self.resumesAtArgument
        ) { (parser) throws(Failure) in
            arguments.append(try parser.argument(isConstant: isConstant))
        }
        return arguments
    }

    ///     Argument[Const] : Name : Value[?Const]
    private mutating func argument(isConstant: Bool) throws(Failure) -> Argument {
        let begin = start
        let name = try name("an argument name or ')'")
        try expectColon(after: name)
        let value = try value(isConstant: isConstant)
        return Argument(name: name, value: value, span: span(from: begin))
    }

    /// Takes the colon; an equals sign in its place is reported and taken for it.
    private mutating func expectColon(after name: Name) throws(Failure) {
        if token.kind == .equals {
            _ = fail("expected ':'", suggestion: "write '\(name.text): value'")
            advance()
        } else {
            try expect(.colon)
        }
    }

    ///     Directives[Const] : Directive[?Const]+
    ///     Directive[Const] : @ Name Arguments[?Const]?
    mutating func directives(isConstant: Bool) throws(Failure) -> [Directive] {
        guard token.kind == .at else { return [] }
        var directives: [Directive] = []
        while token.kind == .at {
            let begin = start
            advance()
            let name = try name("a directive name")
            let nameSpan = Span(source: name.span.source, start: begin, end: name.span.end)
            let arguments = try arguments(isConstant: isConstant)
            directives.append(
                Directive(name: Name(name.text, span: nameSpan), arguments: arguments, span: span(from: begin))
            )
        }
        return directives
    }

    ///     Value[Const] : [~Const] Variable | IntValue | FloatValue | StringValue | BooleanValue | NullValue
    ///         | EnumValue | ListValue[?Const] | ObjectValue[?Const]
    mutating func value(isConstant: Bool) throws(Failure) -> Value {
        let span = lexer.span(of: token)
        switch token.kind {
        case .dollar:
            let variable = try variable()
            if isConstant {
                report(
                    .syntax,
                    "expected a constant value, found variable '$\(variable.name)'",
                    at: variable.span
                )
            }
            return .variable(variable)
        case .int:
            defer { advance() }
            return .int(IntValue(lexer.text(of: token), span: span))
        case .float:
            defer { advance() }
            return .float(FloatValue(lexer.text(of: token), span: span))
        case .string, .blockString:
            return .string(string())
        case .name:
            let text = lexer.text(of: token)
            advance()
            switch text {
            case "true": return .boolean(BooleanValue(true, span: span))
            case "false": return .boolean(BooleanValue(false, span: span))
            case "null": return .null(NullValue(span: span))
            default: return .enum(Name(text, span: span))
            }
        case .leftBracket: return .list(try list(isConstant: isConstant))
        case .leftBrace: return .object(try object(isConstant: isConstant))
        default: throw fail("expected a value")
        }
    }

    ///     Variable : $ Name
    mutating func variable() throws(Failure) -> Variable {
        let begin = start
        advance()
        let name = try name("a variable name after '$'")
        return Variable(name.text, span: span(from: begin))
    }

    mutating func string() -> StringValue {
        let value = StringValue(
            lexer.stringValue(of: token),
            isBlock: token.kind == .blockString,
            span: lexer.span(of: token)
        )
        advance()
        return value
    }

    ///     Description : StringValue
    mutating func description() -> StringValue? {
        token.kind.isString ? string() : nil
    }

    ///     ListValue[Const] : [ ] | [ Value[?Const]+ ]
    private mutating func list(isConstant: Bool) throws(Failure) -> ListValue {
        let begin = lexer.span(of: token)
        try enter()
        advance()
        var values: [Value] = []
        while !take(.rightBracket) {
            try failAtClosing("]", opened: begin)
            let level = nesting
            do {
                values.append(try value(isConstant: isConstant))
            } catch {
                nesting = level
                try skip(inside: .rightBracket) { _ in false }
            }
        }
        leave()
        return ListValue(values, span: span(from: begin.start))
    }

    ///     ObjectValue[Const] : { } | { ObjectField[?Const]+ }
    ///     ObjectField[Const] : Name : Value[?Const]
    private mutating func object(isConstant: Bool) throws(Failure) -> ObjectValue {
        let begin = lexer.span(of: token)
        try enter()
        advance()
        var fields: [ObjectField] = []
        while !take(.rightBrace) {
            try failAtClosing("}", opened: begin)
            let level = nesting
            do {
                fields.append(try objectField(isConstant: isConstant))
            } catch {
                nesting = level
                try skip(inside: .rightBrace, resumes: Self.resumesAtArgument)
            }
        }
        leave()
        return ObjectValue(fields, span: span(from: begin.start))
    }

    private mutating func objectField(isConstant: Bool) throws(Failure) -> ObjectField {
        let begin = start
        let name = try name("an input field name or '}'")
        try expectColon(after: name)
        let value = try value(isConstant: isConstant)
        return ObjectField(name: name, value: value, span: span(from: begin))
    }

    /// Fails at a token that closes something else, with a note where this was opened.
    private mutating func failAtClosing(_ closing: String, opened: Span) throws(Failure) {
        switch token.kind {
        case .rightBrace, .rightBracket, .rightParenthesis, .endOfFile:
            let opening = closing == "]" ? "[" : "{"
            throw fail("expected '\(closing)'", notes: [Diagnostic.Note("'\(opening)' is opened here", at: opened)])
        default: return
        }
    }

    ///     Type : NamedType | ListType | NonNullType
    ///     NonNullType : NamedType ! | ListType !
    mutating func type() throws(Failure) -> TypeNode {
        let begin = start
        var type: TypeNode
        if token.kind == .leftBracket {
            try enter()
            advance()
            let item = try self.type()
            try expect(.rightBracket)
            leave()
            type = .list(item, span: Uncompared(wrappedValue: span(from: begin)))
        } else {
            type = .named(try name("a type"))
        }
        if take(.bang) { type = .nonNull(type, span: Uncompared(wrappedValue: span(from: begin))) }
        return type
    }
}
