extension GeneratedCode {
    /// A value of a variable or of a field of an input object.
    ///
    /// The protocol has one requirement only, because each one costs an application some 50 bytes per enum and input
    /// object.
    public protocol Input: Sendable {
        /// The parts of the value, of which the JSON to send is made.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        var __input: GeneratedCode.InputValue { get }
    }
}

extension GeneratedCode.Input {
    /// The JSON to send. In an input object, parts that are nested deeper than ``JSONValue/maximumDepth`` become null.
    public var jsonValue: JSONValue { __input.item.jsonValue }

    /// The JSON to send; nil if arrays and objects are nested in it deeper than `levels`.
    public func jsonValue(levels: Int) -> JSONValue? { __input.item.jsonValue(levels: levels) }
}
