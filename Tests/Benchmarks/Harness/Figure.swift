/// One number of the report, with its target if it has one.
struct Figure {
    enum Better: String {
        case higher
        case lower
    }

    let id: String
    let value: Measurement
    let unit: String
    var target: Double?
    var better: Better
    /// A short description of the measured work.
    let note: String

    var meetsTarget: Bool? {
        target.map { better == .higher ? value.median >= $0 : value.median <= $0 }
    }

    /// `{"id": ..., "value": ..., "unit": ..., "low": ..., "high": ..., "target": ..., "better": ...}` on one line.
    var json: String {
        var members = [
            #""id": "\#(id)""#, #""value": \#(rounded(value.median))"#, #""unit": "\#(unit)""#,
            #""low": \#(rounded(value.low))"#, #""high": \#(rounded(value.high))"#,
        ]
        if let target { members.append(#""target": \#(rounded(target))"#) }
        members.append(#""better": "\#(better.rawValue)""#)
        return "{" + members.joined(separator: ", ") + "}"
    }

    /// One line of the table.
    var row: String {
        let goal = target.map { "\(better == .higher ? ">=" : "<=") \(rounded($0)) \(unit)" } ?? ""
        let verdict = meetsTarget.map { $0 ? "ok" : "MISSED" } ?? ""
        return [
            pad(id, 30), pad("\(rounded(value.median)) \(unit)", 14),
            pad("\(rounded(value.low)) ... \(rounded(value.high))", 20), pad(goal, 12), pad(verdict, 7), note,
        ].joined(separator: " ")
    }

    static let header = [
        pad("id", 30), pad("median", 14), pad("spread", 20), pad("target", 12), pad("", 7), "what",
    ].joined(separator: " ")
}

/// Rounds to three significant digits; more are meaningless on a noisy machine.
private func rounded(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return "\(value)" }
    var scale = 1.0
    var magnitude = abs(value)
    while magnitude < 100 { (magnitude, scale) = (magnitude * 10, scale * 10) }
    let number = (value * scale).rounded() / scale
    return number == number.rounded() ? "\(Int(number))" : "\(number)"
}

private func pad(_ text: String, _ width: Int) -> String {
    text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
}
