import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax

/// The completions at a cursor: everything that may be written there.
struct Completion {
    private let site: Site
    private let client: ClientCapabilities
    /// The definition at the cursor up to the word before it, and the whole definition.
    private let reader: RoleReader
    private let whole: RoleReader
    /// The word before the cursor, which an item replaces.
    private let word: Range<Int>
    /// The kind of the token behind the cursor.
    private let following: Token.Kind?
    private var items: [JSONValue] = []
    /// Whether there are more items than `limit`, so that the editor asks again when the word is longer.
    private var isIncomplete = false

    /// The largest number of fragments or types in a response.
    private static let limit = 1_000

    /// The kinds of completion items, with their numbers in the protocol.
    private enum Kind: Int {
        case field = 5
        case variable = 6
        case type = 7
        case unit = 11
        case value = 12
        case keyword = 14
        case snippet = 15
        case reference = 18
        case enumMember = 20
        case argument = 10
    }

    static func items(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let site = try server.site(input) else { return .null }
        var completion = try Completion(site, server.client)
        completion.collect()
        return ["isIncomplete": .boolean(completion.isIncomplete), "items": .array(completion.items)]
    }

    private init(_ site: Site, _ client: ClientCapabilities) throws(ResponseError) {
        self.site = site
        self.client = client
        let bytes = site.piece.source.bytes
        let end = min(max(site.pieceOffset, site.piece.range.lowerBound), site.piece.range.upperBound)
        var start = end
        while start > site.piece.range.lowerBound, Self.isNameByte(bytes[start - 1]) { start -= 1 }
        word = start..<end
        var behind = Lexer(source: site.piece.source, range: end..<site.piece.range.upperBound)
        following = behind.next().kind
        reader = try site.reader(upTo: start)
        whole = try site.reader()
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }

    private mutating func collect() {
        // Strings and comments have no completions.
        if isInComment || isInString { return }
        switch reader.expectation {
        case .definition: addDefinitions()
        case .selection(let type): if let type { addFields(of: type) }
        case .spread(let type): addSpreads(on: type)
        case .typeCondition(let type): addConditions(on: type)
        case .inputType: addInputTypes()
        case .argument(let owner, let given): addArguments(of: owner, given)
        case .value(let type, let isConstant): addValues(of: type, isConstant)
        case .inputField(let type, let given):
            if let type { addInputs(type.inputFields.filter { !given.contains($0.name) }) }
        case .variable(let type): addVariables(type, sign: "")
        case .directive(let location): addDirectives(at: location)
        case .nothing: break
        }
    }

    private var isInComment: Bool {
        let bytes = site.piece.source.bytes
        let start = reader.roled.last.map { Int($0.token.end) } ?? site.piece.range.lowerBound
        guard start <= word.lowerBound else { return true }
        let line = bytes[start..<word.lowerBound]
        let begin = line.lastIndex { $0 == 0x0A || $0 == 0x0D } ?? start
        return line[begin...].contains(UInt8(ascii: "#"))
    }

    private var isInString: Bool {
        guard let token = whole.roled.last(where: { Int($0.token.start) < word.lowerBound })?.token,
            token.kind == .string || token.kind == .blockString, word.lowerBound <= Int(token.end)
        else { return false }
        let isClosed = token.end - token.start > 1 && site.piece.source.bytes[Int(token.end) - 1] == UInt8(ascii: "\"")
        return word.lowerBound < Int(token.end) || !isClosed
    }

    // MARK: - Items

    /// The named things that are proposed: all of them, or those whose names fit the word best if they are too many.
    private mutating func chosen<Named>(
        _ named: [Named], name: KeyPath<Named, String>, isPreferred: (Named) -> Bool = { _ in true }
    ) -> [Named] {
        if named.count <= Self.limit { return named }
        isIncomplete = true
        let letters = String(decoding: site.piece.source.bytes[word], as: UTF8.self).lowercased()
        let ranked = named.compactMap { named in
            Symbols.rank(named[keyPath: name], Array(letters.utf8)).map { (isPreferred(named) ? $0 : $0 + 1, named) }
        }
        return ranked.sorted { ($0.0, $0.1[keyPath: name]) < ($1.0, $1.1[keyPath: name]) }.prefix(Self.limit).map(\.1)
    }

