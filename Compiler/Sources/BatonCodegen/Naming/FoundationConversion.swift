// Scalars have several owners, this one for the conversions that are known; ReadingTheDesign.md names the others.

/// A conversion of the runtime's module `BatonFoundation`, which the configuration can name.
package struct FoundationConversion: Sendable, Hashable {
    package static let module = "BatonFoundation"

    package let name: String
    /// The Swift type of properties.
    package let type: String
    /// The module of the Swift type; nil for types of the standard library.
    package let module: String?
    /// An example of the JSON.
    package let example: String
    /// Names of scalars that usually have this form, in lower case.
    let scalars: Set<String>

    /// The name with its module, as the configuration writes it.
    package var qualifiedName: String { Self.module + "." + name }

    private init(
        _ name: String, _ type: String, module: String? = "Foundation", _ example: String, _ scalars: String...
    ) {
        self.name = name
        self.type = type
        self.module = module
        self.example = example
        self.scalars = Set(scalars)
    }

    /// All conversions of the module. Of several conversions to one type, the most common comes first.
    package static let all: [FoundationConversion] = [
        .init(
            "ISO8601DateTime", "Date", #""2024-05-25T10:00:00Z""#, "datetime", "datetimeiso", "iso8601datetime",
            "timestamptz",
            "instant", "offsetdatetime"
        ),
        .init("ISO8601Date", "Date", #""2024-05-25""#, "date", "localdate", "iso8601date"),
        .init("SecondsSince1970", "Date", "1716631200", "unixtime", "epochseconds"),
        .init("MillisecondsSince1970", "Date", "1716631200000", "epochmilliseconds", "epochmillis"),
        .init("URLText", "URL", #""https://example.com/a""#, "url", "uri"),
        .init("UUIDText", "UUID", #""f81d4fae-7dec-11d0-a765-00a0c91e6bf6""#, "uuid", "guid"),
        .init("DecimalText", "Decimal", #""12.50""#, "decimal", "bigdecimal", "money"),
        .init("DecimalNumber", "Decimal", "12.5"),
        .init("Base64Data", "Data", #""SGVsbG8=""#, "base64", "base64string", "bytes", "data"),
        .init("Int64Text", "Int64", module: nil, #""9007199254740993""#, "bigint", "int64"),
        .init("Int64Number", "Int64", module: nil, "9007199254740993", "long"),
        .init("UInt64Text", "UInt64", module: nil, #""18446744073709551615""#, "uint64"),
    ]

    package static func find(qualifiedName: String) -> FoundationConversion? {
        all.first { $0.qualifiedName == qualifiedName }
    }

    /// Advice on how to map a scalar in the configuration. The proposed conversion depends on the name of the scalar.
    static func advice(forScalar name: String) -> String {
        let own = "a type that conforms to 'ScalarConversion'"
        let name = name.lowercased()
        if let conversion = all.first(where: { $0.scalars.contains(name) }) {
            return "\"\(conversion.qualifiedName)\" for values such as \(conversion.example), \(own)"
        }
        return name.hasPrefix("json") ? "\"JSONValue\" for JSON of any kind, \(own)" : own
    }
}
