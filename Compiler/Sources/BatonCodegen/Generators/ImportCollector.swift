/// The imports of a generated file: the runtime, and the modules of mapped scalars.
///
/// A module is imported `public` only if a declaration exposes one of its types, because Swift warns about other public
/// imports.
struct ImportCollector {
    private let options: GenerationOptions
    /// For each module, whether a declaration exposes one of its types.
    private var modules: [String: Bool] = [:]

    init(options: GenerationOptions) {
        self.options = options
    }

    mutating func use(_ leaf: LeafTypes.Leaf, publicly: Bool) {
        guard case .mapped(_, let mapping) = leaf else {
            if case .named(let name) = leaf.type, let module = options.modules[name] { use(module, publicly: publicly) }
            return
        }
        if let module = mapping.module { use(module, publicly: publicly) }
        if let module = mapping.conversionModule { use(module, publicly: false) }
    }

    /// Imports a module whose types no declaration exposes.
    mutating func use(module: String) { use(module, publicly: false) }

    private mutating func use(_ module: String, publicly: Bool) {
        modules[module] = modules[module] == true || publicly
    }

    /// The imports, the runtime first, then in alphabetical order.
    var imports: [SwiftImport] {
        let access = options.access == .internal ? nil : options.access
        return [SwiftImport.baton(options.access)]
            + modules.sorted { $0.key < $1.key }.map { SwiftImport($0.key, access: $0.value ? access : nil) }
    }
}
