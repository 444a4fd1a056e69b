import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonTransforms

/// Generates the file with the builders of one operation or fragment.
struct BuilderGenerator {
    private let names: TypeNames
    private let leaves: LeafTypes
    private let types: BuilderTypes
    private let options: GenerationOptions
    private let withoutBuilders: Set<String>
    /// Whether `Data` has `make` too.
    private let extendsData: Bool

    init(
        names: TypeNames, leaves: LeafTypes, types: BuilderTypes, options: GenerationOptions,
        withoutBuilders: Set<String>, extendsData: Bool
    ) {
        self.extendsData = extendsData
        self.names = names
        self.leaves = leaves
        self.types = types
        self.options = options
        self.withoutBuilders = withoutBuilders
    }

    func file(
        for compiled: CompiledOperation, texts: inout OperationTextPrinter
    ) -> GeneratedFile {
        let name = names.operation(compiled.operation.name)
        var arguments = [SwiftArgument(nil, Self.table)]
        if options.textHash != nil, !options.includesTexts {
            arguments.append(SwiftArgument("text", .string(texts.print(compiled.text))))
        }
        let maker = SwiftExpression.call(
            .type(.generic("GeneratedCode.OperationBuilder", [.named(name)])), arguments)
        let parameters = [
            SwiftParameter(
                label: .named("for"), "operation", .optional(.named(name)), defaultValue: SwiftExpression.nil),
            Self.world("in"), Self.edit(of: name),
        ]
        let given = ["operation", "world", "edit"].map { SwiftArgument(nil, .name($0)) }
        func function(_ function: String, _ method: String, _ result: SwiftType, _ text: String) -> SwiftDeclaration {
            make(function, parameters, result, documentation: text, .call(.member(maker, method), given))
        }
        let data = function(
            "make", "data", .named(name + ".Data"),
            "Makes the data of an answer by executing the operation. A world fills what the edits leave.")
        let json = function(
            "makeJSON", "json", .named("JSONValue"),
            "Makes the object under `data` of an answer, with the fields of fragments.")
        var imports = ImportCollector(options: options)
        let builder = builder(compiled.reader, of: name, role: "ResponseBuilder", imports: &imports)
        let sugar = SwiftDeclaration.extension(SwiftExtension(.named(name + ".Data"), members: [data]))
        return file(
            name, compiled.operation.path, imports,
            [.extension(SwiftExtension(.named(name), members: [data, json] + builder))]
                + (extendsData ? [sugar] : []))
    }

    /// The file for a fragment; `maker` is the operation that spreads it. Without one, as for the fragments that the
    /// compiler makes, objects of the fragment are only edited where it is spread.
    func file(
        for compiled: CompiledFragment, maker: CompiledOperation?, plans: inout PlanPrinter,
        texts: inout OperationTextPrinter
    ) -> GeneratedFile {
        let name = names.fragment(compiled.fragment.name)
        var imports = ImportCollector(options: options)
        let made = maker.map { make(by: $0, name, &imports, &plans, &texts) }
        let builder = builder(compiled.reader, of: name, role: "EditBuilder", imports: &imports)
        let sugar = made.map { SwiftDeclaration.extension(SwiftExtension(.named(name + ".Data"), members: [$0.data])) }
        return file(
            name, compiled.fragment.path, imports,
            [.extension(SwiftExtension(.named(name), members: (made?.members ?? []) + builder))]
                + (extendsData ? [sugar].compactMap(\.self) : []))
    }

