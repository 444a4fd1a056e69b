/// Finds the path of a value in a response. Only failures need a path, so reading does not track it.
enum JSONPath {
    /// Returns the path, from the root of `data`, of the value at a byte offset; empty outside `data`.
    static func find(_ offset: Int, in body: [UInt8]) -> [JSONValue.PathComponent] {
        var path: [JSONValue.PathComponent] = []
        do throws(JSONFailure) {
            path = try JSONCursor.read(body) { (cursor) throws(JSONFailure) in walk(&cursor, to: offset) }
        } catch {
            return []
        }
        guard path.first == .key("data") else { return [] }
        return Array(path.dropFirst())
    }

    private static func walk(_ cursor: inout JSONCursor, to offset: Int) -> [JSONValue.PathComponent] {
        // The last component of `path` is the current position in the innermost open container.
        var path: [JSONValue.PathComponent] = []
        do throws(JSONFailure) {
            cursor.begin()
            while true {
                if cursor.position >= offset { return path }
                switch cursor.next {
                case 0x7B, 0x5B:
                    let isObject = cursor.next == 0x7B
                    guard path.count < JSONCursor.maximumDepth else { return path }
                    cursor.position += 1
                    cursor.skipSpace()
                    if cursor.next == (isObject ? 0x7D : 0x5D) {
                        cursor.position += 1
                        break
                    }
                    if isObject {
                        path.append(.key(try key(&cursor)))
                    } else {
                        path.append(.index(0))
                    }
                    continue
                default:
                    var ahead = cursor
                    try ahead.skipValue(depth: 0)
                    if ahead.position > offset { return path }
                    cursor = ahead
                }
                // A value has ended: the walk goes on to the next value, and leaves the containers that end here.
                while let last = path.last {
                    if case .index(let index) = last {
                        if try cursor.continues(until: 0x5D) {
                            path[path.count - 1] = .index(index + 1)
                            break
                        }
                    } else if try cursor.continues(until: 0x7D) {
                        if cursor.position > offset { return path }
                        path[path.count - 1] = .key(try key(&cursor))
                        break
                    }
                    path.removeLast()
                    if cursor.position > offset { return path }
                }
                if path.isEmpty { return path }
            }
        } catch {
            return path
        }
    }

    private static func key(_ cursor: inout JSONCursor) throws(JSONFailure) -> String {
        let key = cursor.text(try cursor.string())
        try cursor.expectColon()
        return key
    }
}
