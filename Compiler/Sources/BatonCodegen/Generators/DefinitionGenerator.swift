import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

/// Generates the file of one operation or fragment.
struct DefinitionGenerator {
    let names: TypeNames
    let leaves: LeafTypes
    let options: GenerationOptions
    private(set) var diagnostics: [Diagnostic] = []
    /// The texts that were generated, by their ids.
    private(set) var texts: [String: String] = [:]
    /// The names of the fragments in Swift that queries fetch again, by the names of the queries.
    private let refetched: [String: String]

    init(
        names: TypeNames, leaves: LeafTypes, options: GenerationOptions, refetched: [String: String] = [:]
    ) {
        self.refetched = refetched
        self.names = names
        self.leaves = leaves
        self.options = options
    }

    // MARK: - Fragments

    mutating func file(for compiled: CompiledFragment, digest: String?, plans: inout PlanPrinter) -> GeneratedFile {
        let fragment = compiled.fragment
        let name = names.fragment(fragment.name)
        var imports = ImportCollector(options: options)
        let arguments: [SwiftArgument] = [
            SwiftArgument("name", .string(fragment.name)),
            SwiftArgument("typeCondition", .string(fragment.type.name)),
            SwiftArgument("reader", .string(plans.print(compiled.reader, arguments: fragment.arguments))),
        ]
        let artifact = artifact(
            "GeneratedCode.FragmentArtifact",
            arguments + decoders(of: [compiled.reader], imports: &imports)
                + provided(fragment.provided, imports: &imports)
        )
        var (conformance, extensions): (String, [SwiftDeclaration]) = (conformance(compiled.refetch), [])
        let types: [SwiftDeclaration]
        if fragment.isUpdatable {
            conformance = "WritableFragment"
            let nothing = SwiftType.named("GeneratedCode.NoSelections")
            types = [
                .typealias(SwiftHead(modifiers: options.modifiers), "Data", nothing),
                writable(compiled.reader, definition: name, imports: &imports),
            ]
        } else {
            let data = data(compiled.reader, definition: name, imports: &imports)
            types = [.type(data.structure)]
            extensions = data.extensions
        }
        let declaration = SwiftTypeDeclaration(
            SwiftHead(documentation: options.comment(fragment.description), modifiers: options.topLevelModifiers),
            .enum,
            name,
            [.named(conformance)],
            members: [artifact, format] + members(compiled.refetch) + types
        )
        return SwiftFile.generated(
            name,
            source: fragment.path,
            definition: digest,
            imports: imports.imports,
            [.type(declaration)] + extensions
        )
    }

    // MARK: - Updatable queries

    mutating func file(
        for compiled: CompiledUpdatableQuery, digest: String?, plans: inout PlanPrinter
    ) -> GeneratedFile {
        let operation = compiled.operation
        let name = names.operation(operation.name)
        var imports = ImportCollector(options: options)
        let reader = plans.print(compiled.reader, variables: operation.variables)
        let arguments = [
            SwiftArgument("name", .string(operation.name)), SwiftArgument("kind", .member(nil, "query")),
            SwiftArgument("text", .string("")), SwiftArgument("normalization", .string("{}")),
            SwiftArgument("reader", .string(reader)),
        ]
        let artifact = artifact(
            "GeneratedCode.OperationArtifact", arguments + decoders(of: [compiled.reader], imports: &imports))
        let members = members(of: operation, name)
        for leaf in members.leafTypes { imports.use(leaf, publicly: true) }
        let writable = writable(compiled.reader, definition: name, imports: &imports)
        let declaration = SwiftTypeDeclaration(
            SwiftHead(documentation: options.comment(operation.description), modifiers: options.topLevelModifiers),
            .struct, name, [.named("WritableQuery"), .named("Hashable")],
            members: [artifact, format] + call(members) + [writable])
        return SwiftFile.generated(
            name, source: operation.path, definition: digest, imports: imports.imports, [.type(declaration)])
    }

    private func writable(
        _ plan: SelectionPlan, definition: String, imports: inout ImportCollector
    ) -> SwiftDeclaration {
        let generator = WritableGenerator(
            names: names, leaves: leaves, options: options, plan: plan, definition: definition)
        for leaf in generator.leafTypes { imports.use(leaf, publicly: true) }
        return .type(generator.structure("Writable", plan))
    }

    // MARK: - Operations

