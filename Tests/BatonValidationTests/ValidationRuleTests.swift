import Foundation
import Testing

@testable import BatonValidation

/// The table of rules, compared with the files of the rules.
@Suite struct ValidationRuleTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Compiler/Sources/BatonValidation/Rules")

    @Test func theTableNamesEveryFileOnce() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(ValidationRule.all.map { $0.name + ".swift" }.sorted() == files.sorted())
        #expect(ValidationRule.all.allSatisfy { !$0.checks.isEmpty })
    }

    @Test func sectionsFollowEachOtherAsInTheSpecification() throws {
        let places = try ValidationRule.all.map {
            try #require(ValidationRule.Section.allCases.firstIndex(of: $0.section))
        }
        #expect(places == places.sorted())
        #expect(Set(places).count == ValidationRule.Section.allCases.count)
    }

    /// The headings of section 5 in the order of the specification, as the links in the files name them.
    @Test func rulesOfTheSpecificationAreThoseOfItsHeadings() throws {
        let headings = [
            "Executable-Definitions",
            "Operation-Type-Existence", "Operation-Name-Uniqueness", "Lone-Anonymous-Operation", "Single-Root-Field",
            "Field-Selections", "Field-Selection-Merging", "Leaf-Field-Selections",
            "Argument-Names", "Argument-Uniqueness", "Required-Arguments",
            "Fragment-Name-Uniqueness", "Fragment-Spread-Type-Existence",
            "Fragments-on-Object-Interface-or-Union-Types", "Fragments-Must-Be-Used",
            "Fragment-spread-target-defined", "Fragment-spreads-must-not-form-cycles", "Fragment-Spread-Is-Possible",
            "Values-of-Correct-Type", "Input-Object-Field-Names", "Input-Object-Field-Uniqueness",
            "Input-Object-Required-Fields",
            "Directives-Are-Defined", "Directives-Are-in-Valid-Locations", "Directives-Are-Unique-per-Location",
            "Variable-Uniqueness", "Variables-Are-Input-Types", "All-Variable-Uses-Defined", "All-Variables-Used",
            "All-Variable-Usages-Are-Allowed",
        ]
        let rules = ValidationRule.all.filter { $0.section.rawValue.hasPrefix("5.") }
        #expect(rules.count == headings.count)
        for (rule, heading) in zip(rules, headings) {
            let file = Self.folder.appendingPathComponent(rule.name + ".swift")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains("https://spec.graphql.org/September2025/#sec-\(heading)\n"), "\(rule.name)")
        }
    }
}
