import HTML

/// A height, drawn beside a door of two metres.
enum HeightScale {
    static func render(_ meters: Double?, name: String) -> HTML {
        guard let meters, meters > 0, meters < 20 else { return "" }
        let greatest = max(meters, 2) + 0.2
        let width = { (length: Double) in Double(Int(length / greatest * 2_800)) / 10 }
        // A short bar has its words beside it.
        let isLong = width(meters) > 70
        return """
            <svg class="scale" role="img" aria-label="\(name) is \(meters) m tall, beside a door of 2 m" \
            viewBox="0 0 280 56" width="280" height="56"><rect class="bar" width="\(width(meters))" height="24" rx="4"/>\
            <text class="\(isLong ? "inside" : "beside")" x="\(isLong ? 8 : width(meters) + 8)" y="17">\(meters) m</text>\
            <rect class="door" y="30" width="\(width(2))" height="24" rx="4"/>\
            <text class="beside" x="8" y="47">a door, 2 m</text></svg>
            """
    }
}
