/// How a custom scalar of the schema becomes a Swift value and back.
///
/// `baton.json` names the conforming type: `"scalars": {"Date": {"type": "FilmDate", "module": "Dates"}}` where the
/// type converts itself, or with `"conversion": "FilmDateConversion"` where another does. The module `BatonFoundation`
/// has conversions for the types of Foundation. `decode` runs while an answer is written, off any lock; an error that
/// it throws fails the whole answer, with the path of the field, and leaves the store as it was.
public protocol ScalarConversion: SendableMetatype {
    /// The Swift type of the property.
    associatedtype Value: Sendable, Hashable

    /// Reads the JSON that a server sent for this scalar; never called for null.
    static func decode(_ json: JSONValue) throws -> Value

    /// Writes the JSON to send for a variable; the inverse of `decode`.
    static func encode(_ value: Value) -> JSONValue
}

extension JSONValue: ScalarConversion {
    /// Itself, for scalars that are JSON of any kind: `"JSON": "JSONValue"`.
    public static func decode(_ json: JSONValue) -> JSONValue { json }

    /// Itself.
    public static func encode(_ value: JSONValue) -> JSONValue { value }
}

extension GeneratedCode {
    /// The conversion of one mapped scalar, as an entry of an artifact.
    public struct ScalarDecoder: Sendable {
        /// The name of the scalar in the schema.
        package let name: String
        /// Runs the conversion on what an answer brought; never called for null.
        package let decode: @Sendable (JSONValue) throws -> any Sendable

        /// Pairs the scalar's name with its conversion.
        public init<Conversion: ScalarConversion>(_ name: String, _ conversion: Conversion.Type) {
            self.name = name
            self.decode = { json in try Conversion.decode(json) }
        }
    }
}
