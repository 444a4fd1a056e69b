import Testing

@testable import Baton

/// What the parts of a response, and its end, prove about the types of objects.
@Suite struct TypeFactsOfPartsTests {
    /// Lands the payloads of one response.
    private struct PayloadLander {
        let store = Store()
        let operation: BoundOperation
        var delivery: IncrementalDelivery

        init(_ normalization: String) throws {
            let artifact = GeneratedCode.OperationArtifact(
                name: "Q", kind: .query, text: "", normalization: normalization, reader: "{}")
            operation = store.bind(artifact, variables: .object([]))
            delivery = try #require(IncrementalDelivery(operation))
        }

        mutating func land(_ json: String, isLast: Bool = false) throws {
            let payload = try store.normalize(Array(json.utf8), into: &delivery, isLast: isLast)
            store.publish(payload.response, for: operation)
        }

        /// What is known of the hero's type, as text.
        func fact(_ type: String, _ condition: String) -> Bool? {
            store.records.facts[TypeFact(type: store.names.type(type), abstractType: store.names.type(condition))]
        }
    }

    private static let deferred =
        "{hero:+*Character{id:ID! <*Pilot>{ship:String <*Ace>{kills:Int}} <>@defer(\"P\"){<*Pilot>{ship:String home:String <*Ace>{rank:Int}}}}}"

    /// The server sends `__isPilot` once. The part that follows lacks it and has the fields below it.
    @Test func aPartWithoutWhatCameBeforeProvesNothing() throws {
        var lander = try PayloadLander(Self.deferred)
        try lander.land(
            #"{"data":{"hero":{"__typename":"Human","id":"1","__isPilot":"Human","ship":"X","__isAce":"Human","kills":2}},"hasNext":true}"#
        )
        try lander.land(#"{"label":"P","path":["hero"],"data":{"home":"Yavin","rank":1},"hasNext":false}"#)
        #expect(lander.fact("Human", "Pilot") == true && lander.fact("Human", "Ace") == true)
        #expect(lander.store.dump().contains("1.home = \"Yavin\""))
    }

    /// A condition inside a part is absent, and the condition around it came before: the type is not of that type.
    @Test func aPartProvesWhatItsEnclosingConditionLetsItProve() throws {
        var lander = try PayloadLander(
            "{hero:+*Character{id:ID! <*Pilot>{ship:String} <>@defer(\"P\"){<*Pilot>{home:String <*Ace>{rank:Int}}}}}")
        try lander.land(
            #"{"data":{"hero":{"__typename":"Human","id":"1","__isPilot":"Human","ship":"X"}},"hasNext":true}"#)
        #expect(lander.fact("Human", "Ace") == nil)
        try lander.land(#"{"label":"P","path":["hero"],"data":{"home":"Yavin"},"hasNext":true}"#)
        #expect(lander.fact("Human", "Pilot") == true && lander.fact("Human", "Ace") == false)
    }

    private static let conditional =
        "{hero:+*Character{id:ID! name:String <*Pilot>@defer(\"P\"){name:String <*Ace>{kills:Int}} <>@defer(\"N\"){<*Droid>{use:String}}}}"
    private static let first = #"{"data":{"hero":{"__typename":"Human","id":"1","name":"Ann"}},"hasNext":true}"#

    /// A part whose condition does not hold never comes, and its server does not say so.
    @Test(arguments: [#"{"hasNext":false}"#, #"{"completed":[],"hasNext":false}"#])
    func theEndProvesThatAPartWithoutArrivalDoesNotApply(_ end: String) throws {
        var lander = try PayloadLander(Self.conditional)
        try lander.land(Self.first)
        #expect(lander.fact("Human", "Pilot") == nil && lander.fact("Human", "Droid") == nil)
        #expect(lander.store.check(lander.operation) != .available(fetchedAt: nil))
        try lander.land(end)
        #expect(lander.fact("Human", "Pilot") == false && lander.fact("Human", "Droid") == false)
        #expect(lander.fact("Human", "Ace") == nil, "nothing is known of what the part would have said")
        #expect(lander.store.check(lander.operation) == .available(fetchedAt: nil))
    }

    /// A server that ignores `@defer` sends one response without `hasNext`.
    @Test func theOnlyResponseIsTheEnd() throws {
        var lander = try PayloadLander(Self.conditional)
        try lander.land(
            #"{"data":{"hero":{"__typename":"Human","id":"1","name":"Ann","__isPilot":"Human"}}}"#, isLast: true)
        #expect(lander.fact("Human", "Pilot") == true && lander.fact("Human", "Droid") == false)
        #expect(lander.fact("Human", "Ace") == false)
        #expect(lander.store.check(lander.operation) == .available(fetchedAt: nil))
    }

    /// A connection may break before the part comes, and a payload may promise more than its network does.
    @Test func aMissingEndProvesNothing() throws {
        var lander = try PayloadLander(Self.conditional)
        try lander.land(Self.first, isLast: true)
        #expect(lander.fact("Human", "Pilot") == nil)
        #expect(lander.store.check(lander.operation) != .available(fetchedAt: nil))
    }

    /// The server did not compute a part that failed.
    @Test(arguments: [
        #"{"label":"N","path":["hero"],"data":null,"errors":[{"message":"no"}],"hasNext":false}"#,
        #"{"pending":[{"id":"0","label":"N","path":["hero"]}],"completed":[{"id":"0","errors":[{"message":"no"}]}],"hasNext":false}"#,
    ])
    func aFailedPartProvesNothing(_ failure: String) throws {
        var lander = try PayloadLander(Self.conditional)
        try lander.land(Self.first)
        try lander.land(failure)
        #expect(lander.fact("Human", "Pilot") == nil && lander.fact("Human", "Droid") == nil)
    }

    /// An announced part that ends without errors has said everything.
    @Test func aCompletedPartIsNotAFailure() throws {
        var lander = try PayloadLander(Self.conditional)
        try lander.land(Self.first)
        try lander.land(
            #"{"pending":[{"id":"0","label":"N","path":["hero"]}],"completed":[{"id":"0"}],"hasNext":false}"#)
        #expect(lander.fact("Human", "Pilot") == false && lander.fact("Human", "Droid") == false)
    }

    /// Two fragments have the same fields, which come with one of them. The other is announced only where its condition
    /// holds.
    @Test func anAnnouncedPartProvesItsConditionAlthoughItsFieldsCameWithAnother() throws {
        var lander = try PayloadLander(
            "{hero:+*Character{id:ID! <Human>{<>@defer(\"H\"){home:String}} <*Pilot>@defer(\"P\"){home:String}}}")
        try lander.land(
            #"{"data":{"hero":{"__typename":"Human","id":"1"}},"pending":[{"id":"0","label":"H","path":["hero"]},{"id":"1","label":"P","path":["hero"]}],"hasNext":true}"#
        )
        try lander.land(
            #"{"incremental":[{"id":"0","data":{"__isPilot":"Human","home":"Yavin"}}],"completed":[{"id":"0"}],"hasNext":true}"#
        )
        try lander.land(#"{"completed":[{"id":"1"}],"hasNext":false}"#)
        #expect(lander.fact("Human", "Pilot") == true)
        #expect(lander.store.check(lander.operation) == .available(fetchedAt: nil))
    }
}
