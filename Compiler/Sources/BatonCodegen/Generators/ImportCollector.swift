/// The modules that a generated file imports: the runtime, and those of mapped scalars.
///
/// A module is imported `public` only where a declaration shows one of its types, since Swift warns otherwise.
struct ImportCollector {
    private let options: GenerationOptions
    /// Whether a declaration shows a type of the module.
    private var modules: [String: Bool] = [:]

    init(options: GenerationOptions) {
        self.options = options
    }

    mutating func use(_ leaf: LeafTypes.Leaf, publicly: Bool) {
        guard case .mapped(_, let mapping) = leaf else { return }
        if let module = mapping.module { use(module, publicly: publicly) }
        if let module = mapping.conversionModule { use(module, publicly: false) }
    }

    private mutating func use(_ module: String, publicly: Bool) {
        modules[module] = modules[module] == true || publicly
    }

    /// In alphabetical order, the runtime first.
    var imports: [SwiftImport] {
        let access = options.access == .internal ? nil : options.access
        return [SwiftImport.baton(options.access)]
            + modules.sorted { $0.key < $1.key }.map { SwiftImport($0.key, access: $0.value ? access : nil) }
    }
}
