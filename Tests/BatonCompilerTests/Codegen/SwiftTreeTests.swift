import BatonCodegen
import Testing

@Suite struct SwiftTreeTests {
    @Test(arguments: [
        ("plain", #""plain""#),
        (#"say "hi""#, ##"#"say "hi""#"##),
        (#"back\slash"#, ##"#"back\slash"#"##),
        (##"fence "# inside"##, ###"##"fence "# inside"##"###),
        ("two\nlines \"\\", #""two\nlines \"\\""#),
        ("bell\u{7}", #""bell\u{7}""#),
        ("", #""""#),
    ])
    func aLiteralIsTheShortestThatHoldsTheText(_ text: String, _ literal: String) {
        #expect(SwiftLiteral.string(text) == literal)
    }

    @Test(arguments: [
        ("EMPIRE", "empire"), ("NEW_HOPE", "newHope"), ("NewHope", "newHope"), ("newHope", "newHope"),
        ("USDollar", "usDollar"), ("US", "us"), ("_2D", "_2d"), ("A_1", "a1"), ("snake_case", "snakeCase"),
        ("HTTP2", "http2"), ("__A", "a"), ("_", "_"), ("a", "a"),
    ])
    func anEnumCaseIsNamedInSwiftStyle(_ value: String, _ name: String) {
        #expect(SwiftName.enumCase(value) == name)
    }

    @Test(arguments: [
        ("films", true, "Film", "Film"), ("edges", true, "FilmsEdge", "Edge"), ("nodes", true, "Film", "Node"),
        ("heroes", true, "Hero", "Hero"), ("stories", true, "Story", "Story"),
        ("friends", true, "Character", "Friends"),
        ("news", true, "Article", "News"), ("films", false, "Film", "Films"), ("address", true, "Address", "Address"),
        ("allFilms", true, "Film", "AllFilms"), ("data", true, "Datum", "Data"), ("_items", true, "_Item", "_Item"),
    ])
    func aListIsSingularIfTheTypeConfirmsIt(_ key: String, _ isList: Bool, _ type: String, _ name: String) {
        #expect(NestedTypeName.name(forKey: key, isList: isList, typeName: type) == name)
    }

    /// A label with needless backticks is a warning in the generated code.
    @Test func onlyInoutNeedsBackticksAsALabel() {
        #expect(["let", "var", "in", "self", "inout"].map(SwiftName.label) == ["let", "var", "in", "self", "`inout`"])
        #expect(["let", "var", "inout"].map(SwiftName.escaped) == ["`let`", "`var`", "`inout`"])
    }

    @Test func takenNamesGetNumbers() {
        var scope = NameScope(reserved: ["self"], ignoresCase: true)
        #expect(scope.claim("Self") == "Self2")
        #expect(scope.claim("hero") == "hero")
        #expect(scope.claim("HERO") == "HERO2")
        #expect(scope.claim("hero2") == "hero22")
    }
}
