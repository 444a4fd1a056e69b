extension Text {
    /// A text in Markdown as it was written, with blocks of code, quotations and headings set apart.
    public static func markdown(_ text: String) -> Text {
        var isCode = false
        let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        let styled = lines.compactMap { line -> Text? in
            if line.hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            if isCode { return Text("  \(line)", .color(.yellow)) }
            return Text(line, line.hasPrefix(">") ? .dim : line.hasPrefix("#") ? .bold : .plain)
        }
        return joined(styled, by: Text("\n"))
    }
}
