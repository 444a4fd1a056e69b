extension LayoutWriter {
    ///     TypeSystemDefinition : SchemaDefinition | TypeDefinition | DirectiveDefinition
    ///     TypeSystemExtension : SchemaExtension | TypeExtension
    mutating func typeSystemDefinition(_ gap: LayoutGap) {
        var gap = gap
        if isWord("extend") {
            take(gap, keepsBlank: false)
            gap = .space
        }
        if isWord("directive") {
            take(gap, keepsBlank: false)
            directiveDefinition()
            return
        }
        let isSchema = isWord("schema")
        let isUnion = isWord("union")
        let isEnum = isWord("enum")
        let hasInterfaces = isWord("type") || isWord("interface")
        let isScalar = isWord("scalar")
        take(gap, keepsBlank: false)
        if !isSchema { take(.space) }
        if hasInterfaces, isWord("implements") {
            take(.space)
            names(separatedBy: .ampersand)
        }
        directives()
        if isUnion, kind == .equals {
            take(.space)
            names(separatedBy: .pipe)
        } else if kind == .leftBrace, !isUnion, !isScalar {
            openBlock()
            while kind != .rightBrace, !isAtEnd { if isEnum { enumValue() } else { field() } }
            closeBlock()
        }
    }

    ///     EnumValueDefinition : Description? EnumValue Directives?
    private mutating func enumValue() {
        name()
        directives()
    }

    ///     FieldDefinition : Description? Name ArgumentsDefinition? : Type Directives?
    ///     InputValueDefinition : Description? Name : Type DefaultValue? Directives?
    ///     RootOperationTypeDefinition : OperationType : NamedType
    private mutating func field() {
        name()
        argumentDefinitions()
        take(.none)
        typeAndDefault()
    }

    private mutating func name() {
        let hasDescription = kind.isString
        if hasDescription { take(.hardLine) }
        take(.hardLine, keepsBlank: !hasDescription)
    }

    ///     ArgumentsDefinition : ( InputValueDefinition+ )
    private mutating func argumentDefinitions() {
        guard kind == .leftParenthesis else { return }
        openGroup(.none)
        var gap = LayoutGap.softLine
        while kind != .rightParenthesis, !isAtEnd {
            let hasDescription = kind.isString
            if hasDescription {
                take(gap)
                gap = .line
            }
            take(gap, keepsBlank: !hasDescription)
            take(.none)
            typeAndDefault()
            gap = .comma
        }
        closeGroup(.softLine)
    }

    ///     DirectiveDefinition : Description? directive @ Name ArgumentsDefinition? Directives? repeatable?
    ///         on DirectiveLocations
    private mutating func directiveDefinition() {
        take(.space)
        take(.none)
        argumentDefinitions()
        directives()
        if isWord("repeatable") { take(.space) }
        if isWord("on") {
            take(.space)
            names(separatedBy: .pipe)
        }
    }
}
