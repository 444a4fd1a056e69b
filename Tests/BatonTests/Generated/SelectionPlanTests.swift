import Testing

@testable import Baton

@Suite struct SelectionPlanTests {
    @Test func decodesEveryProduction() throws {
        let text =
            "(first=10,ids,order={by:NAME,tags:[\"a\",-1.5,null,true]}){a=b(x:$first,y:[$ids,1],z:{k:$order}):[[Int!]]! c:Float! d:String e:Boolean f:ID "
            + "g:#Episode h:@Date i:%JSON [a&!b|c]j:Film{k:Int} l:+Film{} m:*Search+Film+Person{n:Int <Film>{o:Int} <*Node>{p:Int} ~Row ~Row<Film> [x]~Row<*Node>} q:[+*Node!]!{}}"
        let plan = try SelectionPlan.decode(text)
        #expect(plan.variables.map(\.name) == ["first", "ids", "order"])
        #expect(plan.variables[0].defaultValue == 10)
        #expect(plan.variables[1].defaultValue == nil)
        #expect(plan.variables[2].defaultValue == ["by": "NAME", "tags": ["a", -1.5, nil, true]])
        guard case .field(let first) = plan.items[0].kind, case .field(let film) = plan.items[8].kind,
            case .field(let search) = plan.items[10].kind, case .field(let nodes) = plan.items[11].kind
        else {
            Issue.record("fields expected")
            return
        }
        #expect(first.responseKey == "a" && first.name == "b")
        #expect(first.type == .nonNull(.list(.list(.nonNull(.named(.int))))))
        #expect(first.arguments[1].value == .list([.variable("ids"), .constant(1)]))
        #expect(first.arguments[2].value == .object([.init(name: "k", value: .variable("order"))]))
        #expect(plan.items[8].condition?.alternatives.map { $0.map(\.variable) } == [["a", "b"], ["c"]])
        #expect(plan.items[8].condition?.alternatives[0].map(\.isNegated) == [false, true])
        #expect(film.type == .named(.object("Film", implementsNode: false)))
        #expect(search.type == .named(.abstract("Search", implementsNode: false, nodes: ["Film", "Person"])))
        #expect(nodes.type.named == .abstract("Node", implementsNode: true, nodes: []))
        #expect(
            search.selections[1].kind
                == .inline(
                    .init(type: "Film", isAbstract: false),
                    [
                        .init(
                            condition: nil,
                            kind: .field(
                                .init(responseKey: "o", name: "o", arguments: [], type: .named(.int), selections: [])))
                    ]))
        #expect(
            search.selections[4].kind == .spread(name: "Row", arguments: [], .init(type: "Film", isAbstract: false)))
        #expect(search.selections[5].condition != nil)
        let passing = try SelectionPlan.decode("{~Row(a:$n,b:[1,{c:$m}],d:null)<*Film>@defer(\"l\",$if)}").items[0]
        #expect(
            passing.kind
                == .spread(
                    name: "Row",
                    arguments: [
                        .init(name: "a", value: .variable("n")),
                        .init(
                            name: "b",
                            value: .list([.constant(1), .object([.init(name: "c", value: .variable("m"))])])),
                        .init(name: "d", value: .constant(.null)),
                    ], .init(type: "Film", isAbstract: true)))
        #expect(passing.marks.increment?.condition == "if")
        #expect(plan.usesVariables)
        #expect(try !SelectionPlan.decode("{a(x:1):Int b:Film{~Row(y:[1])<Film>}}").usesVariables)
        #expect(try SelectionPlan.decode("(n=2){b:Film{~Row(y:[$n])}}").usesVariables)
    }

    /// A malformed plan gives an error value, for every prefix of a plan and for every replaced byte.
    @Test func aMalformedPlanIsAnError() {
        let text = Array(
            ("(n=10)@throwOnFieldError{a(x:$n):[Int!]! [b]c:+*Node@connection(\"k\",x){d:@Date@required(LOG) "
                + "<*Film>@defer(\"l\",$if){e:%JSON@maxAge(60)} <>@catch(NULL){f:[Int]@stream(\"s\",1)} ~Row(a:[$n],b:{c:1})<Film>}}")
                .utf8)
        for end in 0..<text.count {
            #expect(throws: RelayError.InvalidResponse.self) {
                try SelectionPlan.decode(String(decoding: text[..<end], as: UTF8.self))
            }
        }
        for index in text.indices {
            for byte in ["\0", "{", "}", "\"", " ", "é", "[", "9"] {
                let changed =
                    String(decoding: text[..<index], as: UTF8.self) + byte
                    + String(decoding: text[(index + 1)...], as: UTF8.self)
                _ = try? SelectionPlan.decode(changed)
            }
        }
        let deep = String(repeating: "{a:F", count: 100_000)
        #expect(throws: RelayError.InvalidResponse.self) { try SelectionPlan.decode(deep) }
        #expect(throws: RelayError.InvalidResponse.self) {
            try SelectionPlan.decode("{a:" + String(repeating: "[", count: 100_000))
        }
        let artifact = GeneratedCode.OperationArtifact(
            name: "X", kind: .query, text: "", normalization: "{a:Int", reader: "{a:Int}")
        let store = Store()
        let operation = store.bind(artifact, variables: .object([]))
        #expect(operation.failure != nil)
        #expect { _ = try store.normalize(Array(#"{"data":{}}"#.utf8), for: operation) } throws: { error in
            if case .unusablePlan? = (error as? RelayError.InvalidResponse)?.reason { true } else { false }
        }
    }

    @Test func storageKeysAreCanonical() throws {
        let values = VariableValues(
            sent: .object([.init("a", 1), .init("o", ["z": 1, "b": [2.0, nil]]), .init("n", nil)]),
            declared: [.init(name: "d", defaultValue: "x"), .init(name: "a", defaultValue: 9)])
        func key(_ field: String) throws -> String {
            guard case .field(let field) = try SelectionPlan.decode("{\(field)}").items[0].kind else { return "" }
            return values.storageKey(field)
        }
        #expect(try key("f:Int") == "f")
        #expect(try key("alias=f(x:$a):Int") == "f(x:1)")
        #expect(try key("f(x:$o):Int") == "f(x:{\"b\":[2,null],\"z\":1})")
        #expect(try key("f(x:$n):Int") == "f(x:null)")
        #expect(try key("f(x:$missing):Int") == "f")
        #expect(try key("f(x:$d,y:EMPIRE):Int") == "f(x:\"x\",y:\"EMPIRE\")")
        #expect(try key("f(x:[$missing,1],y:{k:$missing}):Int") == "f(x:[null,1],y:{})")
        #expect(StorageKey("f", [("b", 1), ("a", "t")]).rawValue == "f(a:\"t\",b:1)")
    }
}
