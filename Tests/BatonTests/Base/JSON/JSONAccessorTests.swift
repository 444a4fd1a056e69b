import Baton
import Testing

/// What a `JSONValue` is.
@Suite struct JSONAccessorTests {
    private let value: JSONValue = [
        "null": nil, "yes": true, "count": 3, "whole": 2.0, "half": 0.5, "text": "a", "list": [1, "b"], "in": ["c": 4],
    ]

    @Test func eachAccessorTakesItsKind() {
        #expect(value["null"]?.isNull == true && value["yes"]?.isNull == false)
        #expect(value["yes"]?.boolValue == true && value["count"]?.boolValue == nil)
        #expect(value["count"]?.intValue == 3 && value["whole"]?.intValue == 2)
        #expect(value["half"]?.intValue == nil && value["text"]?.intValue == nil)
        #expect(JSONValue.double(1e300).intValue == nil && JSONValue.double(.nan).intValue == nil)
        #expect(value["half"]?.doubleValue == 0.5 && value["count"]?.doubleValue == 3)
        #expect(value["text"]?.stringValue == "a" && value["count"]?.stringValue == nil)
        #expect(value["list"]?.arrayValue == [1, "b"] && value["in"]?.arrayValue == nil)
        #expect(value["in"]?.objectValue == [.init("c", 4)] && value["list"]?.objectValue == nil)
    }

    @Test func aPathLeadsIntoListsAndObjects() {
        #expect(value["list"]?[1]?.stringValue == "b" && value["in"]?["c"]?.intValue == 4)
        #expect(value["list"]?[2] == nil && value["list"]?[-1] == nil && value["in"]?[0] == nil)
    }
}
