extension JSONValue: GeneratedCode.Input {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The value itself.
    public var __input: GeneratedCode.InputValue { .init(.json(self)) }
}

extension Int: GeneratedCode.Input {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON number.
    public var __input: GeneratedCode.InputValue { .init(.int(self)) }
}

extension Double: GeneratedCode.Input {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON number.
    public var __input: GeneratedCode.InputValue { .init(.double(self)) }
}

extension Bool: GeneratedCode.Input {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// `true` or `false`.
    public var __input: GeneratedCode.InputValue { .init(.bool(self)) }
}

extension String: GeneratedCode.Input {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON string.
    public var __input: GeneratedCode.InputValue { .init(.string(self)) }
}

extension Array: GeneratedCode.Input where Element: GeneratedCode.Input {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A JSON array in the same order.
    public var __input: GeneratedCode.InputValue { .init(.list(map(\.__input.item))) }
}

extension Optional: GeneratedCode.Input where Wrapped: GeneratedCode.Input {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The value, or null.
    public var __input: GeneratedCode.InputValue { self?.__input ?? .init(.null) }
}
