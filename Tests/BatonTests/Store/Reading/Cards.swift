// swift-format-ignore-file: AlwaysUseLowerCamelCase

@testable import Baton

/// A hand-written query that spreads one fragment with different arguments, in the form of generated code.
enum Cards {
    /// `fragment Card on User @argumentDefinitions(size: {defaultValue: 16}, detailed: {defaultValue: false})
    /// { image(size: $size) name @include(if: $detailed) }`
    struct Card: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Card", typeCondition: "User",
            reader: "(size=16,detailed=false){image(size:$size):String [detailed]name:String}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var image: String? { __row.optionalString(0) }
            var name: String? { __row.optionalString(1) }
        }

        struct Writable: GeneratedCode.WritableSelections {
            let place: GeneratedCode.WritablePlace
            init(_ place: GeneratedCode.WritablePlace) { self.place = place }
            var image: String? {
                get { place.string(0) }
                nonmutating set { place.set(0, newValue) }
            }
        }
    }

    /// `fragment Frame on User @argumentDefinitions(width: {}, named: {})
    /// { ...Card @arguments(size: $width, detailed: $named) }`
    struct Frame: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(
            name: "Frame", typeCondition: "User", reader: "(width,named){~Card(detailed:$named,size:$width)}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var card: FragmentReference<Card> { __row.fragment(0) }
        }
    }

    /// `query Cards($n: Int, $detailed: Boolean) { user { id friends { id ...Card } ...Frame } }`, with three cards of
    /// the user.
    struct Query: GraphQLQuery {
        static let artifact = GeneratedCode.OperationArtifact(
            name: "Cards", kind: .query, text: "query Cards { }",
            normalization: "(n,detailed){user:+User{id:ID! small=image(size:1):String large=image(size:$n):String "
                + "plain=image(size:16):String [detailed]name:String friends:[+User]{id:ID! image(size:$n):String}}}",
            reader: "(n,detailed){user:+User{id:ID! ~Card(size:1) ~Card(detailed:$detailed,size:$n) ~Card "
                + "friends:[+User]{id:ID! ~Card(size:$n)} ~Frame(named:$detailed,width:$n)}}")

        var variables: Variables
        init(variables: Variables) { self.variables = variables }
        init(n: Int?, detailed: Bool? = nil) {
            variables = Variables(
                n: n.map { .value($0) } ?? .absent, detailed: detailed.map { .value($0) } ?? .absent)
        }

        struct Variables: GeneratedCode.Variables, Hashable {
            var n: GraphQLNullable<Int>
            var detailed: GraphQLNullable<Bool>

            var __fields: GeneratedCode.InputFields {
                .init("n detailed") {
                    $0.addInt(n.input)
                    $0.addBool(detailed.input)
                }
            }
        }

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var user: User? { __row.optionalObject(0) }

            struct User: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var small: FragmentReference<Card> { __row.fragment(1) }
                var large: FragmentReference<Card> { __row.fragment(2) }
                var plain: FragmentReference<Card> { __row.fragment(3) }
                var friends: ObjectList<Friend?>? { __row.optionalObjects(4) }
                var frame: FragmentReference<Frame> { __row.fragment(5) }
            }

            struct Friend: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
                var id: String { __row.string(0) }
                var card: FragmentReference<Card> { __row.fragment(1) }
            }
        }
    }

    /// The response of a server for a large image of a size, with some friends.
    static func answer(_ size: Int, name: String? = nil, friends: Int = 0) -> String {
        let list = (0..<friends).map { #"{"id":"f\#($0)","image":"f\#($0)-\#(size)"}"# }.joined(separator: ",")
        let name = name.map { #","name":"\#($0)""# } ?? ""
        return
            #"{"data":{"user":{"id":"1","small":"1-1","large":"1-\#(size)","plain":"1-16"\#(name),"friends":[\#(list)]}}}"#
    }
}

extension Cards.Card: WritableFragment {}
