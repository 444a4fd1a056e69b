import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax

/// Finds what each token of a definition means, also in a document that somebody is typing.
///
/// The reader goes from left to right with a stack of open frames, such as definitions, selection sets and arguments. A
/// token that does not fit into the top frame closes that frame, and is tried in the next one. So a mistake hides the
/// meaning of few tokens behind it, and of no token before it or in another definition. The cost is linear in the
/// tokens of the definition, and in the bytes of the text before it.
struct RoleReader {
    private let tokens: DefinitionTokens
    private let schema: Schema?
    private let fragments: KnownFragments
    private(set) var frames: [Frame] = [.document]
    private var index = 0
    private(set) var roled: [RoledToken] = []
    /// The definitions whose first token was read, in order.
    private(set) var definitions: [OpenDefinition] = []

    /// A definition whose first token was read. It has the name and the variables that were read so far.
    struct OpenDefinition {
        var kind: DefinitionRecord.Kind
        var name: String?
        var start: Int
        /// The declared variables or arguments, each with its type as it is written.
        var variables: [(name: String, type: String)] = []
    }

    /// The deepest nesting of tokens with roles. Tokens that are nested more deeply have the role `other`.
    private static let depthLimit = 2_000

    /// Reads the definition around an offset of a text, up to the offset `end` if that is given.
    init(
        _ source: SourceFile, range: Range<Int>, around offset: Int, upTo end: Int? = nil, schema: Schema?,
        fragments: KnownFragments
    ) throws(ResponseError) {
        let end = max(range.lowerBound, min(range.upperBound, end ?? range.upperBound))
        let tokens = DefinitionTokens(source, range: range.lowerBound..<end, around: offset)
        if tokens.isCut { throw Self.tooLong }
        self.init(tokens, schema, fragments)
    }

    private init(_ tokens: DefinitionTokens, _ schema: Schema?, _ fragments: KnownFragments) {
        self.tokens = tokens
        self.schema = schema
        self.fragments = fragments
        roled.reserveCapacity(tokens.count)
        while index < tokens.count {
            read()
            index += 1
        }
    }

    private static let tooLong = ResponseError.failed(
        "a definition of more than \(DefinitionTokens.limit) words and signs is not looked at")

    /// Reads the definitions of a document one after the other, and passes on those in which a name occurs. All
    /// definitions are passed on if no name is given.
    static func readDefinitions(
        of piece: GraphQLText.Piece, with name: String? = nil, schema: Schema?, fragments: KnownFragments,
        body: (RoleReader) throws(ResponseError) -> Void
    ) throws(ResponseError) {
        let name = name.map { Array($0.utf8) } ?? []
        try DefinitionTokens.forEach(of: piece) { tokens, range throws(ResponseError) in
            guard piece.source.bytes.has(name, in: range) else { return }
            if tokens.isCut { throw tooLong }
            try body(RoleReader(tokens, schema, fragments))
        }
    }

    func text(of token: Token) -> String { tokens.lexer.text(of: token) }

    /// The index of a token in `roled`; nil if the token was not read.
    func index(of token: Token) -> Int? {
        let index = roled.count(before: token.start)
        return index < roled.count && roled[index].token.start == token.start ? index : nil
    }

    /// The name of a query, if the token is the string in `@refetchable` with that name; otherwise nil.
    func refetchQuery(_ roled: RoledToken) -> String? {
        guard roled.token.kind == .string,
            let index = index(of: roled.token), index > 1,
            case .argument(_, of: .directive(let directive?)) = self.roled[index - 2].role,
            directive.name == "refetchable", text(of: self.roled[index - 2].token) == "queryName"
        else { return nil }
        let name = tokens.lexer.stringValue(of: roled.token)
        // A string with an escape has more bytes than its value and two quotation marks.
        return name.utf8.count + 2 == roled.range.count ? name : nil
    }

    /// The token that contains a cursor or ends at it. Between two tokens, a name wins over the token behind it.
    func token(at offset: Int) -> RoledToken? {
        let low = offset < 0 ? 0 : roled.count(before: UInt32(clamping: offset + 1))
        guard low > 0 else { return nil }
        let last = roled[low - 1]
        if offset < Int(last.token.end) {
            if last.token.kind != .name, offset == Int(last.token.start), low > 1, roled[low - 2].token.kind == .name,
                Int(roled[low - 2].token.end) == offset
            {
                return roled[low - 2]
            }
            return last
        }
        return offset == Int(last.token.end) ? last : nil
    }

