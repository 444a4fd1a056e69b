import RandomCases
import Testing

@testable import Baton

@Suite struct SelectionPlanMarkTests {
    private func marks(_ item: String) throws -> SelectionPlan.Marks {
        try SelectionPlan.decode("{\(item)}").items[0].marks
    }

    @Test func everyMarkIsDecoded() throws {
        #expect(try marks("a:Int") == .none)
        #expect(try marks("a:Int@maxAge(60)").maxAge == .seconds(60))
        #expect(try marks("a:@Date@required(LOG)").required == .log)
        #expect(try marks("a:Int!@required(NONE)@catch(RESULT)").catches == .result)
        #expect(try marks("a:*Search+Film@required(THROW){}").required == .throw)
        #expect(try marks("a:%JSON@client").isClient)
        #expect(
            try marks("films(first:$n,by:NAME):Films@connection(\"List_films\",by){}").handle
                == .init(name: "connection", key: "List_films", filters: ["by"]))
        #expect(
            try marks("a:ID@deleteRecord").mutation == .init(kind: .deleteRecord, connections: nil, edgeType: nil))
        #expect(
            try marks("a:E@prependEdge([$c,\"d\"]){}").mutation
                == .init(
                    kind: .prependEdge, connections: .list([.variable("c"), .constant(.string("d"))]), edgeType: nil))
        #expect(
            try marks("a:N@appendNode($c,\"E\"){}").mutation
                == .init(kind: .appendNode, connections: .variable("c"), edgeType: .constant(.string("E"))))
        #expect(try marks("a:ID@deleteRecord[if&!b]@client").mutation?.condition?.alternatives.first?.count == 2)
        #expect(try SelectionPlan.decode("{a:ID@deleteRecord[if]}").usesVariables)
        #expect(try SelectionPlan.decode("{a:ID@deleteEdge($c)}").usesVariables)
        #expect(try SelectionPlan.decode("{a:E@appendNode([],$e){}}").usesVariables)
        #expect(try marks("a:Int@handle(\"log\",\"\")").handle == .init(name: "log", key: "", filters: []))
        #expect(
            try marks("a:[Int]@stream(\"s\")").increment
                == .init(isStream: true, label: "s", condition: nil, initialCount: nil))
        #expect(
            try marks("a:[Int]@stream(\"s\",3,$some)").increment
                == .init(isStream: true, label: "s", condition: "some", initialCount: 3))
        #expect(
            try marks("a:[Int]@stream(\"s\",$some)").increment
                == .init(isStream: true, label: "s", condition: "some", initialCount: nil))
        #expect(
            try marks("<Film>@defer(\"Q$defer$F\",$if){}").increment
                == .init(isStream: false, label: "Q$defer$F", condition: "if", initialCount: nil))
        #expect(
            try marks("a:Int@defer(\"p\")").increment
                == .init(isStream: false, label: "p", condition: nil, initialCount: nil))
        #expect(try marks("<>@catch(NULL){a:Int}").catches == .null)
        #expect(try marks("<!>{a:Int}").isRequiredSet && !marks("<>{a:Int}").isRequiredSet)
        let plan = try SelectionPlan.decode("(n)@throwOnFieldError@maxAge(5)@catch(RESULT){}")
        #expect(plan.marks.throwsOnFieldError && plan.marks.maxAge == .seconds(5) && plan.marks.catches == .result)
    }

    @Test(arguments: [
        ("@defer(\"x\"){a:Int}", "another mark than '@defer' at 0"),
        ("{a:Int@throwOnFieldError}", "another mark than '@throwOnFieldError' at 6"),
        ("{<Film>@stream(\"x\"){}}", "another mark than '@stream' at 7"),
        ("{a:Int@client@client}", "another mark than '@client' at 13"),
        ("{a:Int@connection(\"a\")@handle(\"b\",\"c\")}", "another mark than '@handle' at 22"),
        ("{a:Int@deleteRecord@deleteEdge($c)}", "another mark than '@deleteEdge' at 19"),
        ("{a:Int@deleteEdge}", "'(' at 17"),
        ("{a:E@appendNode($c){}}", "',' at 18"),
        ("{<Film>@deleteRecord{}}", "another mark than '@deleteRecord' at 7"),
        ("{a:Int@unheard}", "another mark than '@unheard' at 6"),
        ("{a:Int@maxAge(-1)}", "a natural number at 14"),
        ("{a:Int@maxAge(1.5)}", "a natural number at 14"),
        ("{a:Int@required(WARN)}", "NONE, LOG or THROW at 16"),
        ("{a:Int@catch()}", "a name at 13"),
        ("{a:Int@connection(k)}", "a string at 18"),
        ("{a:Int@handle(\"h\")}", "',' at 17"),
        ("{<Film>@defer(\"x\",1){}}", "'$' at 18"),
        ("@client{a:Int}", "another mark than '@client' at 0"),
        ("{~Row@catch(NULL)}", "another mark than '@catch' at 5"),
        ("{~Row()}", "a name at 6"),
        ("{~Row(a)}", "':' at 7"),
        ("{~Row(a:)}", "a name at 8"),
        ("{~Row(a:1 b:2)}", "')' at 9"),
        ("{~Row<T>(a:1)}", "'}' at 8"),
        ("{~Row(a:$)}", "a name at 9"),
        ("(n=$m){~Row}", "a constant before at 5"),
    ])
    func aWrongMarkIsAnErrorThatSaysWhere(_ text: String, _ expected: String) {
        #expect {
            _ = try SelectionPlan.decode(text)
        } throws: { error in
            (error as? RelayError.InvalidResponse)?.reason == .unusablePlan("expected \(expected) in a plan")
        }
    }

    /// The key of a handle has the handle's name and the filters. A reader plan reads under this key; a normalization
    /// plan does not.
    @Test func aHandleHasAKeyOfItsOwn() throws {
        let names = NameTable()
        let variables = VariableValues(sent: .object([.init("n", 3), .init("by", "NAME")]), declared: [])
        let plan = try SelectionPlan.decode(
            "{a=films(after:$after,by:$by,first:$n):Films@connection(\"L_films\",by,after){} b=f(x:1):Int@handle(\"log\",\"\")}"
        )
        let written = BoundPlan.bind(.success(plan), variables, [], names, role: .normalization)
        let read = BoundPlan.bind(.success(plan), variables, [], names, role: .reader)
        #expect(names.name(of: written.items[0].key) == "films(by:\"NAME\",first:3)")
        #expect(names.name(of: read.items[0].key) == "__L_films_connection(by:\"NAME\")")
        #expect(written.marks[0]?.handle?.storageKey == read.items[0].key)
        #expect(read.marks[0]?.handle?.source == written.items[0].key)
        #expect(written.marks[0]?.handle?.arguments == [.init("by", "NAME"), .init("first", 3)])
        #expect(names.name(of: read.items[1].key) == "__f_log")
        #expect(written.markSet == .handle)
    }

    /// The value of a dynamic key is one more filter, which is left out where it is null.
    @Test(arguments: [JSONValue.null, "mine"]) func aDynamicKeyIsPartOfTheKey(_ value: JSONValue) throws {
        let names = NameTable()
        let variables = VariableValues(sent: .object([.init("list", value), .init("by", "NAME")]), declared: [])
        let plan = try SelectionPlan.decode(
            "{a=films(by:$by):Films@connection(\"L\",by,$list){} b=films:Films@connection(\"L\",\"x\"){}}")
        let read = BoundPlan.bind(.success(plan), variables, [], names, role: .reader)
        let own = value == .null ? "" : "__dynamicKey:\"mine\","
        #expect(names.name(of: read.items[0].key) == "__L_connection(\(own)by:\"NAME\")")
        #expect(names.name(of: read.items[1].key) == "__L_connection(__dynamicKey:\"x\")")
        #expect(plan.usesVariables)
    }

    @Test func aFalseConditionTakesADelayAway() throws {
        let plan = try SelectionPlan.decode("{<>@defer(\"d\",$if){a:Int} b:[Int]@stream(\"s\",$if)}")
        for (sent, isLater) in [(JSONValue.null, true), (true, true), (false, false)] {
            let variables = VariableValues(sent: .object([.init("if", sent)]), declared: [])
            let bound = BoundPlan.bind(.success(plan), variables, [], NameTable(), role: .normalization)
            #expect(bound.markSet == (isLater ? [.deferred, .stream] : []))
        }
        #expect(plan.usesVariables)
    }

    /// A printed plan decodes to the same plan, for random marks at random places.
    @Test func printingAndDecodingAreInverse() throws {
        var generator = SeededGenerator(seed: 11)
        func pick(_ words: [String]) -> String { words.randomElement(using: &generator) ?? "" }
        func fieldMarks() -> String {
            let choices = [
                ["@maxAge(0)", "@maxAge(86400)"],
                [
                    "@connection(\"k\")", "@connection(\"\\u00e9\",a,b)", "@connection(\"k\",a,$v)",
                    "@handle(\"h\",\"\",\"x\")", "@handle(\"h\",\"\",a)",
                ],
                ["@stream(\"l\")", "@stream(\"l\",0)", "@stream(\"l\",2,$v)", "@stream(\"l\",$v)", "@defer(\"l\",$v)"],
                ["@client"], ["@required(NONE)", "@required(LOG)", "@required(THROW)"],
                ["@catch(RESULT)", "@catch(NULL)"],
            ]
            return choices.filter { _ in Bool.random(using: &generator) }.map(pick).shuffled(using: &generator).joined()
        }
        func items(_ depth: Int) -> String {
            let items = (0..<Int.random(in: 0...3, using: &generator)).map { index in
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where depth < 3:
                    let marks = pick(["", "@defer(\"d\")", "@defer(\"d\",$v)@catch(NULL)", "@catch(RESULT)", "@client"])
                    return pick(["", "[!v&w|x]"]) + pick(["<>", "<!>", "<T>", "<*I>"]) + marks + "{\(items(depth + 1))}"
                case 1 where depth < 3:
                    return "f\(index)=g(x:[$v,{k:1}]):[+*N]!" + fieldMarks() + "{\(items(depth + 1))}"
                case 2:
                    let arguments = pick(["", "(a:$v)", "(a:[1,{k:$v}],b:null,c:{k:E})"])
                    return "~F" + arguments + pick(["", "<T>", "<*I>"]) + pick(["", "@defer(\"d\",$v)", "@client"])
                default: return "f\(index):" + pick(["Int", "[@Date!]", "%J", "#E"]) + fieldMarks()
                }
            }
            return items.joined(separator: " ")
        }
        for _ in 0..<300 {
            let marks = pick(["", "@throwOnFieldError", "@maxAge(3)@catch(NULL)"])
            let text = "(v=[1,{a:null}],w)\(marks){\(items(0))}"
            let plan = try SelectionPlan.decode(text)
            #expect(try SelectionPlan.decode(SelectionPlanPrinter.print(plan)) == plan, "\(text)")
        }
    }
}
