extension LayoutWriter {
    ///     Definition : ExecutableDefinition | TypeSystemDefinitionOrExtension
    mutating func definition() {
        var gap = LayoutGap.none
        if kind.isString {
            take(gap)
            gap = .hardLine
        }
        if kind == .leftBrace {
            selectionSet(gap)
        } else if isWord("query") || isWord("mutation") || isWord("subscription") {
            operation(gap)
        } else if isWord("fragment") {
            take(gap, keepsBlank: false)
            for _ in 0..<3 { take(.space) }
            definitionDirectives()
            selectionSet(.space)
        } else {
            typeSystemDefinition(gap)
        }
    }

    ///     OperationDefinition : Description? OperationType Name? VariablesDefinition? Directives? SelectionSet
    private mutating func operation(_ gap: LayoutGap) {
        take(gap, keepsBlank: false)
        let hasName = kind == .name
        if hasName { take(.space) }
        if kind == .leftParenthesis {
            openGroup(hasName ? .none : .space)
            var gap = LayoutGap.softLine
            while kind != .rightParenthesis, !isAtEnd {
                if kind.isString {
                    take(gap)
                    gap = .line
                }
                take(gap, keepsBlank: gap != .line)
                take(.none)
                take(.none)
                typeAndDefault()
                gap = .comma
            }
            closeGroup(.softLine)
        }
        definitionDirectives()
        selectionSet(.space)
    }

    ///     SelectionSet : { Selection+ }
    private mutating func selectionSet(_ gap: LayoutGap) {
        var depth = 0
        var gap = gap
        repeat {
            switch kind {
            case .leftBrace:
                openBlock(gap)
                gap = .space
                depth += 1
            case .rightBrace:
                closeBlock()
                depth -= 1
            case .spread:
                take(.hardLine)
                if isWord("on") {
                    take(.space)
                    take(.space)
                } else if kind == .name {
                    take(.none)
                }
                directives()
            default:
                take(.hardLine)
                if kind == .colon {
                    take(.none)
                    take(.space)
                }
                arguments()
                directives()
            }
        } while depth > 0 && !isAtEnd
    }

    ///     Arguments : ( Argument+ )
    mutating func arguments() {
        guard kind == .leftParenthesis else { return }
        openGroup(.none)
        var gap = LayoutGap.softLine
        while kind != .rightParenthesis, !isAtEnd {
            take(gap)
            take(.none)
            value()
            gap = .comma
        }
        closeGroup(.softLine)
    }

    /// Takes the directives of an operation or a fragment. They follow on the same line, or have lines of their own
    /// without indentation.
    private mutating func definitionDirectives() {
        guard kind == .at else { return }
        pieces.append(.openGroup)
        while kind == .at { directive(.line) }
        pieces.append(.closeGroup)
    }

    /// Takes directives, which follow on the same line, or have lines of their own with indentation.
    mutating func directives() {
        guard kind == .at else { return }
        pieces.append(.openGroup)
        pieces.append(.indent)
        while kind == .at { directive(.line) }
        pieces.append(.outdent)
        pieces.append(.closeGroup)
    }

    ///     Directive : @ Name Arguments?
    private mutating func directive(_ gap: LayoutGap) {
        take(gap, keepsBlank: false)
        take(.none)
        arguments()
    }

    ///     ListValue : [ ] | [ Value+ ]
    ///     ObjectValue : { } | { ObjectField+ }
    ///
    /// The open lists and objects are in an array, so that deep nesting costs no stack.
    mutating func value() {
        var areObjects: [Bool] = []
        var gap = LayoutGap.space
        while !isAtEnd {
            switch kind {
            case .leftBracket, .leftBrace:
                areObjects.append(kind == .leftBrace)
                openGroup(gap)
                gap = areObjects.last == true ? .line : .softLine
                if kind == .rightBracket || kind == .rightBrace, token.comments.isEmpty {
                    closeGroup(.none)
                    areObjects.removeLast()
                    gap = .comma
                }
            case .dollar:
                take(gap)
                take(.none)
                gap = .comma
            default:
                take(gap)
                gap = .comma
            }
            while let isObject = areObjects.last, kind == .rightBracket || kind == .rightBrace {
                closeGroup(isObject ? .line : .softLine)
                areObjects.removeLast()
                gap = .comma
            }
            guard let isObject = areObjects.last else { return }
            if isObject {
                take(gap)
                take(.none)
                gap = .space
            }
        }
    }

    ///     Type : NamedType | ListType | NonNullType
    ///
    /// Takes a type, and the default value and the directives behind it.
    mutating func typeAndDefault() {
        var gap = LayoutGap.space
        while kind == .leftBracket {
            take(gap)
            gap = .none
        }
        take(gap)
        while kind == .rightBracket || kind == .bang { take(.none) }
        if kind == .equals {
            take(.space)
            value()
        }
        directives()
    }
}