    /// The members of a fragment that make objects, and that of its data.
    private func make(
        by maker: CompiledOperation, _ name: String, _ imports: inout ImportCollector, _ plans: inout PlanPrinter,
        _ texts: inout OperationTextPrinter
    ) -> (members: [SwiftDeclaration], data: SwiftDeclaration) {
        let definitions = DefinitionGenerator(names: names, leaves: leaves, options: options)
        let operation = maker.operation
        func plan(_ plan: SelectionPlan) -> SwiftExpression {
            .string(plans.print(plan, variables: operation.variables))
        }
        let artifact = SwiftExpression.call(
            .name("GeneratedCode.OperationArtifact"),
            [
                SwiftArgument("name", .string(operation.name)), SwiftArgument("kind", .member(nil, "query")),
                SwiftArgument("text", .string(texts.print(maker.text))),
                SwiftArgument("normalization", plan(maker.normalization)), SwiftArgument("reader", plan(maker.reader)),
            ] + definitions.decoders(of: [maker.normalization], imports: &imports)
                + definitions.provided(operation.provided, imports: &imports),
            layout: .block)
        let constant = SwiftVariable(
            SwiftHead(modifiers: ["fileprivate", "nonisolated", "static"]), isConstant: true, "__maker", nil,
            value: .call(
                .type(.generic("GeneratedCode.FragmentBuilder", [.named(name)])),
                [SwiftArgument(nil, Self.table), SwiftArgument(nil, artifact)], layout: .block))
        let id = SwiftParameter("id", .optional(.named("String")), defaultValue: SwiftExpression.nil)
        let environment = SwiftParameter(
            label: .named("in"), "environment", .optional(.named("Baton.RelayEnvironment")),
            defaultValue: SwiftExpression.nil)
        let edit = Self.edit(of: name)
        func call(_ method: String, _ arguments: String...) -> SwiftExpression {
            .call(
                .member(.member(.name(name), "__maker"), method), arguments.map { SwiftArgument(nil, .name($0)) })
        }
        let reference = make(
            "make", [id, environment, Self.world("world"), edit], .generic("FragmentReference", [.named(name)]),
            documentation: """
                Makes an object by executing the fragment, and returns its reference. Without an environment it has
                records of its own.
                """, call("reference", "id", "environment", "world", "edit"))
        let data = make(
            "make", [id, Self.world("in"), edit], .named(name + ".Data"),
            documentation: "Makes an object by executing the fragment. A world fills what the edits leave.",
            call("data", "id", "world", "edit"))
        let json = make(
            "makeJSON", [id, Self.world("in"), edit], .named("JSONValue"),
            documentation: "Makes the JSON of an object, with the fields of the fragments in it.",
            call("json", "id", "world", "edit"))
        return ([.variable(constant), reference, json], data)
    }

    // MARK: - Parts

    private static let table = SwiftExpression.member(.name(BuilderNames.namespace), BuilderNames.table)

    private static func world(_ label: String) -> SwiftParameter {
        SwiftParameter(
            label: label == "world" ? .sameAsName : .named(label), "world", .optional(.named("BatonTesting.World")),
            defaultValue: SwiftExpression.nil)
    }

    private static func edit(of definition: String) -> SwiftParameter {
        SwiftParameter(
            label: .none, "edit", .change(.named(definition + "." + BuilderNames.nestedType)),
            defaultValue: .closure(.name("_ in")))
    }

    private func make(
        _ name: String, _ parameters: [SwiftParameter], _ result: SwiftType, documentation: String,
        _ value: SwiftExpression
    ) -> SwiftDeclaration {
        .function(
            SwiftFunction(
                SwiftHead(documentation: documentation, modifiers: options.topLevelModifiers + ["static"]),
                .function(name), parameters, error: .named("BatonTesting.BuilderError"), result: result,
                body: [.expression(.tried(value))]))
    }

    private func builder(
        _ plan: SelectionPlan, of definition: String, role: String, imports: inout ImportCollector
    ) -> [SwiftDeclaration] {
        var generator = SelectionsGenerator(
            names: names, leaves: leaves, options: options, plan: plan, definition: definition)
        generator.withoutBuilders = withoutBuilders
        generator.builderTypes = types
        generator.builderRole = role
        _ = generator.structure("Data", plan, path: definition)
        for leaf in generator.leafTypes { imports.use(leaf, publicly: true) }
        return generator.builders.map { .type($0) }
    }

    private func file(
        _ name: String, _ path: String, _ imports: ImportCollector, _ declarations: [SwiftDeclaration]
    ) -> GeneratedFile {
        SwiftFile.generated(
            name + "+" + BuilderNames.nestedType, source: path, imports: Self.imports(options, imports.imports),
            declarations)
    }

    /// The imports of a file with builders: the runtime, the kit, and the module of the generated code.
    static func imports(_ options: GenerationOptions, _ others: [SwiftImport]) -> [SwiftImport] {
        let access = options.access == .internal ? nil : options.access
        let own = options.module.map { module in
            SwiftImport(module, access: access, isTestable: options.access == .internal)
        }
        return others + [SwiftImport("BatonTesting", access: access)] + (own.map { [$0] } ?? [])
    }
}
