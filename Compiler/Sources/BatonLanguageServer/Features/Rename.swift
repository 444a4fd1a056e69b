import BatonCodegen
import BatonCompiler
import BatonProject
import BatonSchema
import BatonSyntax

/// The renaming of fragments, operations, variables and aliases in documents, and of what is generated for them in
/// Swift. The queries of `@refetchable` are operations.
struct Rename {
    private let server: LanguageServer
    private let id: JSONValue
    private let site: Site
    private let reader: RoleReader
    private let token: RoledToken
    private let occurrence: Occurrence
    private let old: String
    private let new: String
    private var edit = WorkspaceEdit()

    /// The range of the name at the place of a request, if the name can be changed.
    static func prepare(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let (site, reader, token, occurrence) = try Navigation.occurrence(server, input) else { return .null }
        try checkKind(occurrence)
        if case .refetchQuery(let name) = occurrence {
            let range = (token.range.lowerBound + 1)..<(token.range.upperBound - 1)
            return ["range": site.range(range).json, "placeholder": .string(name)]
        }
        return [
            "range": site.range(token.range).json, "placeholder": .string(reader.text(of: token.token)),
        ]
    }

    private static func checkKind(_ occurrence: Occurrence) throws(ResponseError) {
        switch occurrence {
        case .fragment, .operation, .variable, .fragmentArgument, .alias, .refetchQuery: return
        case .field: throw .failed("the field is the schema's; an alias gives it another name here")
        case .type, .enumValue, .input, .directive: throw .failed("this name is the schema's")
        }
    }

    static func perform(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let new = input.parameters["newName"]?.string else { throw .invalidParameters("'newName' is a string") }
        guard let (site, reader, token, occurrence) = try Navigation.occurrence(server, input) else {
            throw .failed("there is no name here that can be changed")
        }
        try checkKind(occurrence)
        guard isName(new) else { throw .failed("'\(new)' is not a name of GraphQL") }
        var rename = Rename(
            server: server, id: input.id, site: site, reader: reader, token: token, occurrence: occurrence,
            old: reader.refetchQuery(token) ?? reader.text(of: token.token), new: new)
        if rename.old != new { try rename.collect() }
        return rename.edit.json(server)
    }

