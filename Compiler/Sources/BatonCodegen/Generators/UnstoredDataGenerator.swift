/// Generates a constant with the names of what no file on disk is to have, for the persistence of an environment.
struct UnstoredDataGenerator {
    let options: GenerationOptions

    /// The file; nil if the configuration names nothing.
    func file() -> GeneratedFile? {
        let names = options.unstored
        if names.isEmpty { return nil }
        let lists = [("types", names.types), ("fields", names.fields), ("operations", names.operations)]
        let arguments = lists.filter { !$0.1.isEmpty }.map { label, names in
            SwiftArgument(label, .array(names.sorted().map { .string($0) }))
        }
        let constant = SwiftVariable(
            SwiftHead(
                documentation: "What `unstored` of the configuration names, for `SQLitePersistence(unstored:)`.",
                modifiers: options.topLevelModifiers + ["static"]),
            isConstant: true, "configured", nil,
            value: .call(.name("RelayEnvironment.UnstoredData"), arguments, layout: .block))
        return SwiftFile.generated(
            "UnstoredData", source: nil, imports: [SwiftImport.baton(options.access)],
            [.extension(SwiftExtension(.named("RelayEnvironment.UnstoredData"), members: [.variable(constant)]))])
    }
}