    /// Adds an item. The editor inserts `snippet` in place of the label, and `plain` if it knows no snippets.
    private mutating func add(
        _ label: String, _ kind: Kind, detail: String? = nil, documentation: String? = nil,
        deprecation: String? = nil, snippet: String? = nil, plain: String? = nil, rank: Int = 1
    ) {
        let usesSnippet = client.hasSnippets && snippet != nil
        let text = (usesSnippet ? snippet : plain) ?? label
        let notes = [deprecation.map { "Deprecated: \($0)" }, documentation].compactMap(\.self)
        let item: JSONValue = [
            "label": .string(label), "kind": .integer(kind.rawValue), "sortText": .string("\(rank)\(label)"),
            "textEdit": ["range": site.range(word).json, "newText": .string(text)],
        ]
        items.append(
            item.with("detail", detail.map { .string($0) })
                .with("insertTextFormat", usesSnippet ? 2 : nil)
                .with("tags", deprecation == nil ? nil : [1])
                .with("filterText", .string(label))
                .with("documentation", notes.isEmpty ? nil : .string(notes.joined(separator: "\n\n"))))
    }

    private mutating func addDefinitions() {
        add("query", .keyword, snippet: "query ${1:Name} {\n  $0\n}")
        add("mutation", .keyword, snippet: "mutation ${1:Name} {\n  $0\n}")
        add("subscription", .keyword, snippet: "subscription ${1:Name} {\n  $0\n}")
        add("fragment", .keyword, snippet: "fragment ${1:Name} on ${2:Type} {\n  $0\n}")
    }

    private mutating func addFields(of type: SchemaType) {
        guard let schema = site.schema else { return }
        for field in type.fields {
            let result = schema.namedType(of: field.type)
            let arguments = following == .leftParenthesis ? "" : requiredArguments(field.arguments)
            let opens = result.isComposite && following != .leftBrace && following != .leftParenthesis
            let snippet = arguments.isEmpty && !opens ? nil : field.name + arguments + (opens ? " {\n  $0\n}" : "")
            add(
                field.name, .field, detail: schema.describe(field.type), documentation: field.description,
                deprecation: field.deprecation, snippet: snippet, rank: field.deprecation == nil ? 1 : 3)
        }
        if type.isComposite { add("__typename", .field, detail: "String!", rank: 4) }
        add("...", .keyword, documentation: "A fragment", rank: 5)
    }

    /// The text of the required arguments, with a placeholder for each value.
    private func requiredArguments(_ values: [SchemaInputValue]) -> String {
        let required = values.filter(\.isRequired)
        if required.isEmpty { return "" }
        let parts = required.enumerated().map { "\($1.name): $\($0 + 1)" }
        return "(" + parts.joined(separator: ", ") + ")"
    }

    private var ownFragment: String? {
        guard let last = reader.definitions.last, last.kind == .fragment else { return nil }
        return last.name
    }

    private mutating func addSpreads(on type: SchemaType?) {
        add("on", .keyword, snippet: "on ${1:Type} {\n  $0\n}", plain: "on ", rank: 3)
        guard let schema = site.schema else { return }
        let own = ownFragment
        let fitting = site.fragments.values.filter { fragment in
            guard fragment.name != own, let condition = schema.type(named: fragment.type ?? "") else { return false }
            return type.map { schema.overlap($0, condition) } ?? true
        }
        for fragment in chosen(fitting, name: \.name, isPreferred: { $0.type == type?.name }) {
            guard let condition = schema.type(named: fragment.type ?? "") else { continue }
            let required = fragment.arguments.filter(\.isRequired).enumerated().map { "\($1.name): $\($0 + 1)" }
            let snippet =
                required.isEmpty ? nil : fragment.name + " @arguments(\(required.joined(separator: ", ")))"
            add(
                fragment.name, .reference, detail: "on \(condition.name)", snippet: snippet,
                rank: condition === type ? 1 : 2)
        }
    }

