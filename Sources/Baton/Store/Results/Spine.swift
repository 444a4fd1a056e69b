/// A long list of objects: shelves with up to 64 objects each, in sections of up to 16 shelves.
///
/// A new read reuses whole sections without a change. A change of one item costs a part of its section, and a few loads
/// for each other section.
final class Spine: Sendable {
    let sections: [Section]
    /// The number of objects before each section, and at the end the number of all objects.
    let starts: [Int]
    /// The links of the list in the store, and for each section the number of links before it.
    let links: [RecordID]
    let sources: [Int]
    /// False if the list has no value, because a non-null object in it has none. The list counts as read nevertheless.
    let isWhole: Bool
    let isMissing: Bool

    init(_ sections: [Section], links: [RecordID], isWhole: Bool) {
        self.sections = sections
        self.links = links
        self.isWhole = isWhole
        var (starts, sources) = ([0], [0])
        starts.reserveCapacity(sections.count + 1)
        sources.reserveCapacity(sections.count + 1)
        var isMissing = false
        for section in sections {
            starts.append(starts[starts.count - 1] + section.count)
            sources.append(sources[sources.count - 1] + section.linkCount)
            if section.isMissing { isMissing = true }
        }
        self.starts = starts
        self.sources = sources
        self.isMissing = isMissing
    }

    /// The number of objects.
    var count: Int { starts[sections.count] }

    /// Returns the number of the section with an object.
    @inline(__always)
    func section(of object: Int) -> Int {
        Section.place(of: object, in: starts, guess: object / (Self.length * Section.length))
    }

    /// The greatest number of objects on a shelf of a list.
    static let length = 64
    /// The least number of objects with lists below them that make a list long.
    static let shortest = 16
}