    private static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
        }
    }

    private mutating func collect() throws(ResponseError) {
        try checkFreedom()
        if case .alias(_, let definition) = occurrence {
            try renameAlias(definition)
            return
        }
        for place in try Navigation.occurrences(of: occurrence, site, reader, server, id) {
            edit.add(server.lines(of: place.path).range(of: place.range), new, to: place.path)
        }
        switch occurrence {
        case .fragment: try renameInSwift(.fragment)
        case .operation:
            guard case .operationName(let kind) = token.role else { return }
            try renameInSwift(kind == .query ? .query : kind == .mutation ? .mutation : .subscription)
        case .refetchQuery: try renameInSwift(.query)
        case .variable(_, let definition): try renameLabels(definition)
        default: break
        }
    }

    // MARK: - Whether the name is free

    private func checkFreedom() throws(ResponseError) {
        switch occurrence {
        case .fragment:
            if new == "on" { throw .failed("a fragment cannot be named 'on'") }
            if site.fragments[new] != nil { throw .failed("there is a fragment '\(new)' already") }
        case .operation, .refetchQuery:
            if site.view.index.operations[new] != nil { throw .failed("there is an operation '\(new)' already") }
            if let fragment = try fragmentRefetched(by: new) {
                throw .failed("the fragment '\(fragment)' is fetched again with a query '\(new)' already")
            }
        case .variable(_, let definition):
            try checkVariable(definition)
        case .fragmentArgument(_, let fragment):
            if site.fragments[fragment]?.arguments.contains(where: { $0.name == new }) == true {
                throw .failed("the fragment has an argument '\(new)' already")
            }
        default: break
        }
    }

    /// The fragment whose `@refetchable` makes a query with this name.
    private func fragmentRefetched(by query: String) throws(ResponseError) -> String? {
        for path in site.view.files.documents {
            if server.isCancelled(id) { throw .cancelled }
            guard let bytes = server.bytes(of: path), bytes.hasText("\"" + query) else { continue }
            for piece in GraphQLText(path: path, bytes: bytes).pieces {
                var fragment: String?
                try RoleReader.readDefinitions(
                    of: piece, with: query, schema: site.schema, fragments: site.fragments
                ) { reader in
                    let token = reader.roled.first { reader.refetchQuery($0) == query }
                    if let token, token.definition >= 0 { fragment = reader.definitions[token.definition].name ?? "" }
                }
                if let fragment { return fragment }
            }
        }
        return nil
    }

    /// Refuses to rename a variable of an operation that a fragment uses, because other operations may reach the
    /// fragment, too.
    private func checkVariable(_ definition: Int) throws(ResponseError) {
        guard definition >= 0 else { return }
        let owner = reader.definitions[definition]
        if owner.variables.contains(where: { $0.name == new }) { throw .failed("there is a '$\(new)' already") }
        if owner.kind == .fragment {
            throw .failed("'$\(old)' is a variable of the operations that use the fragment; rename it there")
        }
        var pending = owner.name.flatMap { site.view.index.operations[$0]?.spreads } ?? []
        var seen: Set<String> = []
        while let name = pending.popLast() {
            guard seen.insert(name).inserted, let fragment = site.fragments[name] else { continue }
            pending += fragment.spreads
            if server.isCancelled(id) { throw .cancelled }
            if !fragment.arguments.contains(where: { $0.name == old }), try uses(fragment) {
                throw .failed("the fragment '\(name)' uses '$\(old)', and other operations may use the fragment")
            }
        }
    }

    private func uses(_ fragment: DefinitionIndex.Entry) throws(ResponseError) -> Bool {
        guard let bytes = server.bytes(of: fragment.path), bytes.hasText("$" + old) else { return false }
        var isUsed = false
        for piece in GraphQLText(path: fragment.path, bytes: bytes).pieces where !isUsed {
            try RoleReader.readDefinitions(
                of: piece, with: fragment.name, schema: nil, fragments: site.fragments
            ) { reader in
                isUsed =
                    isUsed
                    || reader.roled.contains { token in
                        guard case .variable = token.role, token.definition >= 0 else { return false }
                        let owner = reader.definitions[token.definition]
                        return owner.name == fragment.name && owner.kind == .fragment
                            && reader.text(of: token.token) == old
                    }
            }
        }
        return isUsed
    }

    // MARK: - Aliases

    /// Renames an alias, and all equal aliases of the same field in the definition, since a response merges them.
    private mutating func renameAlias(_ definition: Int) throws(ResponseError) {
        guard definition >= 0, let index = reader.index(of: token.token) else {
            throw .failed("the alias has no field")
        }
        let field = field(at: index)
        for (index, other) in reader.roled.enumerated() where other.definition == definition {
            guard case .alias = other.role, reader.text(of: other.token) == old else { continue }
            let isOwn = other.token.start == token.token.start
            guard isOwn || field != nil && self.field(at: index) === field else { continue }
            edit.add(site.range(other.range), new, to: site.path)
        }
        let owner = reader.definitions[definition]
        guard let name = owner.name else { return }
        let type = GeneratedSwift.type(of: owner.kind, name)
        var names = [(old, new)]
        if let field, let schema = site.schema, schema.namedType(of: field.type).isComposite {
            func nested(_ key: String) -> String {
                NestedTypeName.name(
                    forKey: key, isList: field.type.isList, typeName: schema.namedType(of: field.type).name)
            }
            names.append((nested(old), nested(new)))
        }
        for (path, swift) in try swiftFiles(with: old) {
            let hasType = swift.all.contains { swift.isNamed($0, type) }
            guard hasType || path == site.path else { continue }
            let lines = server.lines(of: path)
            for identifier in swift.all where identifier.isMember {
                for (old, new) in names where swift.isNamed(identifier, old) {
                    edit.add(lines.range(of: identifier.range), new, to: path, isGuess: true)
                }
            }
        }
    }

    /// The field behind the alias with a number.
    private func field(at index: Int) -> SchemaField? {
        guard index + 2 < reader.roled.count, case .field(let field, _) = reader.roled[index + 2].role else {
            return nil
        }
        return field
    }

    // MARK: - Swift

    /// Renames the type of a definition in Swift sources, and the property that refers to a spread fragment.
    private mutating func renameInSwift(_ kind: DefinitionRecord.Kind) throws(ResponseError) {
        let types = (GeneratedSwift.type(of: kind, old), GeneratedSwift.type(of: kind, new))
        let references = (GeneratedSwift.reference(old), GeneratedSwift.reference(new))
        let stem = String(old.dropFirst())
        for (path, swift) in try swiftFiles(with: stem) {
            let lines = server.lines(of: path)
            var last: SwiftIdentifiers.Identifier?
            for identifier in swift.all {
                defer { last = identifier }
                if swift.isNamed(identifier, types.0) {
                    edit.add(lines.range(of: identifier.range), types.1, to: path, isGuess: identifier.isMember)
                } else if kind == .fragment, identifier.isMember, swift.isNamed(identifier, references.0),
                    let last, swift.isNamed(last, "fragments")
                {
                    edit.add(lines.range(of: identifier.range), references.1, to: path)
                }
            }
        }
    }

    /// Renames the labels of a variable in Swift sources that make the operation or its variables.
    private mutating func renameLabels(_ definition: Int) throws(ResponseError) {
        guard definition >= 0, let name = reader.definitions[definition].name else { return }
        let type = GeneratedSwift.type(of: reader.definitions[definition].kind, name)
        for (path, swift) in try swiftFiles(with: type) {
            let lines = server.lines(of: path)
            var index = 0
            while index < swift.all.count {
                defer { index += 1 }
                var callee = swift.all[index]
                guard swift.isNamed(callee, type) else { continue }
                if index + 1 < swift.all.count, swift.all[index + 1].isMember,
                    swift.isNamed(swift.all[index + 1], "Variables") || swift.isNamed(swift.all[index + 1], "init")
                {
                    callee = swift.all[index + 1]
                }
                guard callee.following == UInt8(ascii: "(") else { continue }
                for label in swift.all[(index + 1)...] where label.range.lowerBound > callee.range.lowerBound {
                    if label.depth <= callee.depth { break }
                    if label.depth == callee.depth + 1, label.following == UInt8(ascii: ":"),
                        swift.isNamed(label, old)
                    {
                        edit.add(lines.range(of: label.range), new, to: path)
                    }
                }
            }
        }
    }

    /// The Swift sources of the project in which a text occurs, without the generated files.
    private func swiftFiles(
        with letters: String
    ) throws(ResponseError) -> [(path: AbsolutePath, swift: SwiftIdentifiers)] {
        var paths: Set<AbsolutePath> = site.path.description.hasSuffix(".swift") ? [site.path] : []
        if let configuration = site.view.configuration {
            let output = configuration.outputDirectory
            let finder = FileFinder(base: configuration.directory, extensions: ["swift"]) { path in
                path.isInside(output) || path.name.hasPrefix(".") || path.name == "node_modules"
            }
            if case .files(let files) = finder.find(".") { paths.formUnion(files) }
        }
        var result: [(path: AbsolutePath, swift: SwiftIdentifiers)] = []
        for path in paths.sorted() {
            if server.isCancelled(id) { throw .cancelled }
            guard let bytes = server.bytes(of: path), bytes.hasText(letters) else { continue }
            result.append((path, SwiftIdentifiers(bytes)))
        }
        return result
    }
}
