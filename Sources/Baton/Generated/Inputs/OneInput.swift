/// The value of an enum for an object with `@oneOf`. The value is converted to fields only when the fields are needed,
/// because such values may be nested deeper than the call stack allows.
final class OneInput: Sendable {
    let value: any GeneratedCode.OneOfInput
    var fields: GeneratedCode.InputFields { value.__fields }

    init(_ value: any GeneratedCode.OneOfInput) { self.value = value }
}
