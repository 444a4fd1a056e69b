import BatonSchema
import Testing

@Suite struct TypeReferenceTests {
    @Test func typeReferencesArePrintedAndTakenApart() throws {
        var type = TypeReference(TypeID(7))
        #expect(type.description(naming: "A") == "A")
        type = try #require(type.required?.listed?.required)
        #expect(type.description(naming: "A") == "[A!]!")
        #expect(type.isNonNull && type.isList && type.listDepth == 1 && type.named == TypeID(7))
        #expect(type.item?.description(naming: "A") == "A!")
        #expect(type.required == type)
        #expect(type.nullable.shape == .list(try #require(TypeReference(TypeID(7)).required)))
        var deep: TypeReference? = TypeReference(TypeID(0))
        for _ in 0..<TypeReference.maximumDepth { deep = deep?.listed }
        #expect(deep?.listDepth == TypeReference.maximumDepth)
        #expect(deep?.listed == nil)
    }
}