    mutating func file(
        for compiled: CompiledOperation,
        digest: String?,
        plans: inout PlanPrinter,
        texts: inout OperationTextPrinter
    ) -> GeneratedFile {
        let operation = compiled.operation
        let name = names.operation(operation.name)
        var imports = ImportCollector(options: options)
        let normalization = plans.print(compiled.normalization, variables: operation.variables)
        let reader = plans.print(compiled.reader, variables: operation.variables)
        let preloadable = names.parameters(operation.name)
        var arguments =
            preloadable.map { [SwiftArgument(nil, .member(.name($0), "parameters"))] }
            ?? request(compiled, texts: &texts)
        arguments.append(SwiftArgument("normalization", .string(normalization)))
        // Without spreads, both plans are equal.
        if reader != normalization { arguments.append(SwiftArgument("reader", .string(reader))) }
        let artifact = artifact(
            "GeneratedCode.OperationArtifact",
            arguments + decoders(of: [compiled.normalization, compiled.reader], imports: &imports)
                + (preloadable == nil ? provided(operation.provided, imports: &imports) : [])
        )
        let members = members(of: operation, name)
        for leaf in members.leafTypes { imports.use(leaf, publicly: true) }
        let data = data(compiled.reader, definition: name, imports: &imports)
        let conformance =
            switch operation.kind {
            case .query: compiled.normalization.comesInParts ? "GraphQLIncrementalQuery" : "GraphQLQuery"
            case .mutation: "GraphQLMutation"
            case .subscription: "GraphQLSubscription"
            }
        var conformances: [SwiftType] = [.named(conformance), .named("Hashable")]
        var types: [SwiftDeclaration] = [.type(data.structure)]
        if let response = compiled.rawResponse {
            let generator = RawResponseGenerator(leaves: leaves, options: options, plan: response, definition: name)
            for leaf in generator.leafTypes { imports.use(leaf, publicly: true) }
            types.append(.type(generator.structure(response)))
            conformances.insert(.named("GeneratedCode.OperationWithRawResponse"), at: 1)
        }
        let declaration = SwiftTypeDeclaration(
            SwiftHead(documentation: options.comment(operation.description), modifiers: options.topLevelModifiers),
            .struct,
            name,
            conformances,
            members: [artifact, format] + call(members, of: preloadable) + types
        )
        var declarations: [SwiftDeclaration] = [.type(declaration)] + data.extensions
        if !members.members.isEmpty {
            declarations.append(
                HandleGenerator(members: members, name: name, options: options).handle(of: operation.kind))
        }
        if let fragment = refetched[operation.name], !members.members.isEmpty {
            declarations.append(refetch(members, of: fragment))
        }
        return SwiftFile.generated(
            name, source: operation.path, definition: digest, imports: imports.imports, declarations)
    }

    /// The name and kind of an operation, and the text of its request.
    mutating func request(
        _ compiled: CompiledOperation, texts: inout OperationTextPrinter
    ) -> [SwiftArgument] {
        let name = SwiftArgument("name", .string(compiled.operation.name))
        let kind = SwiftArgument("kind", .member(nil, compiled.operation.kind.rawValue))
        return [name, kind] + (compiled.text.isEmpty ? [] : sent(texts.print(compiled.text)))
    }

    /// The text of a request, or its id, or both.
    private mutating func sent(_ text: String) -> [SwiftArgument] {
        guard let hash = options.textHash else { return [SwiftArgument("text", .string(text))] }
        let id = hash.id(of: text)
        texts[id] = text
        let identified = SwiftArgument("id", .string(id))
        return options.includesTexts ? [identified, SwiftArgument("text", .string(text))] : [identified]
    }

    mutating func members(of operation: Operation, _ name: String) -> InputMembers {
        let members = InputMembers(
            operation.variables.map { variable in
                InputMembers.Member(
                    graphQLName: variable.name,
                    reference: variable.type,
                    isRequired: variable.isRequired,
                    documentation: variable.description,
                    span: variable.span
                )
            },
            reserved: ["Variables", name],
            leaves: leaves,
            options: options
        )
        diagnostics += members.diagnostics
        return members
    }

