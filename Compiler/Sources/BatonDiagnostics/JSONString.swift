extension String {
    /// The text as a JSON string with its quotes.
    ///
    /// Whatever a terminal would obey is escaped, control and format characters alike; everything else stays as it is.
    package var jsonString: String {
        let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain { return "\"" + self + "\"" }
        var output = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case _ where scalar.isPrintable: output.unicodeScalars.append(scalar)
            default:
                for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
                    let digits = String(unit, radix: 16)
                    output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return output + "\""
    }
}
