import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

/// Generates the files of a program: one for each operation and fragment, and for each enum and input object that they
/// use, and those that tell the runtime of settings.
///
/// The cost is linear in the generated text. The result depends only on the input; files are in alphabetical order.
package struct CodeGenerator {
    let schema: Schema
    let options: GenerationOptions
    let workers: Workers
    private let pathOfSource: (Span) -> String?
    private let bytesOfSource: @Sendable (Span) -> [UInt8]?
    package internal(set) var diagnostics: [Diagnostic] = []
    /// The texts with ids, by their ids.
    package private(set) var texts: [String: String] = [:]
    /// The names of the types of the schema that the files of each definition use, sorted.
    package private(set) var usedTypes: [GeneratedFile.Owner: [String]] = [:]
    /// Whether a type has another name than it wants, because that is taken.
    package private(set) var hasRenamedTypes = false

    /// `pathOfSource` returns the path of the file that defines a type of the schema. `bytesOfSource` returns the text
    /// of the file with a definition, as the parser read it.
    package init(
        schema: Schema,
        options: GenerationOptions,
        workers: Workers = .all,
        bytesOfSource: @escaping @Sendable (Span) -> [UInt8]? = { _ in nil },
        pathOfSource: @escaping (Span) -> String?
    ) {
        self.schema = schema
        self.options = options
        self.workers = workers
        self.bytesOfSource = bytesOfSource
        self.pathOfSource = pathOfSource
    }

    package mutating func generate(
        _ program: Program,
        operations: [CompiledOperation],
        updatableQueries: [CompiledUpdatableQuery] = [],
        fragments: [CompiledFragment],
        standing: StandingDefinitions = StandingDefinitions()
    ) -> [GeneratedFile] {
        let (schema, bytesOfSource) = (schema, bytesOfSource)
        @Sendable func digest(_ keyword: String, _ name: String, _ span: Span) -> String? {
            bytesOfSource(span).flatMap { bytes in
                DefinitionDigest.line(keyword, name, in: bytes, nameAt: Int(span.start))
            }
        }
        let (names, leaves, settings, used) = naming(
            program, operations: operations, updatableQueries: updatableQueries, fragments: fragments,
            standing: standing)
        diagnostics += names.diagnostics
        diagnostics += withoutProvider(fragments)
        diagnostics += used.scalars.filter { options.scalars[$0.name] == nil }.map(unmapped)
        let others = options.types.filter { $0.value.module != nil }

        let refetched = Dictionary(
            fragments.compactMap { fragment in
                fragment.refetch.map { ($0.query, names.fragment(fragment.fragment.name)) }
            }, uniquingKeysWith: { first, _ in first })
        var files: [GeneratedFile] = []
        let mappedScalars = Set(options.scalars.filter { !$0.value.isPlainString }.keys)
        let ofFragments = workers.map(fragments) { fragments in
            var plans = PlanPrinter(schema: schema, mappedScalars: mappedScalars)
            return fragments.map { fragment in
                var generator = DefinitionGenerator(names: names, leaves: leaves, options: settings)
                let digest = digest("fragment", fragment.fragment.name, fragment.fragment.span)
                let file = generator.file(for: fragment, digest: digest, plans: &plans)
                return ([file.owned(by: .fragment(fragment.fragment.name))], generator.diagnostics, generator.texts)
            }
        }
        let ofOperations = workers.map(operations) { operations in
            var plans = PlanPrinter(schema: schema, mappedScalars: mappedScalars)
            var texts = OperationTextPrinter(schema: schema, layout: settings.layout)
            return operations.map { operation in
                var generator = DefinitionGenerator(
                    names: names, leaves: leaves, options: settings, refetched: refetched)
                let source = operation.operation
                let digest = digest(source.kind.rawValue, source.name, source.span)
                let file = generator.file(for: operation, digest: digest, plans: &plans, texts: &texts)
                let parameters = generator.parametersFile(for: operation, digest: digest, texts: &texts)
                let files = [file, parameters].compactMap { $0?.owned(by: .operation(source.name)) }
                return (files, generator.diagnostics, generator.texts)
            }
        }
        let ofUpdatableQueries = workers.map(updatableQueries) { queries in
            var plans = PlanPrinter(schema: schema, mappedScalars: mappedScalars)
            return queries.map { query in
                var generator = DefinitionGenerator(names: names, leaves: leaves, options: settings)
                let digest = digest("query", query.operation.name, query.operation.span)
                let file = generator.file(for: query, digest: digest, plans: &plans)
                let owner = GeneratedFile.Owner.operation(query.operation.name)
                return ([file.owned(by: owner)], generator.diagnostics, generator.texts)
            }
        }
        for (made, found, texts) in (ofFragments + ofOperations + ofUpdatableQueries).joined() {
            files += made
            diagnostics += found
            self.texts.merge(texts) { first, _ in first }
        }
        for type in used.enums where others[type.name] == nil {
            var generator = EnumGenerator(name: names.type(type), options: settings)
            files.append(generator.file(for: type, path: pathOfSource(type.span)))
            diagnostics += generator.diagnostics
        }
        for type in used.inputObjects where others[type.name] == nil {
            if type.isOneOf {
                var generator = OneOfGenerator(name: names.type(type), leaves: leaves, options: settings)
                files.append(generator.file(for: type, path: pathOfSource(type.span)))
                diagnostics += generator.diagnostics
                continue
            }
            var generator = InputObjectGenerator(name: names.type(type), leaves: leaves, options: settings)
            files.append(generator.file(for: type, path: pathOfSource(type.span)))
            diagnostics += generator.diagnostics
        }
        files += ConnectionNamesGenerator(schema: schema, options: settings).file().map { [$0] } ?? []
        files += UnstoredDataGenerator(options: settings).file().map { [$0] } ?? []
        return files.sorted { $0.name < $1.name }
    }

    /// Chooses the names of all types, and notes the types of the schema that definitions use.
    mutating func naming(
        _ program: Program, operations: [CompiledOperation], updatableQueries: [CompiledUpdatableQuery],
        fragments: [CompiledFragment], standing: StandingDefinitions
    ) -> (names: TypeNames, leaves: LeafTypes, options: GenerationOptions, used: UsedTypes) {
        var options = options
        let others = options.types.filter { $0.value.module != nil }
        let nothing = UsedTypes(schema: schema, ofOtherModules: Set(others.keys))
        var used = nothing
        used.add(named: standing.usedTypes)
        func note(_ own: UsedTypes, of owner: GeneratedFile.Owner) {
            used.add(own)
            usedTypes[owner] = own.names
        }
        for fragment in fragments {
            var own = nothing
            own.visit(fragment.reader)
            for variable in fragment.fragment.provided { own.visit(variable.type) }
            note(own, of: .fragment(fragment.fragment.name))
        }
        for operation in operations {
            var own = nothing
            own.visit(operation.reader)
            if let response = operation.rawResponse { own.visit(response) }
            for variable in operation.operation.variables { own.visit(variable.type) }
            note(own, of: .operation(operation.operation.name))
        }
        for query in updatableQueries {
            var own = nothing
            own.visit(query.reader)
            for variable in query.operation.variables { own.visit(variable.type) }
            note(own, of: .operation(query.operation.name))
        }
        let names = TypeNames(program: program, used: used, types: options.types, standing: standing)
        hasRenamedTypes = names.hasRenamed
        for type in used.enums + used.inputObjects {
            others[type.name]?.module.map { options.modules[names.type(type)] = $0 }
        }
        let settings = options
        let leaves = LeafTypes(schema: schema, names: names, scalars: options.scalars)
        return (names, leaves, settings, used)
    }

    /// Reports each provider without a Swift type once.
    private func withoutProvider(_ fragments: [CompiledFragment]) -> [Diagnostic] {
        var seen: Set<String> = []
        return fragments.flatMap(\.fragment.provided).compactMap { variable in
            guard options.provider(named: variable.provider) == nil, seen.insert(variable.provider).inserted else {
                return nil
            }
            return Diagnostic(
                .unusableProvider, "there is no Swift type for the provider '\(variable.provider)'", at: variable.span,
                suggestion: "name the type in 'providers' of baton.json")
        }
    }

    private func unmapped(_ scalar: SchemaType) -> Diagnostic {
        Diagnostic(
            .unmappedScalar,
            severity: .warning,
            "scalar '\(scalar.name)' is not mapped, so it is a 'String' in Swift",
            at: scalar.span,
            suggestion: """
                add to 'scalars' in baton.json: "\(scalar.name)": \(FoundationConversion.advice(forScalar: scalar.name)), or \
                "String" to say that this is meant
                """
        )
    }
}

extension SwiftFile {
    /// Makes a generated file with its header.
    static func generated(
        _ typeName: String,
        source: String?,
        definition: String? = nil,
        imports: [SwiftImport],
        _ declarations: [SwiftDeclaration]
    ) -> GeneratedFile {
        var first = "@generated by baton. Do not edit."
        if let source { first += " Source: " + (definition.map { $0 + " in " } ?? "") + source }
        let comments = [first, "swift-format-ignore-file"]
        let file = SwiftFile(comments: comments, imports: imports, declarations: declarations)
        let references = declarations.count { declaration in
            guard case .extension(let own) = declaration else { return false }
            return own.extended == .named(ModuleSize.references)
        }
        return GeneratedFile(
            name: typeName + ".graphql.swift", text: SwiftPrinter.print(file), references: references)
    }
}
