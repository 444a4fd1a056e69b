import Testing

@testable import Baton

/// The variables that a fragment sees.
@Suite struct FragmentArgumentTests {
    /// A spread in an operation, with values of the operation's variables.
    struct Spread {
        let store = Store()
        let operation: BoundOperation
        /// Caches know artifacts by their identity.
        let artifact: GeneratedCode.FragmentArtifact
        let bound: BoundFragment

        init(_ spread: String, of fragment: String, _ variables: JSONValue) throws {
            operation = store.bind(
                .init(name: "Q", kind: .query, text: "", normalization: "{a:Int}", reader: "{a:Int \(spread)}"),
                variables: variables)
            try store.write(#"{"data":{"a":1}}"#, for: operation)
            artifact = .init(name: "F", typeCondition: "Query", reader: fragment)
            let row = try #require(store.read(AnyData.self, of: operation).data).__row
            bound = try #require(store.bind(row.target(1), artifact))
        }

        var plan: BoundPlan { bound.selections.plan }
        var key: String { store.names.name(of: plan.items[0].key) }
    }

    @Test(
        arguments: [
            // What the spread passes.
            ("(x:7)", "(x=10){f(k:$x):Int}", [:], "f(k:7)"),
            ("(x:$v)", "(x=10){f(k:$x):Int}", ["v": 3], "f(k:3)"),
            ("(x:[$v,{a:$v}])", "(x){f(k:$x):Int}", ["v": 3], #"f(k:[3,{"a":3}])"#),
            ("(x:$v)", "(x){f(k:[$x,{a:[$x]}]):Int}", ["v": 3], #"f(k:[3,{"a":[3]}])"#),
            ("(x:false)", "(x=true){f(k:$x):Int}", [:], "f(k:false)"),
            // The default.
            ("", "(x=10){f(k:$x):Int}", ["x": 3], "f(k:10)"),
            ("(x:null)", "(x=10){f(k:$x):Int}", [:], "f(k:10)"),
            ("(x:$v)", "(x=10){f(k:$x):Int}", ["v": nil], "f(k:null)"),
            ("(x:$v)", "(x=10){f(k:$x):Int}", [:], "f"),
            ("(y:1)", "(x={a:[1,E]},y){f(k:$x):Int}", [:], #"f(k:{"a":[1,"E"]})"#),
            // No default: nothing is a literal null, which is left out at the top and of objects. Lists keep their
            // length.
            ("", "(x){f(k:$x):Int}", ["x": 3], "f"),
            ("(x:null)", "(x){f(k:$x):Int}", [:], "f"),
            ("", "(x=null){f(k:$x):Int}", [:], "f"),
            ("", "(x){f(k:{a:$x}):Int}", ["x": 3], "f(k:{})"),
            ("", "(x){f(k:[$x]):Int}", [:], "f(k:[null])"),
            ("(x:null)", "(x){f(k:[1,$x,{a:[$x,null],b:$x}]):Int}", [:], #"f(k:[1,null,{"a":[null,null]}])"#),
            ("(x:null)", "(x){f(k:{a:$x}):Int}", [:], "f(k:{})"),
            // A variable stands for itself, as where the compiler puts it in the place of the argument.
            ("(x:$v)", "(x){f(k:$x):Int}", [:], "f"),
            ("(x:$v)", "(x){f(k:{a:$x}):Int}", [:], "f(k:{})"),
            ("(x:$v)", "(x){f(k:$x):Int}", ["v": nil], "f(k:null)"),
            ("(x:$v)", "(x){f(k:{a:$x}):Int}", ["v": nil], #"f(k:{"a":null})"#),
            // Other variables are the operation's; what is not declared is ignored.
            ("(x:1)", "(x){f(k:$v,l:$x):Int}", ["v": 3, "x": 4], "f(k:3,l:1)"),
            ("(v:1)", "(x=2){f(k:$v,l:$x):Int}", ["v": 3], "f(k:3,l:2)"),
            ("(v:1)", "{f(k:$v):Int}", ["v": 3], "f(k:3)"),
            ("(x:$x)", "(x=2){f(k:$x):Int}", ["x": 3], "f(k:3)"),
            // The key of a handle.
            ("(x:1,y:2)", #"(x,y){f(a:$x,b:$y):Int@connection("c",a)}"#, [:], "__c_connection(a:1)"),
            ("(x:null)", #"(x,y){f(a:$x,b:$y):Int@handle("h","",a,b)}"#, [:], "__f_h"),
        ] as [(String, String, JSONValue, String)])
    func aFieldGoesByTheVariablesOfItsFragment(
        _ spread: String, _ fragment: String, _ variables: JSONValue, _ key: String
    ) throws {
        #expect(try Spread("~F\(spread)", of: fragment, variables).key == key)
    }

    @Test(arguments: [
        ("", false), ("(on:true)", true), ("(on:$v)", true), ("(on:$w)", false), ("(on:null)", false),
    ])
    func conditionsAndDelaysGoByArguments(_ spread: String, _ isOn: Bool) throws {
        let fragment =
            "(on=false,late=true){[on]a:Int [!on]b:Int [on&!off]c:Int <>@defer(\"d\",$on){e:Int} "
            + "l:[Int]@stream(\"s\",$on) ~G@defer(\"g\",$on) [on]~G<T>}"
        let plan = try Spread("~F\(spread)", of: fragment, ["v": true, "w": false, "on": true]).plan
        let kinds = plan.items[0..<3].map(\.kind)
        #expect(kinds == (isOn ? [.leaf, .excluded, .leaf] : [.excluded, .leaf, .excluded]))
        #expect(plan.items[6].kind == (isOn ? .spread : .excluded))
        #expect(plan.items[3].marks.contains(.deferred) == isOn)
        #expect(plan.items[4].marks.contains(.stream) == isOn)
        #expect(plan.items[5].marks.contains(.deferred) == isOn)
    }

    /// Only the innermost fragment's arguments apply.
    @Test func threeLevelsPassOnWhatTheyPass() throws {
        let top = try Spread(
            "~A(x:1,y:$v)", of: "(x,y,z=5){s:Int ~B(p:[$x,$z],x:$y) ~B ~C(x:$z)}", ["v": 2, "x": 100, "p": 200])
        let store = top.store
        let row = try #require(
            store.records.read(at: top.bound.record, top.bound.selections).row, "a missing nullable field is null")
        let middle = GeneratedCode.FragmentArtifact(
            name: "B", typeCondition: "Query", reader: "(p=7,q=8){f(p:$p,x:$x):Int ~C(x:$p) ~C(y:{k:$q}) ~C}")
        let inner = GeneratedCode.FragmentArtifact(
            name: "C", typeCondition: "Query", reader: "(x,y=9){f(p:$p,v:$v,x:$x,y:$y,z:$z):Int}")
        func keys(_ row: GeneratedCode.Row) throws -> [String] {
            try (1..<4).map { field in
                let bound = try #require(store.bind(row.target(field), field == 3 ? inner : middle))
                return store.names.name(of: bound.selections.plan.items[0].key)
            }
        }
        // `x` and `p` are the operation's where a fragment does not declare them; `z` is nobody's.
        #expect(try keys(row) == ["f(p:[1,5],x:100)", "f(p:7,x:100)", "f(p:200,v:2,x:5,y:9)"])
        for (field, expected) in [
            (1, ["f(p:200,v:2,x:[1,5],y:9)", #"f(p:200,v:2,y:{"k":8})"#, "f(p:200,v:2,y:9)"]),
            (2, ["f(p:200,v:2,x:7,y:9)", #"f(p:200,v:2,y:{"k":8})"#, "f(p:200,v:2,y:9)"]),
        ] {
            let bound = try #require(store.bind(row.target(field), middle))
            let row = try #require(store.records.read(at: bound.record, bound.selections).row)
            let found = try (1..<4).map { field in
                let bound = try #require(store.bind(row.target(field), inner))
                return store.names.name(of: bound.selections.plan.items[0].key)
            }
            #expect(found == expected)
        }
    }

    /// Plans are bound once for all references with the same arguments, and references share what they carry.
    @Test func aPlanIsBoundOncePerArguments() throws {
        let store = Store()
        let operation = store.bind(Cards.Query(n: 2))
        try store.write(Cards.answer(2, friends: 500), for: operation)
        let user = try #require(store.read(Cards.Query.Data.self, of: operation).data?.user)
        let cards = try #require(user.friends?.compactMap { $0?.card })
        #expect(cards.count == 500)
        #expect(cards.allSatisfy { $0.target.use === cards[0].target.use })
        let plans = try (cards + [user.large]).map { try #require(store.bind($0)).selections.plan }
        #expect(plans.dropLast().allSatisfy { $0 === plans[0] })
        #expect(plans[500] !== plans[0], "detailed was passed, if only a variable that was left out")
        #expect(try #require(store.bind(user.small)).selections.plan !== plans[0])
        let again = try #require(store.read(Cards.Query.Data.self, of: store.bind(Cards.Query(n: 2))).data?.user)
        #expect(try #require(store.bind(again.small)).selections.plan === store.bind(user.small)?.selections.plan)
        // A spread that passes nothing shares the use of its read.
        let plain = user.plain.target.use
        #expect(plain === user.__row.shelf.use && plain.arguments == nil)
    }

    @Test func aMalformedFragmentIsAnError() throws {
        #expect(try Spread("~F(x:1)", of: "(x=$y){f(k:$x):Int}", [:]).plan.failure != nil)
        let operation = Store().bind(
            .init(name: "Q", kind: .query, text: "", normalization: "{}", reader: "{~F(x)}"), variables: [:])
        #expect(operation.failure != nil)
    }
}
