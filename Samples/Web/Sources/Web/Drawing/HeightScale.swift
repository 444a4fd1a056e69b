import HTML

/// A height, drawn beside a door of two metres.
enum HeightScale {
    static func render(_ meters: Double?, name: String) -> HTML {
        guard let meters, meters > 0, meters < 20 else { return "" }
        let greatest = max(meters, 2) + 0.2
        let width = { (length: Double) in Double(Int(length / greatest * 2_800)) / 10 }
        return """
            <svg class="scale" role="img" aria-label="\(name) is \(meters) m tall, beside a door of 2 m" \
            viewBox="0 0 280 44" width="280" height="44"><rect class="bar" width="\(width(meters))" height="16" rx="4"/>\
            <rect class="door" y="24" width="\(width(2))" height="16" rx="4"/></svg>
            """
    }
}