    // MARK: - Frames

    private mutating func read() {
        let token = tokens[index]
        if frames.count > Self.depthLimit { return mark(.other) }
        // Each turn closes a frame or takes the token, and the document takes any token.
        while let frame = frames.last {
            if take(token, in: frame) { return }
            frames.removeLast()
        }
        frames = [.document]
        mark(.other)
    }

    private mutating func mark(_ role: Role) {
        roled.append(RoledToken(token: tokens[index], role: role, definition: definitions.count - 1))
    }

    private mutating func replace(_ frame: Frame) { frames[frames.count - 1] = frame }

    private func word(_ offset: Int = 0) -> String? { tokens.word(index + offset) }

    private func kind(_ offset: Int) -> Token.Kind? { tokens.kind(index + offset) }

    /// Takes the token if it fits into the frame.
    private mutating func take(_ token: Token, in frame: Frame) -> Bool {
        switch frame {
        case .document: takeAtTop(token)
        case .operation, .fragment: takeInHead(token, frame)
        case .variables, .variable: takeInVariables(token, frame)
        case .selections, .field, .aliased, .afterSpread, .condition, .inline, .spread:
            takeInSelections(token, frame)
        case .directiveName, .directive, .arguments, .argument: takeInArguments(token, frame)
        case .value, .variableUse, .list, .object: takeInValues(token, frame)
        }
    }

    private mutating func begin(_ kind: DefinitionRecord.Kind) {
        definitions.append(OpenDefinition(kind: kind, start: Int(tokens[index].start)))
    }

    private mutating func takeAtTop(_ token: Token) -> Bool {
        switch (token.kind, word()) {
        case (.leftBrace, _):
            begin(.query)
            mark(.punctuation)
            frames.append(.selections(schema?.queryType))
        case (.name, "fragment"):
            begin(.fragment)
            mark(.keyword)
            frames.append(.fragment(.name, nil))
        case (.name, let word?):
            guard let kind = OperationKind(rawValue: word) else {
                mark(.other)
                return true
            }
            begin(kind == .query ? .query : kind == .mutation ? .mutation : .subscription)
            mark(.keyword)
            frames.append(.operation(kind, hasName: false))
        case (.string, _), (.blockString, _): mark(.string)
        default: mark(.other)
        }
        return true
    }

    private mutating func takeInHead(_ token: Token, _ frame: Frame) -> Bool {
        switch (frame, token.kind) {
        case (.operation(let kind, hasName: false), .name):
            definitions[definitions.count - 1].name = word()
            mark(.operationName(kind))
            replace(.operation(kind, hasName: true))
        case (.operation, .leftParenthesis):
            mark(.punctuation)
            frames.append(.variables)
        case (.operation(let kind, _), .at):
            let location: DirectiveLocation =
                kind == .query ? .query : kind == .mutation ? .mutation : .subscription
            mark(.punctuation)
            frames.append(.directiveName(location, spread: nil))
        case (.operation(let kind, _), .leftBrace):
            mark(.punctuation)
            replace(.selections(schema?.rootType(for: kind)))
        case (.fragment(.name, _), .name) where word() != "on":
            definitions[definitions.count - 1].name = word()
            mark(.fragmentName)
            replace(.fragment(.on, nil))
        case (.fragment(.on, _), .name) where word() == "on", (.fragment(.name, _), .name):
            mark(.keyword)
            replace(.fragment(.type, nil))
        case (.fragment(.type, _), .name):
            mark(.typeName)
            replace(.fragment(.head, schema?.type(named: word() ?? "")))
        case (.fragment(_, let type), .at):
            mark(.punctuation)
            replace(.fragment(.head, type))
            frames.append(.directiveName(.fragmentDefinition, spread: nil))
        case (.fragment(_, let type), .leftBrace):
            mark(.punctuation)
            replace(.selections(type))
        case (_, .name) where tokens.isKeyword(index): return false
        default: mark(.other)
        }
        return true
    }

