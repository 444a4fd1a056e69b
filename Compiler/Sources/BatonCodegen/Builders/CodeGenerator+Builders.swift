import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

// The files with builders: one for each operation and fragment, and two that they share.

extension CodeGenerator {
    /// Generates the builders of a program; `makers` are the operations of `GenerateMakers`, compiled.
    package mutating func generateBuilders(
        _ program: Program, operations: [CompiledOperation], updatableQueries: [CompiledUpdatableQuery],
        fragments: [CompiledFragment], makers: [CompiledOperation]
    ) -> [GeneratedFile] {
        let (names, leaves, settings, used) = naming(
            program, operations: operations, updatableQueries: updatableQueries, fragments: fragments,
            standing: StandingDefinitions())
        let schema = schema
        let mappedScalars = Set(settings.scalars.filter { !$0.value.isPlainString }.keys)
        // What is never sent cannot be executed.
        let asked = operations.filter { !$0.text.isEmpty }
        let byName = Dictionary(
            makers.filter { !$0.text.isEmpty }.map { ($0.operation.name, $0) }, uniquingKeysWith: { first, _ in first })
        let extendsData = Self.extendsData(
            asked.map { names.operation($0.operation.name) } + fragments.map { names.fragment($0.fragment.name) },
            in: settings.module)
        let types = BuilderTypes(schema, leaves, settings)
        let withoutBuilders = Set(fragments.map(\.fragment).filter(\.isUpdatable).map(\.name))
        let ofOperations = workers.map(asked) { operations in
            var texts = OperationTextPrinter(schema: schema, layout: settings.layout)
            return operations.map { operation in
                let generator = BuilderGenerator(
                    names: names, leaves: leaves, types: types, options: settings,
                    withoutBuilders: withoutBuilders, extendsData: extendsData)
                return generator.file(for: operation, texts: &texts)
            }
        }
        let ofFragments = workers.map(fragments) { fragments in
            var plans = PlanPrinter(schema: schema, mappedScalars: mappedScalars)
            var texts = OperationTextPrinter(schema: schema, layout: .compact)
            return fragments.filter { !$0.fragment.isUpdatable }.map { fragment in
                let maker = byName[GenerateMakers.name(of: fragment.fragment.name)]
                let generator = BuilderGenerator(
                    names: names, leaves: leaves, types: types, options: settings,
                    withoutBuilders: withoutBuilders, extendsData: extendsData)
                return generator.file(for: fragment, maker: maker, plans: &plans, texts: &texts)
            }
        }
        var files = Array((ofOperations + ofFragments).joined())
        var table = BuilderTable(schema)
        for operation in asked + byName.values.sorted(by: { $0.operation.name < $1.operation.name }) {
            table.add(operation.normalization)
            for variable in operation.operation.variables { table.add(variable.type) }
        }
        files.append(shared(table.text(), settings))
        files.append(
            TypeBuilderGenerator(
                schema: schema, names: types, leaves: leaves, options: settings, enums: Set(used.enums.map(\.name)),
                types: table.composites
            ).file())
        return files.sorted { $0.name < $1.name }
    }

    /// Whether the extensions of the `Data` of all definitions have room in a module.
    ///
    /// Swift keeps the extensions of all types called `Data` in one entry of 64 KB, with eight bytes and the mangled
    /// name for each, and loses what does not fit. About a thousand definitions have room.
    private static func extendsData(_ definitions: [String], in module: String?) -> Bool {
        let others = 24 + (module?.utf8.count ?? 40)
        return definitions.reduce(0) { $0 + $1.utf8.count + others } < 60_000
    }

    /// The namespace with the table.
    private func shared(_ table: String, _ options: GenerationOptions) -> GeneratedFile {
        let constant = SwiftVariable(
            SwiftHead(modifiers: options.modifiers + ["static"]), isConstant: true, BuilderNames.table, nil,
            value: .call(.name("GeneratedCode.BuilderTable"), [SwiftArgument(nil, .string(table))]))
        let namespace = SwiftTypeDeclaration(
            SwiftHead(
                documentation: "The part of the schema that the documents use, and builders of its types.",
                modifiers: options.topLevelModifiers),
            .enum, BuilderNames.namespace, [], members: [.variable(constant)])
        let imports = BuilderGenerator.imports(options, [SwiftImport.baton(options.access)]).filter {
            $0.module != options.module
        }
        return SwiftFile.generated(BuilderNames.namespace, source: nil, imports: imports, [.type(namespace)])
    }
}
