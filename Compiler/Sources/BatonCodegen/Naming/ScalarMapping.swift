/// The Swift form of a custom scalar, from the configuration.
package struct ScalarMapping: Sendable, Hashable {
    /// The Swift type of properties, possibly qualified.
    package var type: String
    /// The module of the type, if it must be imported.
    package var module: String?
    /// The type with the conversion; nil if `type` itself converts.
    package var conversion: String?
    /// The module of the conversion, if it must be imported.
    package var conversionModule: String?

    package init(
        type: String, module: String? = nil, conversion: String? = nil, conversionModule: String? = nil
    ) {
        self.type = type
        self.module = module
        self.conversion = conversion
        self.conversionModule = conversionModule
    }

    /// The Swift types of the built-in scalars.
    package static let builtIn: [String: String] = [
        "Int": "Int", "Float": "Double", "String": "String", "Boolean": "Bool", "ID": "String",
    ]
}
