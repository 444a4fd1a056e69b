/// How a custom scalar is written in Swift, as the configuration says.
package struct ScalarMapping: Sendable, Hashable {
    /// The type of properties, possibly qualified.
    package var type: String
    /// The module to import for it.
    package var module: String?
    /// The type that converts, if it is another one.
    package var conversion: String?
    /// The module to import for that.
    package var conversionModule: String?

    package init(
        type: String, module: String? = nil, conversion: String? = nil, conversionModule: String? = nil
    ) {
        self.type = type
        self.module = module
        self.conversion = conversion
        self.conversionModule = conversionModule
    }

    /// The scalars of the specification.
    package static let builtIn: [String: String] = [
        "Int": "Int", "Float": "Double", "String": "String", "Boolean": "Bool", "ID": "String",
    ]
}