    private mutating func takeInVariables(_ token: Token, _ frame: Frame) -> Bool {
        switch (frame, token.kind) {
        case (.variables, .dollar):
            mark(.punctuation)
            frames.append(.variable(.name, name: "", type: ""))
        case (.variables, .rightParenthesis):
            mark(.punctuation)
            frames.removeLast()
        case (.variables, .leftBrace), (.variables, .rightBrace), (.variables, .at): return false
        case (.variables, .string), (.variables, .blockString): mark(.string)
        case (.variables, _): mark(.other)
        case (.variable(.name, _, _), .name):
            mark(.variableDeclaration)
            let name = word() ?? ""
            definitions[definitions.count - 1].variables.append((name, ""))
            replace(.variable(.colon, name: name, type: ""))
        case (.variable(.colon, let name, _), .colon):
            mark(.punctuation)
            replace(.variable(.type, name: name, type: ""))
        case (.variable(.type, let name, let type), .leftBracket):
            mark(.punctuation)
            replace(.variable(.type, name: name, type: type + "["))
        case (.variable(.type, let name, let type), .name):
            mark(.typeName)
            setType(name, type + (word() ?? ""))
        case (.variable(.head, let name, let type), .bang): extendType(name, type + "!")
        case (.variable(.head, let name, let type), .rightBracket): extendType(name, type + "]")
        case (.variable(.head, _, let type), .equals):
            mark(.punctuation)
            frames.append(.value(reference(type)))
        case (.variable(.head, _, _), .at):
            mark(.punctuation)
            frames.append(.directiveName(.variableDefinition, spread: nil))
        default: return false
        }
        return true
    }

    private mutating func extendType(_ name: String, _ type: String) {
        mark(.punctuation)
        setType(name, type)
    }

    private mutating func setType(_ name: String, _ type: String) {
        if let last = definitions.indices.last, let variable = definitions[last].variables.indices.last {
            definitions[last].variables[variable].type = type
        }
        replace(.variable(.head, name: name, type: type))
    }

    private func reference(_ type: String) -> TypeReference? {
        Parser.parseType(type).flatMap { schema?.resolve($0) }
    }

    // MARK: - Selections

    private mutating func takeInSelections(_ token: Token, _ frame: Frame) -> Bool {
        switch (frame, token.kind) {
        case (.selections(let type), .name):
            if kind(1) == .colon {
                mark(.alias)
                frames.append(.aliased(type))
            } else {
                takeField(on: type)
            }
        case (.selections(let type), .spread):
            mark(.punctuation)
            frames.append(.afterSpread(type))
        case (.selections, .rightBrace):
            mark(.punctuation)
            frames.removeLast()
            switch frames.last {
            case .field, .inline: frames.removeLast()
            default: break
            }
        case (.selections, _): mark(.other)
        case (.field, .leftParenthesis):
            guard case .field(let field) = frame else { return false }
            mark(.punctuation)
            frames.append(.arguments(.field(field), given: [], isDeclaring: false))
        case (.field, .at):
            mark(.punctuation)
            frames.append(.directiveName(.field, spread: nil))
        case (.field(let field), .leftBrace):
            mark(.punctuation)
            frames.append(.selections(field.flatMap { schema?.namedType(of: $0.type) }))
        case (.aliased, .colon): mark(.punctuation)
        case (.aliased(let type), .name):
            // The name of the field may be missing, so that this name begins the next selection.
            if kind(1) == .colon { return false }
            frames.removeLast()
            takeField(on: type)
        case (.afterSpread(let type), .name):
            if word() == "on" {
                mark(.keyword)
                replace(.condition(type))
            } else {
                mark(.spread)
                replace(.spread(word() ?? ""))
            }
        case (.afterSpread(let type), .leftBrace), (.afterSpread(let type), .at):
            replace(.inline(type))
            return takeInSelections(token, .inline(type))
        case (.condition, .name):
            mark(.typeName)
            replace(.inline(schema?.type(named: word() ?? "")))
        case (.inline, .at):
            mark(.punctuation)
            frames.append(.directiveName(.inlineFragment, spread: nil))
        case (.inline(let type), .leftBrace):
            mark(.punctuation)
            frames.append(.selections(type))
        case (.spread(let name), .at):
            mark(.punctuation)
            frames.append(.directiveName(.fragmentSpread, spread: name))
        default: return false
        }
        return true
    }

    private mutating func takeField(on type: SchemaType?) {
        let field = type.flatMap { schema?.field(named: word() ?? "", on: $0) }
        mark(.field(field, on: type))
        frames.append(.field(field))
    }

    // MARK: - Arguments and values

