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

    /// Takes the colon; an equals sign is reported and counts as the colon.
    mutating func expectColon(after name: Name) throws(Failure) {
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
        switch token.kind {
        case .leftBracket, .leftBrace: try nestedValue(isConstant: isConstant)
        default: try flatValue(isConstant: isConstant)
        }
    }

    /// Parses a value that is neither a list nor an object.
    mutating func flatValue(isConstant: Bool) throws(Failure) -> Value {
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
            span: lexer.span(of: token),
            escapedText: lexer.escapedText(of: token)
        )
        advance()
        return value
    }

    ///     Description : StringValue
    mutating func description() -> StringValue? {
        token.kind.isString ? string() : nil
    }

    ///     Type : NamedType | ListType | NonNullType
    ///     NonNullType : NamedType ! | ListType !
    mutating func type() throws(Failure) -> TypeNode {
        var openings: [UInt32] = []
        while token.kind == .leftBracket {
            try enter()
            openings.append(start)
            advance()
        }
        var begin = start
        var type = TypeNode.named(try name("a type"))
        while true {
            if take(.bang) { type = .nonNull(type, span: Uncompared(wrappedValue: span(from: begin))) }
            guard let opening = openings.popLast() else { return type }
            try expect(.rightBracket)
            leave()
            begin = opening
            type = .list(type, span: Uncompared(wrappedValue: span(from: begin)))
        }
    }
}
