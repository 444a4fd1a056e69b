import BatonCompiler

package struct TextRange: Hashable, Sendable {
    package var start: TextPosition
    package var end: TextPosition

    package init(start: TextPosition, end: TextPosition) {
        self.start = start
        self.end = end
    }

    package init?(_ json: JSONValue?) {
        guard let start = TextPosition(json?["start"]), let end = TextPosition(json?["end"]) else { return nil }
        self.init(start: start, end: max(start, end))
    }

    package var json: JSONValue { ["start": start.json, "end": end.json] }
}
