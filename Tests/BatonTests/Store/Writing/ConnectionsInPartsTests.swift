import Testing

@testable import Baton

/// Connections, and other fields with handlers, of which later parts bring some. Each case is compared with the
/// response that comes as a whole.
@Suite struct ConnectionsInPartsTests {
    private static func operation(_ plan: String, in store: Store) -> BoundOperation {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: plan, reader: "{}")
        return store.bind(artifact, variables: .object([]))
    }

    private static func store(_ handlers: [FieldHandler] = []) -> Store {
        Store(options: StoreOptions(fieldHandlers: handlers))
    }

    private static func land(
        _ payloads: [String], _ plan: String, in store: Store, between: (Store) throws -> Void = { _ in }
    ) throws {
        let operation = operation(plan, in: store)
        var delivery = try #require(IncrementalDelivery(operation))
        for (index, payload) in payloads.enumerated() {
            let part = try store.normalize(
                Array(payload.utf8), into: &delivery, isLast: index == payloads.count - 1)
            try store.publish(part.response, for: operation, updating: { _ in })
            if index < payloads.count - 1 { try between(store) }
        }
        try delivery.finish()
        #expect(store.checkInvariants().isEmpty)
    }

    /// Lands payloads and the whole response in two stores, and expects the same of both. Only parts prove by their
    /// absence that a type is not of another type.
    private static func expectWhole(
        _ data: String, _ payloads: [String], _ plan: String, _ handlers: [FieldHandler] = [],
        before: (plan: String, data: String)? = nil, comparesFacts: Bool = true
    ) throws {
        func text(_ store: Store) -> [Substring] {
            store.dump().split(separator: "\n").filter { comparesFacts || !$0.contains(" is not ") }
        }
        let (whole, split) = (store(handlers), store(handlers))
        for store in [whole, split] {
            guard let before else { continue }
            let operation = operation(before.plan, in: store)
            store.publish(try store.normalize(Array(before.data.utf8), for: operation), for: operation)
        }
        let operation = operation(plan, in: whole)
        try whole.publish(try whole.normalize(Array(data.utf8), for: operation), for: operation, updating: { _ in })
        try land(payloads, plan, in: split)
        #expect(text(whole) == text(split), "\(payloads)")
    }

    private static let connection =
        #"{me:+User{id:ID! posts(first:2):Posts{edges:[Edge]{node:+Post{id:ID! rank:Int}}} "#
        + #"<>@defer("D"){posts(first:2):Posts@connection("K"){total:Int edges:[Edge]{cursor:String node:+Post{id:ID! title:String}} "#
        + #"pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}}}"#
    private static let whole =
        #"{"data":{"me":{"id":"u","posts":{"total":9,"edges":[{"cursor":"a","node":{"id":"1","rank":1,"title":"A"}},{"cursor":"b","node":{"id":"2","rank":2,"title":"B"}}],"pageInfo":{"endCursor":"b","hasNextPage":true}}}}}"#
    private static let first =
        #"{"data":{"me":{"id":"u","posts":{"edges":[{"node":{"id":"1","rank":1}},{"node":{"id":"2","rank":2}}]}}},"pending":[{"id":"0","path":["me"],"label":"D"}],"hasNext":true}"#

    /// The current format brings what the beginning lacks, at the places below the field. None of the entries has the
    /// field itself.
    @Test func aConnectionGetsWhatComesBelowItsField() throws {
        let entries = [
            #"{"id":"0","subPath":["posts","edges",0,"node"],"data":{"title":"A"}}"#,
            #"{"id":"0","subPath":["posts","edges",0],"data":{"cursor":"a"}}"#,
            #"{"id":"0","subPath":["posts","edges",1],"data":{"cursor":"b"}}"#,
            #"{"id":"0","subPath":["posts","edges",1,"node"],"data":{"title":"B"}}"#,
            #"{"id":"0","subPath":["posts"],"data":{"total":9,"pageInfo":{"endCursor":"b","hasNextPage":true}}}"#,
        ]
        let end = #""completed":[{"id":"0"}],"hasNext":false}"#
        try Self.expectWhole(
            Self.whole, [Self.first, #"{"incremental":[\#(entries.joined(separator: ","))],\#(end)"#], Self.connection)
        try Self.expectWhole(
            Self.whole, [Self.first] + entries.map { #"{"incremental":[\#($0)],"hasNext":true}"# } + ["{\(end)"],
            Self.connection)
    }

    /// The page is merged when its fragment has come completely, although the response goes on.
    @Test func aConnectionIsThereAsSoonAsItsFragmentIsComplete() throws {
        let edge = #"{"id":"0","subPath":["posts","edges",0],"data":{"cursor":"a"}}"#
        let rest = #"{"id":"0","subPath":["posts"],"data":{"total":9}}"#
        let store = Self.store()
        var cursors: [[JSONValue?]?] = []
        try Self.land(
            [
                Self.first, #"{"incremental":[\#(edge)],"hasNext":true}"#,
                #"{"incremental":[\#(rest)],"completed":[{"id":"0"}],"hasNext":true}"#, #"{"hasNext":false}"#,
            ], Self.connection, in: store,
            between: { store in
                try store.update { records in
                    let me = try #require(records.get("u"))
                    let connection = records.connection(on: me, key: "K")
                    cursors.append(connection?.edges.map { $0?.value(forField: "cursor") })
                }
            })
        #expect(cursors == [nil, nil, ["a", nil]])
    }

    /// A server sends what an inner fragment shares with the outer one with the outer one, and may complete the inner
    /// one first.
    @Test func anInnerFragmentIsCompleteWithTheOuterOne() throws {
        try Self.expectWhole(
            #"{"data":{"me":{"id":"u","posts":{"total":1,"edges":[{"cursor":"a","node":{"id":"1"}}]}}}}"#,
            [
                #"{"data":{"me":{"id":"u"}},"pending":[{"id":"0","label":"A","path":["me"]},{"id":"1","label":"B","path":["me"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"posts":{"edges":[{"cursor":"a"}]}}}],"completed":[{"id":"1"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["posts"],"data":{"total":1}}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["posts","edges",0],"data":{"node":{"id":"1"}}}],"completed":[{"id":"0"}],"hasNext":true}"#,
                #"{"hasNext":false}"#,
            ],
            #"{me:+User{id:ID! <>@defer("A"){posts(first:2):Posts@connection("K"){total:Int edges:[Edge]{cursor:String node:+Post{id:ID!}}} "#
                + #"<>@defer("B"){posts(first:2):Posts@connection("K"){total:Int edges:[Edge]{cursor:String}}}}}}"#)
    }

    /// The pages of one connection are merged in the order of the document, whichever comes first, and whichever part
    /// of them comes last.
    @Test(arguments: [true, false]) func pagesOfOneConnectionAreMergedInTheOrderOfTheDocument(
        _ isAnnounced: Bool
    ) throws {
        func page(_ first: Int) -> String {
            #"{"edges":[{"cursor":"c\#(first)","node":{"id":"\#(first)"}},{"cursor":"c\#(first + 1)","node":{"id":"\#(first + 1)"}}],"pageInfo":{"endCursor":"c\#(first + 1)","hasNextPage":true}}"#
        }
        let fields =
            #"Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}"#
        let plan =
            #"{me:+User{id:ID! <>@defer("A"){posts(first:2):\#(fields)} <>@defer("B"){next=posts(after:"c2",first:2):\#(fields)} "#
            + #"<>@defer("C"){last=posts(after:"c4",first:2):\#(fields)}}}"#
        let pages = [("A", "posts", page(1)), ("B", "next", page(3)), ("C", "last", page(5))]
        let user = pages.map { #""\#($0.1)":\#($0.2)"# }.joined(separator: ",")
        let pending = pages.enumerated().map { #"{"id":"\#($0)","label":"\#($1.0)","path":["me"]}"# }
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            var payloads = [#"{"data":{"me":{"id":"u"}},"hasNext":true}"#]
            if isAnnounced {
                payloads = [
                    #"{"data":{"me":{"id":"u"}},"pending":[\#(pending.joined(separator: ","))],"hasNext":true}"#
                ]
            }
            payloads += order.map { number in
                let (label, key, page) = pages[number]
                if isAnnounced {
                    return
                        #"{"incremental":[{"id":"\#(number)","data":{"\#(key)":\#(page)}}],"completed":[{"id":"\#(number)"}],"hasNext":true}"#
                }
                return #"{"label":"\#(label)","path":["me"],"data":{"\#(key)":\#(page)},"hasNext":true}"#
            }
            let whole = #"{"data":{"me":{"id":"u",\#(user)}}}"#
            try Self.expectWhole(whole, payloads + [#"{"hasNext":false}"#], plan)
            // A connection that is there already ends where the second page begins.
            try Self.expectWhole(
                whole, payloads + [#"{"hasNext":false}"#], plan,
                before: (
                    #"{me:+User{id:ID! posts(first:2):\#(fields)}}"#, #"{"data":{"me":{"id":"u","posts":\#(page(1))}}}"#
                ))
        }
    }

    /// A field has its place in the document where it is asked for first, also if another fragment, which comes later,
    /// makes a page of it: a response that comes as a whole has the field there.
    @Test(arguments: ["posts(first:1):Posts{note:String} ", ""]) func aPageHasThePlaceWhereItsFieldIsAskedForFirst(
        _ before: String
    ) throws {
        func page(_ number: Int) -> String {
            #""edges":[{"cursor":"c\#(number)","node":{"id":"\#(number)"}}],"pageInfo":{"endCursor":"c\#(number)","hasNextPage":true}"#
        }
        let fields =
            #"Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}"#
        let plan =
            #"{me:+User{id:ID! \#(before)<>@defer("N"){next=posts(after:"c1",first:1):\#(fields)}} "#
            + #"<>@defer("P"){me:+User{id:ID! posts(first:1):\#(fields)}}}"#
        let note = before.isEmpty ? "" : #""note":"n","#
        let (posts, next) = (#""posts":{\#(note)\#(page(1))}"#, #""next":{\#(page(2))}"#)
        let whole = #"{"data":{"me":{"id":"u",\#(before.isEmpty ? "\(next),\(posts)" : "\(posts),\(next)")}}}"#
        let beginning = before.isEmpty ? #""id":"u""# : #""id":"u","posts":{"note":"n"}"#
        let (first, second) = (
            #"{"label":"P","path":[],"data":{"me":{"id":"u","posts":{\#(page(1))}}},"hasNext":true}"#,
            #"{"label":"N","path":["me"],"data":{\#(next)},"hasNext":true}"#
        )
        for payloads in [
            // A server may send a fragment at once that it could send later.
            [#"{"data":{"me":{\#(beginning),\#(next)}},"hasNext":true}"#, first],
            [#"{"data":{"me":{\#(beginning)}},"hasNext":true}"#, first, second],
            [#"{"data":{"me":{\#(beginning)}},"hasNext":true}"#, second, first],
        ] {
            try Self.expectWhole(whole, payloads + [#"{"hasNext":false}"#], plan)
            let last = payloads[payloads.count - 1].replacing(#""hasNext":true"#, with: #""hasNext":false"#)
            try Self.expectWhole(whole, payloads.dropLast() + [last], plan)
        }
    }

    /// The older format has all fields of the fragment in its part.
    @Test func aConnectionGetsThePartOfTheOlderFormat() throws {
        let posts =
            #"{"total":9,"edges":[{"cursor":"a","node":{"id":"1","title":"A"}},{"cursor":"b","node":{"id":"2","title":"B"}}],"pageInfo":{"endCursor":"b","hasNextPage":true}}"#
        try Self.expectWhole(
            Self.whole,
            [
                Self.first.replacing(#""pending":[{"id":"0","path":["me"],"label":"D"}],"#, with: ""),
                #"{"label":"D","path":["me"],"data":{"posts":\#(posts)},"hasNext":false}"#,
            ], Self.connection)
    }

    /// Fragments at the connection, at its edges and at its page info come after the page.
    @Test func partsInsideAConnectionReachItsOwnRecords() throws {
        let plan =
            #"{posts(first:2):Posts@connection("K"){edges:[Edge]{node:+Post{id:ID!} <>@defer("E"){cursor:String}} "#
            + #"<>@defer("T"){total:Int} <>@defer("P"){pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}}"#
        let data =
            #"{"data":{"posts":{"edges":[{"node":{"id":"1"},"cursor":"a"},{"node":{"id":"2"},"cursor":"b"}],"total":2,"pageInfo":{"endCursor":"b","hasNextPage":true}}}}"#
        let parts = [
            #"{"label":"E","path":["posts","edges",1],"data":{"cursor":"b"}"#,
            #"{"label":"E","path":["posts","edges",0],"data":{"cursor":"a"}"#,
            #"{"label":"T","path":["posts"],"data":{"total":2}"#,
            #"{"label":"P","path":["posts"],"data":{"pageInfo":{"endCursor":"b","hasNextPage":true}}"#,
        ]
        let first = #"{"data":{"posts":{"edges":[{"node":{"id":"1"}},{"node":{"id":"2"}}]}},"hasNext":true}"#
        for start in parts.indices {
            let order = Array(parts[start...]) + Array(parts[..<start])
            try Self.expectWhole(
                data, [first] + order.map { $0 + #","hasNext":true}"# } + [#"{"hasNext":false}"#], plan)
        }
    }

    /// The page info of the page that was there before is not that of the page whose page info comes later.
    @Test func aPageAfterACursorGetsItsPageInfoLater() throws {
        func plan(_ arguments: String) -> String {
            #"{posts(\#(arguments)):Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} <>@defer("P"){pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}}"#
        }
        func edge(_ id: Int) -> String { #"{"cursor":"c\#(id)","node":{"id":"\#(id)"}}"# }
        func info(_ end: Int) -> String { #""pageInfo":{"endCursor":"c\#(end)","hasNextPage":true}"# }
        let (whole, split) = (Self.store(), Self.store())
        // The second time, the page after the cursor is another one, and the old one is still in the store.
        for (arguments, edges, end) in [
            ("first:1", edge(1), 1), (#"after:"c1",first:1"#, edge(2), 2), ("first:1", edge(1), 1),
            (#"after:"c1",first:1"#, edge(3), 3),
        ] {
            let plan = plan(arguments)
            let operation = Self.operation(plan, in: whole)
            let data = #"{"data":{"posts":{"edges":[\#(edges)],\#(info(end))}}}"#
            whole.publish(try whole.normalize(Array(data.utf8), for: operation), for: operation)
            try Self.land(
                [
                    #"{"data":{"posts":{"edges":[\#(edges)]}},"hasNext":true}"#,
                    #"{"label":"P","path":["posts"],"data":{\#(info(end))},"hasNext":false}"#,
                ], plan, in: split)
        }
        #expect(whole.dump() == split.dump())
    }

    /// A mutation's edge of which the node comes later is added once, with everything that came.
    @Test(arguments: ["appendEdge", "prependEdge"]) func anAddedEdgeGetsWhatComesLater(_ kind: String) throws {
        let page = #"{posts(first:1):Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}}}}"#
        let before = (page, #"{"data":{"posts":{"edges":[{"cursor":"a","node":{"id":"1"}}]}}}"#)
        let connection = DataID.connection(on: .root, key: "K").rawValue
        let plan =
            #"{add:Added{edge:Edge@\#(kind)(["\#(connection)"]){__typename:String <>@defer("E"){cursor:String node:+Post{id:ID! title:String}} <>@defer("F"){weight:Int}}}}"#
        let node = #""node":{"id":"2","title":"B"}"#
        let data = #"{"data":{"add":{"edge":{"__typename":"Edge","cursor":"b",\#(node),"weight":3}}}}"#
        let parts = [
            #"{"label":"E","path":["add","edge"],"data":{"cursor":"b",\#(node)},"hasNext":true}"#,
            #"{"label":"F","path":["add","edge"],"data":{"weight":3},"hasNext":true}"#,
        ]
        let first = #"{"data":{"add":{"edge":{"__typename":"Edge"}}},"hasNext":true}"#
        for parts in [parts, parts.reversed()] {
            try Self.expectWhole(data, [first] + parts + [#"{"hasNext":false}"#], plan, before: before)
        }
    }

    /// A handler of the application runs again for what comes at any depth below its field.
    @Test func aHandlerSeesWhatComesBelowItsField() throws {
        let names = FieldHandler("names") { _, field in
            let friend = field.source.linkedRecord
            let text = [friend, friend?.linkedRecord(forField: "best")].map { $0?.value(forField: "name")?.text ?? "?" }
            try field.target.setLinkedRecord(friend)
            try field.source.record.setValue(.string(text.joined(separator: "+")), forField: "names")
        }
        try Self.expectWhole(
            #"{"data":{"friend":{"id":"1","name":"A","best":{"id":"2","name":"B"}}}}"#,
            [
                #"{"data":{"friend":{"id":"1","best":{"id":"2"}}},"hasNext":true}"#,
                #"{"label":"N","path":["friend","best"],"data":{"name":"B"},"hasNext":true}"#,
                #"{"label":"M","path":["friend"],"data":{"name":"A"},"hasNext":false}"#,
            ],
            #"{friend:+User@handle("names","F"){id:ID! best:+User{id:ID! <>@defer("N"){name:String}} <>@defer("M"){name:String}}}"#,
            [names])
    }

    /// A handler of the application runs again for what it has read, whichever fragments select that, in whatever order
    /// they come, and also if the store has had other values.
    @Test(arguments: [true, false]) func aHandlerSeesWhatOtherFragmentsBring(_ isKnown: Bool) throws {
        let old = (
            "{x:+User{id:ID! name:String} y:+User{id:ID! name:String}}",
            #"{"data":{"x":{"id":"3","name":"Old"},"y":{"id":"9","name":"Old"}}}"#
        )
        let names = FieldHandler("names") { source, field in
            let best = field.source.linkedRecord
            let texts = [best?.linkedRecord(forField: "best"), source.get("9")].map {
                $0?.value(forField: "name")?.text ?? "?"
            }
            try field.target.setLinkedRecord(best)
            try field.source.record.setValue(.string(texts.joined(separator: "+")), forField: "names")
        }
        let first = #"{"data":{"friend":{"id":"1"}},"hasNext":true}"#
        let handled = #"{"label":"A","path":["friend"],"data":{"best":{"id":"2"}},"hasNext":true}"#
        let outer = #"{"label":"B","path":["friend"],"data":{"best":{"id":"2","best":{"id":"3"}}},"hasNext":true}"#
        let inner = #"{"label":"C","path":["friend","best","best"],"data":{"name":"C"},"hasNext":true}"#
        let other = #"{"label":"D","path":[],"data":{"me":{"id":"9","name":"D"}},"hasNext":true}"#
        for parts in [
            [handled, outer, inner, other], [outer, handled, inner, other], [other, outer, inner, handled],
            [outer, handled, other, inner],
        ] {
            try Self.expectWhole(
                #"{"data":{"friend":{"id":"1","best":{"id":"2","best":{"id":"3","name":"C"}}},"me":{"id":"9","name":"D"}}}"#,
                [first] + parts + [#"{"hasNext":false}"#],
                """
                {friend:+User{id:ID! <>@defer("A"){best:+User@handle("names","F"){id:ID!}} <>@defer("B"){best:+User{id:ID! \
                best:+User{id:ID! <>@defer("C"){name:String}}}}} <>@defer("D"){me:+User{id:ID! name:String}}}
                """, [names], before: isKnown ? old : nil)
        }
    }

    /// The page info may come first at another place of the same page, and grow there.
    @Test func aConnectionGetsPageInfoFromAnotherPlace() throws {
        let edges = #""edges":[{"cursor":"a","node":{"id":"1"}}]"#
        let info = #""pageInfo":{"endCursor":"a","startCursor":"s","hasNextPage":true}"#
        let user = #"{"id":"u","posts":{\#(edges),\#(info)}}"#
        try Self.expectWhole(
            #"{"data":{"friend":\#(user),"me":\#(user)}}"#,
            [
                #"{"data":{"friend":{"id":"u","posts":{\#(edges)}}},"pending":[{"id":"0","label":"B","path":[]},{"id":"1","label":"A","path":["friend","posts"]}],"hasNext":true}"#,
                #"{"pending":[{"id":"2","label":"C","path":["me","posts"]}],"incremental":[{"id":"0","data":{"me":{"id":"u","posts":{"pageInfo":{"endCursor":"a"}}}}}],"completed":[{"id":"0"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"2","subPath":["pageInfo"],"data":{"startCursor":"s"}}],"completed":[{"id":"2"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","data":{"pageInfo":{"endCursor":"a","hasNextPage":true}}}],"completed":[{"id":"1"}],"hasNext":false}"#,
            ],
            #"{friend:+User{id:ID! posts(first:1):Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} "#
                + #"<>@defer("A"){pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}} "#
                + #"<>@defer("B"){me:+User{id:ID! posts(first:1):Posts{pageInfo:PageInfo{endCursor:String} "#
                + #"<>@defer("C"){pageInfo:PageInfo{startCursor:String}}}}}}"#)
    }

    /// A list without parts of its own may bring the page info of a page, and the fields of the page info may come with
    /// items of several lists, in both formats and in any order.
    @Test(arguments: [true, false]) func aConnectionGetsPageInfoFromItemsOfLists(_ isAnnounced: Bool) throws {
        let edges = #""edges":[{"cursor":"a","node":{"id":"1"}}]"#
        let all = #"{"id":"u","posts":{"pageInfo":{"endCursor":"a"}}}"#
        let others = #"{"id":"u","posts":{"pageInfo":{"startCursor":"s"}}}"#
        let info = #""pageInfo":{"endCursor":"a","hasNextPage":true}"#
        let pending = [
            #""label":"S","path":["all"]"#, #""label":"T","path":["others"]"#,
            #""label":"A","path":["friend","posts"]"#,
        ]
        let old = [
            #""label":"S","path":["all",0],"items":[\#(all)]"#,
            #""label":"T","path":["others",0],"items":[\#(others)]"#,
            #""label":"A","path":["friend","posts"],"data":{\#(info)}"#,
        ]
        let new = [#""items":[\#(all)]"#, #""items":[\#(others)]"#, #""data":{\#(info)}"#]
        let announced = pending.enumerated().map { #"{"id":"\#($0)",\#($1)}"# }.joined(separator: ",")
        let first =
            #"{"data":{"friend":{"id":"u","posts":{\#(edges)}},"all":[],"others":[]},\#(isAnnounced ? #""pending":[\#(announced)],"# : "")"hasNext":true}"#
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let parts = order.map { number in
                isAnnounced
                    ? #"{"incremental":[{"id":"\#(number)",\#(new[number])}],"completed":[{"id":"\#(number)"}],"hasNext":true}"#
                    : #"{\#(old[number]),"hasNext":true}"#
            }
            try Self.expectWhole(
                #"{"data":{"friend":{"id":"u","posts":{\#(edges),\#(info)}},"all":[\#(all)],"others":[\#(others)]}}"#,
                [first] + parts + [#"{"hasNext":false}"#],
                #"{friend:+User{id:ID! posts(first:1):Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} "#
                    + #"<>@defer("A"){pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}} "#
                    + #"all:[+User]@stream("S",0){id:ID! posts(first:1):Posts{pageInfo:PageInfo{endCursor:String}}} "#
                    + #"others:[+User]@stream("T",0){id:ID! posts(first:1):Posts{pageInfo:PageInfo{startCursor:String}}}}"#
            )
        }
    }

    /// A later fragment under a type condition that does not hold gives no field a place. Whether the condition holds
    /// is only known when the fragment comes, or when the response ends without it.
    @Test(arguments: [true, false], [true, false]) func aFragmentThatDoesNotApplyGivesAPageNoPlace(
        _ applies: Bool, _ isAnnounced: Bool
    ) throws {
        func page(_ number: Int) -> String {
            #""edges":[{"cursor":"c\#(number)","node":{"id":"\#(number)"}}],"pageInfo":{"endCursor":"c\#(number)","hasNextPage":true}"#
        }
        let fields =
            #"Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}"#
        let plan =
            #"{me:+*Character{id:ID! <*Pilot>@defer("N"){posts(first:1):Posts{note:String}} "#
            + #"<>@defer("B"){next=posts(after:"c1",first:1):\#(fields)} <>@defer("P"){posts(first:1):\#(fields)}}}"#
        let start = #""__typename":"Human","id":"u""#
        let (posts, next) = (#""posts":{\#(page(1))}"#, #""next":{\#(page(2))}"#)
        let noted = #""__isPilot":"Human","posts":{"note":"n"}"#
        let whole =
            applies
            ? #"{"data":{"me":{\#(start),"__isPilot":"Human","posts":{"note":"n",\#(page(1))},\#(next)}}}"#
            : #"{"data":{"me":{\#(start),\#(next),\#(posts)}}}"#
        let parts = [("P", posts), ("B", next)] + (applies ? [("N", noted)] : [])
        let orders =
            applies ? [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] : [[0, 1], [1, 0]]
        let pending = parts.enumerated().map { #"{"id":"\#($0)","label":"\#($1.0)","path":["me"]}"# }
        let announced = isAnnounced ? #""pending":[\#(pending.joined(separator: ","))],"# : ""
        for order in orders {
            let payloads = order.map { number in
                isAnnounced
                    ? #"{"incremental":[{"id":"\#(number)","data":{\#(parts[number].1)}}],"completed":[{"id":"\#(number)"}],"hasNext":true}"#
                    : #"{"label":"\#(parts[number].0)","path":["me"],"data":{\#(parts[number].1)},"hasNext":true}"#
            }
            let first = #"{"data":{"me":{\#(start)}},\#(announced)"hasNext":true}"#
            try Self.expectWhole(whole, [first] + payloads + [#"{"hasNext":false}"#], plan, comparesFacts: false)
            let last = payloads[payloads.count - 1].replacing(#""hasNext":true"#, with: #""hasNext":false"#)
            try Self.expectWhole(whole, [first] + payloads.dropLast() + [last], plan, comparesFacts: false)
        }
    }

    /// A server need not send a fragment inside of another one by itself; its fields then come with the outer one, also
    /// at places that only the inner one selects.
    @Test func anInnerFragmentMayComeWithTheOuterOne() throws {
        try Self.expectWhole(
            #"{"data":{"me":{"id":"1","name":"A","best":{"id":"2","name":"B"}}}}"#,
            [
                #"{"data":{"me":{"id":"1","best":{"id":"2"}}},"pending":[{"id":"5","label":"A","path":["me"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"5","data":{"name":"A"}},{"id":"5","subPath":["best"],"data":{"name":"B"}}],"hasNext":true}"#,
                #"{"completed":[{"id":"5"}],"hasNext":false}"#,
            ],
            #"{me:+User{id:ID! best:+User{id:ID!} <>@defer("A"){name:String <>@defer("B"){best:+User{id:ID! name:String}}}}}"#
        )
    }

    /// A page that a response has at two places is merged once, in one payload or in several: a null edge and a
    /// repeated node are as they are in the page.
    @Test func aPageAtTwoPlacesIsMergedOnce() throws {
        let posts =
            #"{"edges":[null,{"cursor":"b","node":{"id":"1"}},{"cursor":"c","node":{"id":"1"}}],"pageInfo":{"endCursor":"c","hasNextPage":true}}"#
        let user = #"{"id":"u","posts":\#(posts)}"#
        let selections =
            #"{id:ID! posts(after:"a",first:3):Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} pageInfo:PageInfo{endCursor:String hasNextPage:Boolean}}}"#
        try Self.expectWhole(
            #"{"data":{"me":\#(user),"friend":\#(user)}}"#,
            [
                #"{"data":{"me":\#(user)},"hasNext":true}"#,
                #"{"label":"F","path":[],"data":{"friend":\#(user)},"hasNext":true}"#, #"{"hasNext":false}"#,
            ], #"{me:+User\#(selections) <>@defer("F"){friend:+User\#(selections)}}"#)
    }

    /// What somebody else does to a connection between two parts stays; the later part is carried on to the rest.
    @Test func aLaterPartKeepsWhatWasChangedBefore() throws {
        let plan =
            #"{posts(first:2):Posts@connection("K"){edges:[Edge]{node:+Post{id:ID!} <>@defer("E"){cursor:String}}}}"#
        let store = Self.store()
        try Self.land(
            [
                #"{"data":{"posts":{"edges":[{"node":{"id":"1"}},{"node":{"id":"2"}}]}},"hasNext":true}"#,
                #"{"label":"E","path":["posts","edges",1],"data":{"cursor":"b"},"hasNext":false}"#,
            ], plan, in: store,
            between: { store in
                try store.update { records in
                    let connection = try #require(records.connection(on: records.root, key: "K"))
                    try connection.deleteNode("1")
                    try connection.prepend(node: records.create("3", type: "Post"))
                }
            })
        try store.update { records in
            let connection = try #require(records.connection(on: records.root, key: "K"))
            #expect(connection.nodes.map { $0?.dataID } == ["3", "2"])
            #expect(connection.edge(of: "2")?.value(forField: "cursor") == "b")
        }
    }

    /// What somebody else has moved into the middle of a list is not in it twice when the response brings it, although
    /// the list is as long as before and ends with the same item.
    @Test func whatOthersMovedIntoAListIsNotRepeated() throws {
        func lists(_ plan: String, _ path: String, _ data: String, _ item: (Int) -> String) throws -> [[DataID?]] {
            let store = Self.store()
            var payloads = [#"{"data":\#(data),"pending":[{"id":"0","label":"S","path":[\#(path)]}],"hasNext":true}"#]
            payloads += [1, 2, 3, 4, 5].map { #"{"incremental":[{"id":"0","items":[\#(item($0))]}],"hasNext":true}"# }
            var lists: [[DataID?]] = []
            try Self.land(payloads + [#"{"hasNext":false}"#], plan, in: store) { store in
                try store.update { records in
                    if let connection = records.connection(on: records.root, key: "K") {
                        lists.append(connection.nodes.map { $0?.dataID })
                        guard connection.count == 3, connection.contains("2") else { return }
                        let other = try records.create("4", type: "Post")
                        try connection.deleteNode("2")
                        _ = try connection.insertEdge(connection.createEdge(node: other), after: "c1")
                    } else {
                        let list = records.root.linkedRecords(forField: "all") ?? []
                        lists.append(list.map { $0?.dataID })
                        guard list.count == 3, list[1]?.dataID == "2" else { return }
                        let other = try records.create("4", type: "Post")
                        try records.root.setLinkedRecords([list[0], other, list[2]], forField: "all")
                    }
                }
            }
            return lists
        }
        let expected: [[DataID?]] = [[], ["1"], ["1", "2"], ["1", "2", "3"], ["1", "4", "3"], ["1", "4", "3", "5"]]
        let plain = try lists(#"{all:[+Post]@stream("S",0){id:ID!}}"#, #""all""#, #"{"all":[]}"#) {
            #"{"id":"\#($0)"}"#
        }
        #expect(plain == expected)
        let connection = try lists(
            #"{posts(first:9):Posts@connection("K"){edges:[Edge]@stream("S",0){cursor:String node:+Post{id:ID!}}}}"#,
            #""posts","edges""#, #"{"posts":{"edges":[]}}"#
        ) { #"{"cursor":"c\#($0)","node":{"id":"\#($0)"}}"# }
        #expect(connection == expected)
    }

    @Test func partsBeyondALimitAreATypedError() throws {
        let plan = #"{all:[+User]@stream("S",0){id:ID!}}"#
        let first = #"{"data":{"all":[]},"hasNext":true}"#
        for (limits, expected) in [
            (StoreOptions.IncrementalLimits(parts: 3), RelayError.InvalidResponse.Reason.tooManyParts(limit: 3)),
            (StoreOptions.IncrementalLimits(bytes: 200), .partsTooLarge(limit: 200)),
        ] {
            let store = Store(options: StoreOptions(incrementalLimits: limits))
            let error = #expect(throws: RelayError.InvalidResponse.self) {
                try Self.land([first] + Array(repeating: #"{"hasNext":true}"#, count: 50), plan, in: store)
            }
            #expect(error?.reason == expected)
        }
    }
}
