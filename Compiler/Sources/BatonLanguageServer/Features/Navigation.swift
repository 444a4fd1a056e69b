import BatonCompiler
import BatonDiagnostics
import BatonProject
import BatonSchema
import BatonSyntax
import Foundation

/// The requests for definitions, implementations and references.
enum Navigation {
    /// What the token at the place of a request stands for.
    static func occurrence(
        _ server: LanguageServer, _ input: RequestInput
    ) throws(ResponseError) -> (site: Site, reader: RoleReader, token: RoledToken, occurrence: Occurrence)? {
        guard let site = try server.site(input) else { return nil }
        let reader = try site.reader()
        guard let token = reader.token(at: site.pieceOffset) else { return nil }
        if let name = reader.refetchQuery(token) { return (site, reader, token, .refetchQuery(name)) }
        guard var occurrence = Occurrence(token, reader, site.schema) else { return nil }
        // A variable inside a fragment that declares it is an argument of the fragment.
        if case .variable(let name, let definition) = occurrence, definition >= 0 {
            let owner = reader.definitions[definition]
            if owner.kind == .fragment, let fragment = owner.name, owner.variables.contains(where: { $0.name == name })
            {
                occurrence = .fragmentArgument(name, fragment: fragment)
            }
        }
        return (site, reader, token, occurrence)
    }

    // MARK: - Definition

    static func definition(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        if let name = try SchemaName.at(server, input) {
            return schemaSpan(of: name.occurrence).flatMap { server.location($0, in: name.view) } ?? .null
        }
        guard let (site, reader, token, occurrence) = try occurrence(server, input) else { return .null }
        switch occurrence {
        case .fragment(let name):
            guard let entry = site.fragments[name] else { return .null }
            return server.location(entry.path, entry.nameRange)
        case .operation(let name):
            if let entry = site.view.index.operations[name] { return server.location(entry.path, entry.nameRange) }
            return server.location(site.path, site.piece.original(token.range))
        case .variable(let name, let definition):
            let declaration = reader.roled.first { other in
                guard case .variableDeclaration = other.role else { return false }
                return other.definition == definition && reader.text(of: other.token) == name
            }
            return declaration.map { server.location(site.path, site.piece.original($0.range)) } ?? .null
        case .fragmentArgument(let name, let fragment):
            return try declaration(of: name, in: fragment, site, server) ?? .null
        case .field, .type, .enumValue, .input, .directive:
            return schemaSpan(of: occurrence).flatMap { server.location($0, in: site.view) } ?? .null
        case .alias, .refetchQuery: return server.location(site.path, site.piece.original(token.range))
        }
    }

    /// The place in the schema at which an occurrence is defined.
    private static func schemaSpan(of occurrence: Occurrence) -> Span? {
        switch occurrence {
        case .field(let field): field.span
        case .type(let type): type.span
        case .enumValue(let name, let type): type.enumValue(named: name)?.span
        case .input(let value): value.span
        case .directive(let directive): directive.span
        case .fragment, .operation, .variable, .fragmentArgument, .alias, .refetchQuery: nil
        }
    }

    /// The place at which a fragment declares an argument.
    private static func declaration(
        of name: String, in fragment: String, _ site: Site, _ server: LanguageServer
    ) throws(ResponseError) -> JSONValue? {
        guard let entry = site.fragments[fragment], let bytes = server.bytes(of: entry.path) else { return nil }
        var range: Range<Int>?
        for piece in GraphQLText(path: entry.path, bytes: bytes).pieces where range == nil {
            try RoleReader.readDefinitions(
                of: piece, with: fragment, schema: site.schema, fragments: site.fragments
            ) { reader in
                let declaration = reader.roled.first { token in
                    guard case .argumentDeclaration = token.role else { return false }
                    return reader.definitions[token.definition].name == fragment && reader.text(of: token.token) == name
                }
                if range == nil { range = declaration.map { piece.original($0.range) } }
            }
        }
        return range.map { server.location(entry.path, $0) }
    }

    // MARK: - Implementation

    /// The types that implement an interface or are members of a union; for a field, the fields of these types.
    static func implementation(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let (site, _, token, occurrence) = try occurrence(server, input), let schema = site.schema else {
            return .null
        }
        var spans: [Span] = []
        switch occurrence {
        case .type(let type): spans = schema.possibleTypes(of: type).map(\.span)
        case .field(let field):
            if case .field(_, on: let parent?) = token.role, parent.kind == .interface {
                spans = schema.possibleTypes(of: parent).compactMap { $0.field(named: field.name)?.span }
            } else {
                spans = schema.possibleTypes(of: schema.namedType(of: field.type)).map(\.span)
            }
        case .fragment(let name):
            if let type = site.fragments[name]?.type.flatMap(schema.type) {
                spans = schema.possibleTypes(of: type).map(\.span)
            }
        default: break
        }
        return .array(spans.compactMap { server.location($0, in: site.view) })
    }

    // MARK: - References

