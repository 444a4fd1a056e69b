import HTML

/// The way from one page of a list to the next, and back to the first.
enum Paging {
    static func render(next: WebAddress?, _ title: String, first: WebAddress?) -> HTML {
        guard next != nil || first != nil else { return "" }
        let back = first.map { address -> HTML in "<a class=\"button\" href=\"\(address)\">From the beginning</a>" }
        let on = next.map { address -> HTML in "<a class=\"button\" rel=\"next\" href=\"\(address)\">\(title)</a>" }
        return "<nav class=\"paging\" aria-label=\"Pages\">\(on)\(back)</nav>"
    }
}
