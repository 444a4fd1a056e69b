import HTML

/// The way from one page of a list to the next.
enum Paging {
    static func next(_ address: WebAddress?, _ title: String) -> HTML {
        guard let address else { return "" }
        return "<nav class=\"paging\" aria-label=\"Pages\"><a rel=\"next\" href=\"\(address)\">\(title)</a></nav>"
    }
}