    private mutating func takeInArguments(_ token: Token, _ frame: Frame) -> Bool {
        switch (frame, token.kind) {
        case (.directiveName(_, let spread), .name):
            let directive = schema?.directive(named: word() ?? "")
            mark(.directive(directive))
            replace(.directive(directive, name: word() ?? "", spread: spread))
        case (.directive(let directive, let name, let spread), .leftParenthesis):
            mark(.punctuation)
            let owner: ArgumentOwner =
                name == "arguments" && spread != nil ? .fragment(spread ?? "") : .directive(directive)
            frames.append(.arguments(owner, given: [], isDeclaring: name == "argumentDefinitions"))
        case (.arguments(let owner, var given, let isDeclaring), .name):
            let name = word() ?? ""
            given.insert(name)
            replace(.arguments(owner, given: given, isDeclaring: isDeclaring))
            takeArgument(name, owner, isDeclaring)
        case (.arguments, .rightParenthesis):
            mark(.punctuation)
            frames.removeLast()
        case (.arguments, .rightBrace), (.arguments, .leftBrace), (.arguments, .spread): return false
        case (.arguments, _): mark(.other)
        case (.argument(let type), .colon):
            mark(.punctuation)
            replace(.value(type))
        default: return false
        }
        return true
    }

    private mutating func takeArgument(_ name: String, _ owner: ArgumentOwner, _ isDeclaring: Bool) {
        if isDeclaring {
            definitions[definitions.count - 1].variables.append((name, ""))
            mark(.argumentDeclaration)
            frames.append(.argument(nil))
            return
        }
        let value: SchemaInputValue?
        switch owner {
        case .field(let field): value = field?.argument(named: name)
        case .directive(let directive): value = directive?.argument(named: name)
        case .fragment(let fragment):
            mark(.argument(nil, of: owner))
            let type = fragments[fragment]?.arguments.first { $0.name == name }?.type
            frames.append(.argument(type.flatMap(reference)))
            return
        }
        mark(.argument(value, of: owner))
        frames.append(.argument(value?.type))
    }

    private mutating func takeInValues(_ token: Token, _ frame: Frame) -> Bool {
        switch (frame, token.kind) {
        case (.value(let type), .dollar):
            mark(.punctuation)
            replace(.variableUse(type))
        case (.value(let type), .name):
            // The value may be missing, so that this name begins the next argument.
            if kind(1) == .colon { return false }
            let isConstant = ["true", "false", "null"].contains(word() ?? "")
            mark(isConstant ? .constant : .enumValue(type.flatMap { schema?.namedType(of: $0) }))
            frames.removeLast()
        case (.value, .int), (.value, .float):
            mark(.number)
            frames.removeLast()
        case (.value, .string), (.value, .blockString):
            mark(.string)
            frames.removeLast()
        case (.value(let type), .leftBracket):
            mark(.punctuation)
            replace(.list(type.map { $0.item ?? $0 }))
        case (.value(let type), .leftBrace):
            mark(.punctuation)
            let input = type.flatMap { schema?.namedType(of: $0) }
            replace(.object(input?.kind == .inputObject ? input : nil, given: []))
        case (.variableUse, .name):
            mark(.variable)
            frames.removeLast()
        case (.list, .rightBracket), (.object, .rightBrace):
            mark(.punctuation)
            frames.removeLast()
        case (.list(let type), .dollar), (.list(let type), .int), (.list(let type), .float),
            (.list(let type), .string), (.list(let type), .blockString), (.list(let type), .leftBracket),
            (.list(let type), .leftBrace):
            frames.append(.value(type))
            return takeInValues(token, .value(type))
        case (.list(let type), .name):
            if kind(1) == .colon { return false }
            frames.append(.value(type))
            return takeInValues(token, .value(type))
        case (.object(let type, var given), .name):
            let name = word() ?? ""
            given.insert(name)
            replace(.object(type, given: given))
            takeInputField(name, of: type)
        case (.object, .rightParenthesis), (.object, .leftBrace): return false
        case (.object, _): mark(.other)
        default: return false
        }
        return true
    }

    private mutating func takeInputField(_ name: String, of type: SchemaType?) {
        let field = type?.inputField(named: name)
        // In `@argumentDefinitions`, the type of an argument is the string in the field `type`.
        if name == "type", type == nil, kind(1) == .colon, kind(2) == .string, let last = definitions.indices.last,
            let variable = definitions[last].variables.indices.last, definitions[last].kind == .fragment
        {
            definitions[last].variables[variable].type = tokens.lexer.stringValue(of: tokens[index + 2])
        }
        mark(.inputField(field, of: type))
        frames.append(.argument(field?.type))
    }
}

extension [RoledToken] {
    /// The number of tokens that begin before an offset.
    fileprivate func count(before start: UInt32) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].token.start < start { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