    private mutating func addConditions(on type: SchemaType?) {
        guard let schema = site.schema else { return }
        let fitting = schema.types.filter { candidate in
            guard candidate.isComposite, !candidate.name.hasPrefix("__") else { return false }
            return type.map { schema.overlap($0, candidate) } ?? true
        }
        for candidate in chosen(fitting, name: \.name) {
            add(candidate.name, .type, documentation: candidate.description)
        }
    }

    private mutating func addInputTypes() {
        let fitting = (site.schema?.types ?? []).filter { $0.isInput && !$0.name.hasPrefix("__") }
        for type in chosen(fitting, name: \.name) {
            add(type.name, .type, documentation: type.description, rank: type.isPredeclared ? 1 : 2)
        }
    }

    private mutating func addArguments(of owner: ArgumentOwner, _ given: Set<String>) {
        switch owner {
        case .field(let field): addInputs((field?.arguments ?? []).filter { !given.contains($0.name) })
        case .directive(let directive):
            addInputs((directive?.arguments ?? []).filter { !given.contains($0.name) })
        case .fragment(let name):
            for argument in site.fragments[name]?.arguments ?? [] where !given.contains(argument.name) {
                add(
                    argument.name, .argument, detail: argument.type, plain: argument.name + ": ",
                    rank: argument.isRequired ? 1 : 2)
            }
        }
    }

    private mutating func addInputs(_ values: [SchemaInputValue]) {
        for value in values {
            add(
                value.name, .argument, detail: site.schema?.describe(value.type), documentation: value.description,
                deprecation: value.deprecation, plain: value.name + (following == .colon ? "" : ": "),
                rank: value.isRequired ? 1 : 2)
        }
    }

    private mutating func addValues(of type: TypeReference?, _ isConstant: Bool) {
        guard let schema = site.schema else { return }
        if !isConstant { addVariables(type, sign: "$") }
        guard let type else { return }
        let named = schema.namedType(of: type)
        for value in named.enumValues {
            add(
                value.name, .enumMember, detail: named.name, documentation: value.description,
                deprecation: value.deprecation)
        }
        if named.name == "Boolean" {
            add("true", .value)
            add("false", .value)
        }
        if named.kind == .inputObject {
            let required = named.inputFields.filter(\.isRequired).enumerated().map { "\($1.name): $\($0 + 1)" }
            add(
                "{ }", .snippet, detail: named.name,
                snippet: required.isEmpty ? "{ $0 }" : "{ \(required.joined(separator: ", ")) }", rank: 2)
        }
        if !type.isNonNull { add("null", .value, rank: 4) }
    }

    /// Adds the variables that the definition declares. Variables of a type that fits come first.
    private mutating func addVariables(_ type: TypeReference?, sign: String) {
        guard let definition = whole.definitions.last(where: { $0.start <= word.lowerBound }) else { return }
        for (name, written) in definition.variables where !name.isEmpty {
            let reference = Parser.parseType(written).flatMap { site.schema?.resolve($0) }
            var fits = true
            if let type, let reference { fits = type.named == reference.named }
            if !fits, !sign.isEmpty { continue }
            add(sign + name, .variable, detail: written.isEmpty ? nil : written, rank: fits ? 1 : 2)
        }
    }

    private mutating func addDirectives(at location: DirectiveLocation) {
        for directive in site.schema?.directives.values.sorted(by: { $0.name < $1.name }) ?? []
        where directive.locations.contains(location) {
            let arguments = following == .leftParenthesis ? "" : requiredArguments(directive.arguments)
            add(
                directive.name, .keyword, documentation: directive.description,
                snippet: arguments.isEmpty ? nil : directive.name + arguments)
        }
    }
}
