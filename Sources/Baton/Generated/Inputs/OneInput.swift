/// The value of an enum for an object with `@oneOf`. It is not turned into fields before they are needed, because such
/// values may be nested deeper than the call stack allows.
final class OneInput: Sendable {
    let value: any GeneratedCode.OneOfInput
    var fields: GeneratedCode.InputFields { value.__fields }

    init(_ value: any GeneratedCode.OneOfInput) { self.value = value }
}
