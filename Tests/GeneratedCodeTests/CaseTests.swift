import Baton
import Testing

/// The enum with a case for each type condition of a set.
@Suite struct CaseTests {
    private static let body = #"""
        {"data": {"shapes": [
         {"__typename": "Human", "__isNode": "Human", "__isCharacter": "Human", "id": "h", "name": "Leia", "height": 1.5,
          "friends": [{"__typename": "Droid", "id": "d", "name": "R2"}]},
         {"__typename": "Droid", "__isNode": "Droid", "__isCharacter": "Droid", "id": "d", "name": "R2", "serial": "S",
          "primaryFunction": "beep", "pals": []},
         {"__typename": "Gadget", "id": "g", "label": "lamp"},
         {"__typename": "Other", "label": "o", "case": {"__typename": "Human", "id": "h", "__isNode": "Human"}},
         {"__typename": "Wookiee", "__isNode": "Wookiee", "__isCharacter": "Wookiee", "id": "w", "name": "Chewie"},
         {"__typename": "Rock", "__isNode": "Rock", "id": "r"},
         {"__typename": "Cloud"},
         null
        ]}}
        """#

    private func describe(_ shape: ShapesQuery.Data.Shape?, in environment: RelayEnvironment) -> String {
        guard let shape else { return "null" }
        // Complete without a default.
        switch shape.asCase {
        case .droid(let droid):
            let function = environment.read(droid.fragments.droidBits)?.primaryFunction
            return "droid \(droid.name) \(droid.serial) \(function ?? "-")"
        case .human(let human):
            return "human \(human.name) \(human.height ?? 0) \(human.friends?.map { $0?.name ?? "-" } ?? [])"
        case .gadget(let gadget): return "gadget \(gadget.id) \(gadget.label ?? "-")"
        case .other2(let other):
            guard let inner = other.case else { return "other" }
            return switch inner.asCase {
            case .other2: "other in other"
            case .gadget: "gadget in other"
            case .other(let inner): "\(inner.__typename) in other"
            }
        case .character(let character): return "character \(character.name) \(character.asHuman == nil)"
        case .node(let node): return "node \(node.id)"
        case .other(let shape): return "\(shape.__typename)"
        }
    }

    @Test func anObjectIsOfTheNarrowestCaseWithAllItsFields() async throws {
        let (data, environment) = try await answer(ShapesQuery(), Self.body)
        #expect(
            data.shapes?.map { describe($0, in: environment) } == [
                #"human Leia 1.5 ["R2"]"#, "droid R2 S beep", "gadget g lamp", "Human in other",
                "character Chewie true", "node r", "Cloud", "null",
            ])
    }

    @Test func aConditionThatExcludesATypeLeavesTheOthers() async throws {
        let droid = #"""
            {"data": {"hero": {"__typename": "Droid", "id": "d1", "name": "R2", "appearsIn": [], "pals": [],
             "primaryFunction": "beep", "friend": {"id": "d2", "name": "C3"}, "__isMachine": "Droid", "serial": "X"}}}
            """#
        let (data, _) = try await answer(HeroDetailsQuery(withFriends: false), droid)
        guard case .droid(let object)? = data.hero?.asCase else {
            Issue.record("the hero is no droid")
            return
        }
        #expect(object.serial == "X" && object.friend.name == "C3")
        let human = #"{"data": {"hero": {"__typename": "Human", "id": "h", "name": "Leia", "appearsIn": []}}}"#
        let (other, _) = try await answer(HeroDetailsQuery(withFriends: false), human)
        guard case .other(let hero)? = other.hero?.asCase else {
            Issue.record("the inline fragment on Human is excluded")
            return
        }
        #expect(hero.name == "Leia")
    }
}
