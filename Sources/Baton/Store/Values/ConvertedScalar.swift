// Scalars have several owners, this one for the value; ReadingTheDesign.md names the others.

/// A custom scalar: the converted value, and its JSON.
@usableFromInline
package final class ConvertedScalar: Sendable {
    /// The converted value; the JSON if the conversion has not run.
    package let value: any Sendable
    /// The JSON that the response brought. Two scalars are identical if their JSON is equal.
    package let json: JSONValue
    /// True if the conversion has run.
    let isConverted: Bool
    /// The converted value of a restored scalar, once a read has converted it; nil for other scalars.
    private let late: LateScalar?

    init(value: any Sendable, json: JSONValue) {
        self.value = value
        self.json = json
        isConverted = true
        late = nil
    }

    /// Returns the value of a conversion. Converts the JSON unless the stored value comes from this conversion.
    func value<Conversion: ScalarConversion>(by _: Conversion.Type) -> Conversion.Value? {
        if isConverted, let value = value as? Conversion.Value { return value }
        return try? Conversion.decode(json)
    }

    /// Makes a restored scalar. Its conversion is not known here; the first read converts it.
    init(unconverted json: JSONValue) {
        value = json
        self.json = json
        isConverted = false
        late = LateScalar()
    }

    /// Returns the scalar with a value that a decoder accepts. Converts the JSON if the stored value is not accepted;
    /// throws the errors of the decoder.
    func converted(by decoder: GeneratedCode.ScalarDecoder) throws -> ConvertedScalar {
        if isConverted, decoder.accepts(value) { return self }
        if let known = late?.made, decoder.accepts(known.value) { return known }
        let made = ConvertedScalar(value: try decoder.decode(json), json: json)
        late?.keep(made)
        return made
    }
}

/// The place for a value that is converted later than it was stored.
private final class LateScalar: Sendable {
    private let state = Guarded<ConvertedScalar?>(nil)

    var made: ConvertedScalar? { state.withLock { $0 } }

    /// The old value is released outside the lock, because it may be an object of the application.
    func keep(_ made: ConvertedScalar) {
        _ = state.withLock { state -> ConvertedScalar? in
            defer { state = made }
            return state
        }
    }
}
