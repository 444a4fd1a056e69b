extension JSONValue: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Itself.
    public var __input: GeneratedCode.InputValue { .init(.json(self)) }
}

extension Int: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON number.
    public var __input: GeneratedCode.InputValue { .init(.int(self)) }
}

extension Double: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON number.
    public var __input: GeneratedCode.InputValue { .init(.double(self)) }
}

extension Bool: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// `true` or `false`.
    public var __input: GeneratedCode.InputValue { .init(.bool(self)) }
}

extension String: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON string.
    public var __input: GeneratedCode.InputValue { .init(.string(self)) }
}

extension Array: GraphQLInputValue where Element: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON array in the same order.
    public var __input: GeneratedCode.InputValue { .init(.list(map(\.__input.item))) }
}

extension Optional: GraphQLInputValue where Wrapped: GraphQLInputValue {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The value, or null.
    public var __input: GeneratedCode.InputValue { self?.__input ?? .init(.null) }
}