    /// The stored variables, the two initializers, and the struct of the variables. With `owner`, the struct is that of
    /// the other type. An operation without variables has these members in the runtime.
    func call(_ members: InputMembers, of owner: String? = nil) -> [SwiftDeclaration] {
        let head = SwiftHead(modifiers: options.modifiers)
        let type = SwiftType.named(members.members.isEmpty ? "GeneratedCode.NoVariables" : "Variables")
        let stored = SwiftVariable(head, isConstant: false, "variables", type)
        let whole = SwiftFunction(
            head,
            .initializer,
            [SwiftParameter("variables", type)],
            body: [.assignment(.member(.selfReference, "variables"), .name("variables"))]
        )
        let storage = SwiftDeclaration.line([.variable(stored), .function(whole)])
        if members.members.isEmpty { return [storage] }
        let each = SwiftFunction(
            head,
            .initializer,
            members.parameters,
            body: [.assignment(.name("variables"), .call(.name("Variables"), members.arguments))]
        )
        if let owner {
            return [storage, .function(each), .typealias(head, "Variables", .named(owner + ".Variables"))]
        }
        let variables = SwiftTypeDeclaration(
            head,
            .struct,
            "Variables",
            [.named("GeneratedCode.Variables"), .named("Hashable")],
            lead: [members.storage],
            members: members.properties + [members.initializer(isCalledByGeneratedCode: true)]
        )
        return [storage, .function(each), .type(variables)]
    }

    // MARK: - Parts of operations and fragments

    private func artifact(_ type: String, _ arguments: [SwiftArgument]) -> SwiftDeclaration {
        constant("artifact", type, arguments)
    }

    /// The format of the file, which the runtime must read.
    ///
    /// It stands in each definition, because nothing else is generated once and always: a target may have the code of
    /// several configurations, and two files of one name do not compile. By its own declaration, nothing else in the
    /// file that no longer compiles hides the message.
    private var format: SwiftDeclaration {
        .variable(
            SwiftVariable(
                SwiftHead(modifiers: ["private", "static"]), isConstant: true, "__format", nil,
                value: .member(.name("GeneratedCode.Format"), "v\(BatonVersion.format)")))
    }

    func constant(_ name: String, _ type: String, _ arguments: [SwiftArgument]) -> SwiftDeclaration {
        .variable(
            SwiftVariable(
                SwiftHead(modifiers: options.modifiers + ["static"]),
                isConstant: true,
                name,
                nil,
                value: .call(.name(type), arguments, layout: .block)
            )
        )
    }

    func provided(_ variables: [ProvidedVariable], imports: inout ImportCollector) -> [SwiftArgument] {
        ProvidedValues(leaves: leaves, options: options).argument(for: variables, imports: &imports)
    }

    /// The conversions of the mapped scalars in the plans, in alphabetical order.
    func decoders(of plans: [SelectionPlan], imports: inout ImportCollector) -> [SwiftArgument] {
        var mapped: [String: ScalarMapping] = [:]
        for plan in plans { collectScalars(of: plan, into: &mapped) }
        if mapped.isEmpty { return [] }
        let decoders = mapped.sorted { $0.key < $1.key }.map { name, mapping in
            imports.use(.mapped(scalar: name, mapping), publicly: false)
            return SwiftExpression.call(
                .name("GeneratedCode.ScalarDecoder"),
                [SwiftArgument(nil, .string(name)), SwiftArgument(nil, .metatype(.named(mapping.conversionType)))]
            )
        }
        return [SwiftArgument("scalars", .array(decoders))]
    }

    private func collectScalars(of plan: SelectionPlan, into mapped: inout [String: ScalarMapping]) {
        for item in plan.items {
            switch item {
            case .field(let field):
                if let inner = field.selections {
                    collectScalars(of: inner, into: &mapped)
                } else if case .mapped(let name, let mapping) = leaves.leaf(field.definition) {
                    mapped[name] = mapping
                }
            case .inline(let inline): collectScalars(of: inline.selections, into: &mapped)
            case .spread: break
            }
        }
    }

    private mutating func data(
        _ plan: SelectionPlan,
        definition: String,
        imports: inout ImportCollector
    ) -> (structure: SwiftTypeDeclaration, extensions: [SwiftDeclaration]) {
        var generator = SelectionsGenerator(
            names: names,
            leaves: leaves,
            options: options,
            plan: plan,
            definition: definition
        )
        let structure = generator.structure("Data", plan, path: definition)
        diagnostics += generator.diagnostics
        for leaf in generator.leafTypes { imports.use(leaf, publicly: true) }
        return (structure, generator.extensions)
    }
}
