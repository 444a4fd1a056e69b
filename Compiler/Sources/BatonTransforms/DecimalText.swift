/// The decimal texts of numbers.
package enum DecimalText {
    /// A floating-point literal as the shortest decimal that reads back as the same double, without an exponent and
    /// without `.0`. A literal that is no finite double stays as it is.
    package static func plain(_ literal: String) -> String {
        guard let value = Double(literal), value.isFinite else { return literal }
        var text = "\(value.magnitude)"
        var exponent = 0
        if let mark = text.firstIndex(of: "e") {
            exponent = Int(text[text.index(after: mark)...]) ?? 0
            text = String(text[..<mark])
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        var (whole, fraction) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        if fraction == "0" { fraction = "" }
        while exponent > 0 {
            whole.append(fraction.isEmpty ? "0" : fraction.removeFirst())
            exponent -= 1
        }
        while exponent < 0 {
            fraction.insert(whole.isEmpty ? "0" : whole.removeLast(), at: fraction.startIndex)
            exponent += 1
        }
        while whole.hasPrefix("0"), whole.count > 1 { whole.removeFirst() }
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let sign = value.sign == .minus ? "-" : ""
        return sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
