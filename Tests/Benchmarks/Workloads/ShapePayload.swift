import Baton

/// A response of a certain shape and any length, and the operation that asks for it.
struct ShapePayload: Sendable {
    let name: String
    /// A short description.
    let note: String
    let bind: @Sendable (Store) -> BoundOperation
    /// The response key of the list.
    private let list: String
    private let item: @Sendable (_ index: Int) -> String
    /// The number of items that have about 1 MB.
    private let count: Int

    /// The bytes of the body, about 1 MB times `scale`.
    func body(scale: Int) -> [UInt8] {
        var text = #"{"data":{"\#(list)":["#
        for index in 0..<count * scale {
            if index > 0 { text += "," }
            text += item(index)
        }
        text += "]}}"
        return Array(text.utf8)
    }

    static let all = [
        ShapePayload(
            name: "deep", note: "objects without ids, 12 levels", bind: { $0.bind(BranchesQuery()) },
            list: "branches", item: { Self.branch($0, levels: 12) }, count: 120),
        ShapePayload(
            name: "wide", note: "objects of 120 scalar fields", bind: { $0.bind(SheetsQuery()) },
            list: "sheets", item: Self.sheet, count: 330),
        ShapePayload(
            name: "short-lists", note: "objects of five lists of two or three items", bind: { $0.bind(AlbumsQuery()) },
            list: "albums", item: Self.album, count: 2_100),
        ShapePayload(
            name: "scalar-lists", note: "lists of 50 numbers, texts and Booleans", bind: { $0.bind(SeriesQuery()) },
            list: "series", item: Self.series, count: 600),
        ShapePayload(
            name: "long-texts", note: "texts of 10 KB with escapes", bind: { $0.bind(ArticlesQuery()) },
            list: "articles", item: Self.article, count: 90),
        ShapePayload(
            name: "floats", note: "objects of six floats of up to 17 digits", bind: { $0.bind(PointsQuery()) },
            list: "points", item: Self.point, count: 4_800),
        ShapePayload(
            name: "connections", note: "connections of 20 edges with cursors", bind: { $0.bind(FeedsQuery()) },
            list: "feeds", item: Self.feed, count: 360),
    ]

    private static func branch(_ index: Int, levels: Int) -> String {
        let inner = levels == 1 ? "" : #","branches":[\#(branch(index * 7 + levels, levels: levels - 1))"#
        let second = levels == 1 || levels % 2 == 0 ? "" : ",\(branch(index * 5 + levels, levels: levels - 1))"
        let end = levels == 1 ? "}" : "]}"
        return #"{"name":"Branch \#(index % 1000) of level \#(levels)","weight":\#(index % 5000)"# + inner + second
            + end
    }

    private static func sheet(_ index: Int) -> String {
        var text = #"{"id":"sheet-\#(index)""#
        for field in 0..<120 {
            let value =
                switch field % 4 {
                case 0: #""text \#(index * 120 + field)""#
                case 1: "\((index * 31 + field) % 100_000)"
                case 2: "\(Double((index + field) % 1000) + 0.5)"
                default: index % (field + 1) == 0 ? "true" : "false"
                }
            text += #","field\#(field)":\#(value)"#
        }
        return text + "}"
    }

    private static func album(_ index: Int) -> String {
        let tags = (0..<3).map { #""tag \#((index + $0 * 13) % 50)""# }
        let artists = (0..<2).map { #"{"id":"artist-\#((index * 7 + $0 * 3) % 300)"}"# }
        let labels = (0..<2).map { offset in
            let label = (index * 3 + offset) % 100
            return #"{"id":"label-\#(label)","name":"Label number \#(label)"}"#
        }
        let tracks = (0..<3).map { #"{"title":"Track \#($0) of \#(index)","seconds":\#(120 + (index + $0) % 200)}"# }
        return #"{"id":"album-\#(index)","tags":[\#(tags.joined(separator: ","))]"#
            + #","years":[\#(1960 + index % 60),\#(index % 9)],"artists":[\#(artists.joined(separator: ","))],"labels":[\#(labels.joined(separator: ","))]"#
            + #","tracks":[\#(tracks.joined(separator: ","))]}"#
    }

    private static func series(_ index: Int) -> String {
        let counts = (0..<50).map { "\((index * 17 + $0 * 31) % 10_000)" }
        let values = (0..<50).map { "\(Double((index * 13 + $0 * 7) % 1000) + 0.125)" }
        let names = (0..<50).map { #""name \#((index + $0) % 100)""# }
        let flags = (0..<50).map { (index + $0) % 3 == 0 ? "true" : "false" }
        return #"{"id":"series-\#(index)","counts":[\#(counts.joined(separator: ","))]"#
            + #","values":[\#(values.joined(separator: ","))],"names":[\#(names.joined(separator: ","))],"flags":[\#(flags.joined(separator: ","))]}"#
    }

    private static func article(_ index: Int) -> String {
        var text = ""
        while text.utf8.count < 10_000 {
            let line = text.utf8.count
            text += #"Paragraph \#(line) of article \#(index) says \"something\" about it, in a line of some length.\n"#
            if line % 3 == 0 { text += "Gr\u{fc}\u{df}e aus K\u{f6}ln. " }
        }
        return #"{"id":"article-\#(index)","title":"Article \#(index)","text":"\#(text)"}"#
    }

    private static func point(_ index: Int) -> String {
        let angle = Double(index) * 0.618_033_988_75
        let values = [
            ("x", angle.truncatingRemainder(dividingBy: 7) * 31), ("y", 1 / (angle + 1)),
            ("z", Double(index % 100) / 8), ("latitude", angle.truncatingRemainder(dividingBy: 90)),
            ("longitude", angle / -3), ("speed", angle * 1e9),
        ]
        return #"{"id":"point-\#(index)","# + values.map { #""\#($0)":\#($1)"# }.joined(separator: ",") + "}"
    }

    private static func feed(_ index: Int) -> String {
        let edges = (0..<20).map { offset in
            let post = index * 20 + offset
            return #"{"cursor":"Y3Vyc29yOnYyOpHO\#(100_000 + post)","node":{"__typename":"Post","id":"post-\#(post)""#
                + #","title":"The title of post number \#(post)","likes":\#(post % 500)}}"#
        }
        return #"{"id":"feed-\#(index)","posts":{"edges":[\#(edges.joined(separator: ","))]"#
            + #","pageInfo":{"hasNextPage":true,"hasPreviousPage":false"#
            + #","startCursor":"Y3Vyc29yOnYyOpHO\#(100_000 + index * 20)","endCursor":"Y3Vyc29yOnYyOpHO\#(100_019 + index * 20)"}}}"#
    }
}