    static func references(_ server: LanguageServer, _ input: RequestInput) throws(ResponseError) -> JSONValue {
        guard let (site, reader, _, occurrence) = try occurrence(server, input) else { return .null }
        let includesDeclaration = input.parameters.at("context", "includeDeclaration")?.boolean ?? true
        let found = try occurrences(
            of: occurrence, site, reader, server, input.id, includesDeclaration: includesDeclaration)
        return .array(found.map { server.location($0.path, $0.range) })
    }

    struct Place {
        let path: AbsolutePath
        let range: Range<Int>
    }

    /// All places in documents that stand for the same thing as an occurrence.
    static func occurrences(
        of occurrence: Occurrence, _ site: Site, _ reader: RoleReader, _ server: LanguageServer, _ id: JSONValue,
        includesDeclaration: Bool = true
    ) throws(ResponseError) -> [Place] {
        switch occurrence {
        case .variable(let name, let definition), .alias(let name, let definition):
            var isVariable = false
            if case .variable = occurrence { isVariable = true }
            return reader.roled.filter { token in
                guard token.definition == definition, reader.text(of: token.token) == name else { return false }
                switch token.role {
                case .variable: return isVariable
                case .variableDeclaration: return isVariable && includesDeclaration
                case .alias: return !isVariable
                default: return false
                }
            }.map { Place(path: site.path, range: site.piece.original($0.range)) }
        case .refetchQuery(let name):
            // The name of such a query stands only in strings of `@refetchable`.
            var result: [Place] = []
            try RoleReader.readDefinitions(
                of: site.piece, with: name, schema: site.schema, fragments: site.fragments
            ) { reader in
                result += reader.roled.filter { reader.refetchQuery($0) == name }.map { token in
                    let range = (token.range.lowerBound + 1)..<(token.range.upperBound - 1)
                    return Place(path: site.path, range: site.piece.original(range))
                }
            }
            return result
        default: break
        }
        var result: [Place] = []
        let name = Self.name(of: occurrence)
        let letters = Array(name.utf8)
        for path in Self.files(with: occurrence, site) {
            if server.isCancelled(id) { throw .cancelled }
            guard let bytes = server.bytes(of: path), bytes.has(letters) else { continue }
            for piece in GraphQLText(path: path, bytes: bytes).pieces {
                try RoleReader.readDefinitions(
                    of: piece, with: name, schema: site.schema, fragments: site.fragments
                ) { reader in
                    for token in reader.roled where token.token.kind == .name && reader.text(of: token.token) == name {
                        if !includesDeclaration, Self.isDeclaration(token) { continue }
                        guard
                            occurrence.matches(token, reader, site.schema) || Self.isUse(token, of: occurrence, reader)
                        else { continue }
                        result.append(Place(path: path, range: piece.original(token.range)))
                    }
                }
            }
        }
        return result
    }

    /// Whether a token is a variable that is the argument of its fragment.
    private static func isUse(_ token: RoledToken, of occurrence: Occurrence, _ reader: RoleReader) -> Bool {
        guard case .fragmentArgument(_, let fragment) = occurrence, case .variable = token.role,
            token.definition >= 0
        else { return false }
        return reader.definitions[token.definition].name == fragment
            && reader.definitions[token.definition].kind == .fragment
    }

    private static func isDeclaration(_ token: RoledToken) -> Bool {
        switch token.role {
        case .fragmentName, .operationName, .argumentDeclaration, .variableDeclaration: true
        default: false
        }
    }

    private static func name(of occurrence: Occurrence) -> String {
        switch occurrence {
        case .fragment(let name), .operation(let name), .variable(let name, _), .fragmentArgument(let name, _),
            .enumValue(let name, _), .alias(let name, _), .refetchQuery(let name):
            name
        case .field(let field): field.name
        case .type(let type): type.name
        case .input(let value): value.name
        case .directive(let directive): directive.name
        }
    }

    /// The files in which the name may stand. The index finds fragments; other names are searched in the texts.
    private static func files(with occurrence: Occurrence, _ site: Site) -> [AbsolutePath] {
        var paths: Set<AbsolutePath> = [site.path]
        func add(fragment name: String) {
            paths.formUnion(site.view.index.filesSpreading(name))
            if let entry = site.fragments[name] { paths.insert(entry.path) }
        }
        switch occurrence {
        case .fragment(let name): add(fragment: name)
        case .fragmentArgument(_, let fragment): add(fragment: fragment)
        case .operation(let name):
            if let entry = site.view.index.operations[name] { paths.insert(entry.path) }
        default: paths.formUnion(site.view.files.documents)
        }
        return paths.sorted()
    }
}

extension [UInt8] {
    /// Whether the bytes of a text occur in a range of these bytes, or anywhere if no range is given.
    func has(_ text: [UInt8], in range: Range<Int>? = nil) -> Bool {
        guard let first = text.first else { return true }
        let range = range ?? indices
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var position = range.lowerBound
            while position + text.count <= range.upperBound,
                let found = memchr(start + position, Int32(first), range.upperBound - position)
            {
                position = start.distance(to: UnsafeRawPointer(found))
                if position + text.count > range.upperBound { return false }
                if memcmp(start + position, text, text.count) == 0 { return true }
                position += 1
            }
            return false
        }
    }

    func hasText(_ text: String) -> Bool { has(Array(text.utf8)) }
}
