extension GeneratedCode {
    /// A value of a variable or of a field of an input object.
    ///
    /// Each requirement costs an application some 50 bytes for each of its enums and input objects. So there is one.
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
