import BatonDiagnostics

extension Parser {
    ///     Document : Definition+
    mutating func document(mayBeEmpty: Bool) -> Document {
        let begin = start
        var definitions: [Definition] = []
        if token.kind == .endOfFile, reportCount == 0, !mayBeEmpty {
            report(.emptyDocument, "expected a definition, found an empty document", at: lexer.span(of: token))
        }
        // Whether the previous definition has a mistake.
        var isBehindMistake = false
        while token.kind != .endOfFile {
            if isExcused {
                skipToDefinition(from: nil)
                isExcused = false
                mayHaveSwallowed = true
                continue
            }
            let definitionStart = start
            beginDefinition()
            if skipLeftovers(behind: definitions.last, isBehindMistake) {
                definitions.indices.last.map { definitions[$0].markAsBroken() }
                isBehindMistake = true
                mayHaveSwallowed = true
                continue
            }
            // The lexer is one token ahead, so a mistake in the first token is reported before `before` is counted.
            let isCleanBefore = !(lexer.diagnostics.last.map { $0.span.start >= definitionStart } ?? false)
            let before = reportCount
            do {
                var definition = try definition()
                isBehindMistake = reportCountSoFar > before || !isCleanBefore
                if isBehindMistake { definition.markAsBroken() }
                definitions.append(definition)
            } catch {
                isBehindMistake = true
                mayHaveSwallowed = true
                skipToDefinition(from: definitionStart)
            }
        }
        var document = Document(definitions: definitions, span: span(from: begin))
        document.isIncomplete = mayHaveSwallowed || lexer.isStopped
        return document
    }

    /// Skips tokens that are left over from the previous definition: it has a mistake, or its braces close too early.
    ///
    /// Returns true if tokens were skipped.
    private mutating func skipLeftovers(behind definition: Definition?, _ isBehindMistake: Bool) -> Bool {
        if isBehindDefinition { return false }
        let isLeftOver = isBehindMistake && token.kind != .name
        guard isLeftOver || definition != nil && closesMoreThanIsOpen else { return false }
        if !isBehindMistake { _ = fail("expected a definition") }
        skipToDefinition(from: start)
        return true
    }

    ///     Definition : ExecutableDefinition | TypeSystemDefinitionOrExtension
    private mutating func definition() throws(Failure) -> Definition {
        let begin = start
        let description = description()
        if token.kind == .leftBrace {
            if let description {
                report(
                    .unexpectedDescription,
                    "a query without its keyword has no description",
                    at: description.span,
                    suggestion: "write 'query' in front of '{'"
                )
            }
            let brace = lexer.span(of: token)
            let selectionSet = try selectionSet()
            var operation = OperationDefinition(
                kind: .query,
                name: nil,
                selectionSet: selectionSet,
                span: span(from: begin)
            )
            operation.keywordSpan = brace
            return .operation(operation)
        }
        guard token.kind == .name else { throw fail("expected a definition") }
        let word = lexer.text(of: token)
        switch word {
        case "query": return .operation(try operation(.query, description, from: begin))
        case "mutation": return .operation(try operation(.mutation, description, from: begin))
        case "subscription": return .operation(try operation(.subscription, description, from: begin))
        case "fragment": return .fragment(try fragment(description, from: begin))
        default: return try typeSystemDefinition(word, description, from: begin)
        }
    }

    ///     OperationDefinition : Description? OperationType Name? VariablesDefinition? Directives? SelectionSet
    private mutating func operation(
        _ kind: OperationKind,
        _ description: StringValue?,
        from begin: UInt32
    ) throws(Failure) -> OperationDefinition {
        let keyword = lexer.span(of: token)
        advance()
        var operation = OperationDefinition(description: description, kind: kind, name: nil, selectionSet: .init([]))
        operation.keywordSpan = keyword
        do throws(Failure) {
            if token.kind == .name { operation.name = try name() }
            operation.variables = try variableDefinitions()
            operation.directives = try directives(isConstant: false)
            guard token.kind == .leftBrace else { throw fail("expected '{'") }
        } catch {
            guard skipToBody() else { throw error }
        }
        operation.selectionSet = try selectionSet()
        operation.span = span(from: begin)
        return operation
    }

