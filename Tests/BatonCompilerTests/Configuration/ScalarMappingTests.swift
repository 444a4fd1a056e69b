import BatonCodegen
import BatonCompiler
import Foundation
import Testing

@Suite("Scalars of the configuration")
struct ScalarMappingTests {
    @Test("conversions of BatonFoundation know their type and modules")
    func conversionsOfBatonFoundationKnowTheirTypes() {
        let (configuration, errors) = ConfigurationTests.read(
            #"""
            {"scalars": {
              "A": "BatonFoundation.ISO8601DateTime",
              "B": {"conversion": "BatonFoundation.Int64Text"},
              "C": {"type": "UUID", "module": "Foundation", "conversion": "BatonFoundation.UUIDText"},
              "D": {"type": "Date", "module": "Foundation", "conversion": "Date"},
              "E": {"type": "Date", "module": "App"},
              "F": {"type": "Color", "module": "Drawing", "conversion": "Paint", "conversionModule": "Painting"},
              "G": "JSONValue"
            }}
            """#
        )
        #expect(errors == [])
        let scalars = configuration.scalars.mapValues { [$0.type, $0.module, $0.conversion, $0.conversionModule] }
        #expect(
            scalars == [
                "A": ["Date", "Foundation", "BatonFoundation.ISO8601DateTime", "BatonFoundation"],
                "B": ["Int64", nil, "BatonFoundation.Int64Text", "BatonFoundation"],
                "C": ["UUID", "Foundation", "BatonFoundation.UUIDText", "BatonFoundation"],
                "D": ["Date", "Foundation", "Date", nil], "E": ["Date", "App", nil, nil],
                "F": ["Color", "Drawing", "Paint", "Painting"], "G": ["JSONValue", nil, nil, nil],
            ]
        )
    }

    @Test("a mapping that Swift would refuse says what to write")
    func aMappingThatCannotCompileIsReported() {
        let (_, errors) = ConfigurationTests.read(
            #"""
            {"scalars": {
              "Date": {"type": "Date"},
              "Link": "URL",
              "Key": {"type": "UUID", "module": "Foundation"},
              "Price": {"type": "Decimal", "conversion": "Price"},
              "Long": {"type": "Int"},
              "Flag": {"type": "Bool"},
              "A": "BatonFoundation.ISO8601Dat",
              "B": {"type": "URL", "conversion": "BatonFoundation.ISO8601Date"},
              "C": {"conversion": "BatonFoundation.Wrong"}
            }}
            """#
        )
        func advice(_ type: String) -> String {
            "a type that converts it is named in 'conversion', the module of a '\(type)' of yours in 'module'"
        }
        let expected = [
            "2:20 'Date' does not conform to 'ScalarConversion' [configuration-value] | "
                + #"write "Date": "BatonFoundation.ISO8601DateTime" for values such as "2024-05-25T10:00:00Z", or "#
                + #""BatonFoundation.ISO8601Date" for values such as "2024-05-25", or "#
                + #""BatonFoundation.SecondsSince1970" for values such as 1716631200, or "#
                + #""BatonFoundation.MillisecondsSince1970" for values such as 1716631200000; "# + advice("Date"),
            "3:11 'URL' does not conform to 'ScalarConversion' [configuration-value] | "
                + #"write "Link": "BatonFoundation.URLText" for values such as "https://example.com/a"; "#
                + advice("URL"),
            "4:19 'UUID' does not conform to 'ScalarConversion' [configuration-value] | "
                + #"write "Key": "BatonFoundation.UUIDText" for values such as "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"; "#
                + advice("UUID"),
            "5:21 'Decimal' is a type of Foundation, which the generated code would not import [configuration-value]"
                + #" | add "module": "Foundation", or the name of your module if the type is yours"#,
            "6:20 'Int' does not conform to 'ScalarConversion' [configuration-value] | "
                + #"write "Long": "BatonFoundation.Int64Text" for values such as "9007199254740993", or "#
                + #""BatonFoundation.Int64Number" for values such as 9007199254740993; "# + advice("Int"),
            "7:20 'Bool' does not conform to 'ScalarConversion' [configuration-value] | " + advice("Bool"),
            "8:8 there is no conversion 'BatonFoundation.ISO8601Dat' [configuration-value]"
                + " | did you mean 'BatonFoundation.ISO8601Date'?",
            "9:17 'BatonFoundation.ISO8601Date' converts to 'Date', not to 'URL' [configuration-value]"
                + " | leave out the 'type'",
        ]
        #expect(Array(errors.prefix(8)) == expected)
        #expect(errors.count == 9)
    }

    /// The compiler cannot import the module, so that it has a list of its own.
    @Test("the conversions that the compiler knows are those that the module has")
    func theCompilerKnowsEveryConversion() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/BatonFoundation").standardizedFileURL
        var defined: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let pattern = /enum (\w+): ScalarConversion \{[^}]*?func decode\(_ json: JSONValue\) throws -> (\w+)/
            for match in text.matches(of: pattern) { defined[String(match.1)] = String(match.2) }
        }
        let known = FoundationConversion.all.map { ($0.name, $0.type) }
        #expect(defined == Dictionary(uniqueKeysWithValues: known))
    }
}
