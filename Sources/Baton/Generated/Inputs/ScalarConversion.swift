// Scalars have several owners, this one for the contract; ReadingTheDesign.md names the others.

/// Converts a custom scalar of the schema to a Swift value and back.
///
/// `baton.json` names the conforming type: `"scalars": {"Date": {"type": "FilmDate", "module": "Dates"}}`. If another
/// type does the conversion, an entry `"conversion": "FilmDateConversion"` names it. The module `BatonFoundation` has
/// conversions for the types of Foundation.
///
/// `decode` runs while a response is written and no lock is held. An error that it throws rejects the whole response,
/// is reported with the path of the field, and leaves the store as it was.
public protocol ScalarConversion: SendableMetatype {
    /// The Swift type of the property.
    associatedtype Value: Sendable, Hashable

    /// Converts the JSON that a server sent for this scalar; never called for null.
    static func decode(_ json: JSONValue) throws -> Value

    /// Returns the JSON to send for a variable; the inverse of `decode`.
    static func encode(_ value: Value) -> JSONValue
}

extension JSONValue: ScalarConversion {
    /// Returns the JSON unchanged. This serves scalars that are JSON of any kind: `"JSON": "JSONValue"`.
    public static func decode(_ json: JSONValue) -> JSONValue { json }

    /// Returns the value unchanged.
    public static func encode(_ value: JSONValue) -> JSONValue { value }
}

extension GeneratedCode {
    /// The conversion of one mapped scalar, as an entry of an artifact.
    public struct ScalarDecoder: Sendable {
        /// The name of the scalar in the schema.
        package let name: String
        /// Converts the JSON that a response brought; never called for null.
        package let decode: @Sendable (JSONValue) throws -> any Sendable
        /// Returns true for a value of the conversion's type.
        package let accepts: @Sendable (any Sendable) -> Bool

        /// Pairs the scalar's name with its conversion.
        public init<Conversion: ScalarConversion>(_ name: String, _ conversion: Conversion.Type) {
            self.name = name
            self.decode = { json in try Conversion.decode(json) }
            self.accepts = { $0 is Conversion.Value }
        }
    }
}