    ///     VariablesDefinition : ( VariableDefinition+ )
    private mutating func variableDefinitions() throws(Failure) -> [VariableDefinition] {
        guard token.kind == .leftParenthesis else { return [] }
        var variables: [VariableDefinition] = []
        try members(
            .leftParenthesis,
            .rightParenthesis,
            of: "variable",
            resumes: Self.resumesAtVariable
        ) { (parser) throws(Failure) in
            variables.append(try parser.variableDefinition())
        }
        return variables
    }

    ///     VariableDefinition : Description? Variable : Type DefaultValue? Directives[Const]?
    private mutating func variableDefinition() throws(Failure) -> VariableDefinition {
        let begin = start
        let description = description()
        guard token.kind == .dollar else { throw fail("expected a variable such as '$name'") }
        let variable = try variable()
        try expect(.colon)
        let type = try type()
        let defaultValue = take(.equals) ? try value(isConstant: true) : nil
        let directives = try directives(isConstant: true)
        return VariableDefinition(
            description: description,
            name: Name(variable.name, span: variable.span),
            type: type,
            defaultValue: defaultValue,
            directives: directives,
            span: span(from: begin)
        )
    }

    ///     FragmentDefinition : Description? fragment FragmentName TypeCondition Directives? SelectionSet
    private mutating func fragment(
        _ description: StringValue?,
        from begin: UInt32
    ) throws(Failure) -> FragmentDefinition {
        advance()
        guard let name = try fragmentName() else {
            // A fragment without a name cannot be used, but its selection set may contain mistakes to report.
            if skipToBody() { _ = try selectionSet() }
            throw Failure()
        }
        var typeCondition = Name("")
        var directives: [Directive] = []
        do throws(Failure) {
            guard takeWord("on") else {
                // The syntax of an older proposal for fragments with variables.
                let example = "'@argumentDefinitions(size: {type: \"Int\"})'"
                let advice = "declare the arguments of a fragment behind its type, as \(example)"
                throw fail(
                    "expected 'on' and a type", suggestion: token.kind == .leftParenthesis ? advice : nil)
            }
            typeCondition = try self.name("a type name")
            directives = try self.directives(isConstant: false)
            guard token.kind == .leftBrace else { throw fail("expected '{'") }
        } catch {
            guard skipToBody() else { throw error }
        }
        let selectionSet = try selectionSet()
        return FragmentDefinition(
            description: description,
            name: name,
            typeCondition: typeCondition,
            directives: directives,
            selectionSet: selectionSet,
            span: span(from: begin)
        )
    }

    ///     FragmentName : Name but not `on`
    ///
    /// Nil if the name is missing, as in `fragment on Type`, or is 'on'.
    private mutating func fragmentName() throws(Failure) -> Name? {
        guard isWord("on") else { return try name("a fragment name") }
        let isNamedOn = following.kind == .name && lexer.text(of: following) == "on"
        report(
            isNamedOn ? .reservedName : .syntax,
            isNamedOn ? "a fragment cannot be named 'on'" : "expected a fragment name, found 'on'",
            at: lexer.span(of: token)
        )
        return nil
    }
}

extension Definition {
    /// Marks the definition as broken: a part of it could not be parsed.
    fileprivate mutating func markAsBroken() {
        switch self {
        case .operation(var definition):
            definition.isBroken = true
            self = .operation(definition)
        case .fragment(var definition):
            definition.isBroken = true
            self = .fragment(definition)
        case .type(var definition):
            definition.isBroken = true
            self = .type(definition)
        case .schema(var definition):
            definition.isBroken = true
            self = .schema(definition)
        case .directive(var definition):
            definition.isBroken = true
            self = .directive(definition)
        }
    }
}
