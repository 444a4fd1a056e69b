import HTML

/// The picture of a character: the kind gives the shape, the name and the home give the colours.
enum Portrait {
    private struct Facts: Hashable {
        let kind: String
        let name: String
        let home: String?
        let size: Int
    }

    private static let drawings = Drawings<Facts>()

    /// Draws the picture, which is only there to be seen: the name stands beside it.
    static func render(_ kind: String, name: String, home: String?, size: Int = 72) -> HTML {
        drawings.picture(of: Facts(kind: kind, name: name, home: home, size: size), draw)
    }

    private static func draw(_ facts: Facts) -> HTML {
        let (kind, name, size) = (facts.kind, facts.name, facts.size)
        var dice = Dice(facts.home ?? name)
        let hue = dice.roll(360)
        var own = Dice(name)
        let (skin, clothes, hair) = (own.roll(360), own.roll(360), own.roll(hairs.count))
        let isLeft = own.roll(2) == 0
        let color = kind == "Human" ? skins[own.roll(skins.count)] : "hsl(\(skin),30%,\(55 + own.roll(25))%)"
        return """
            <svg class="portrait" viewBox="0 0 96 96" width="\(size)" height="\(size)" aria-hidden="true">\
            <rect width="96" height="96" rx="20" fill="hsl(\(hue),45%,32%)"/>\
            <circle cx="\(isLeft ? 18 : 78)" cy="\(16 + own.roll(8))" r="\(5 + own.roll(5))" fill="hsl(\(hue),60%,62%)"/>\
            \(figure(kind, color, "hsl(\(clothes),35%,48%)", hairs[hair]))</svg>
            """
    }

    private static let skins = ["#f1d3b8", "#e2b48f", "#c98f65", "#a56b45", "#7d4c2e", "#593621"]
    private static let hairs = ["#2b1d14", "#4d3220", "#7a5230", "#b98a4a", "#8d8d92", "#17151b"]

    private static func figure(_ kind: String, _ color: String, _ clothes: String, _ hair: String) -> HTML {
        switch kind {
        case "Droid":
            """
            <path d="M26 96V58a22 22 0 0 1 44 0v38z" fill="\(color)"/><circle cx="48" cy="54" r="8" fill="#111"/>\
            <circle cx="51" cy="51" r="2.5" fill="#fff"/><path d="M30 70h36v4H30zM48 36V24" stroke="#111" stroke-width="2"/>
            """
        case "Creature":
            """
            <path d="M18 96c0-20 12-28 30-28s30 8 30 28z" fill="\(color)"/><path d="M28 54 14 34l20 6q14-8 28 0l20-6-14 20q0 \
            20-20 20T28 54z" fill="\(color)"/><path d="M38 54h4M54 54h4" stroke="#111" stroke-width="5" stroke-linecap="round"/>
            """
        default:
            """
            <path d="M16 98c0-22 14-30 32-30s32 8 32 30z" fill="\(clothes)"/><path d="M42 58h12v12q-6 6-12 0z" fill="\(color)"/>\
            <circle cx="48" cy="46" r="18" fill="\(color)"/><path d="M29 47a19 19 0 0 1 38 0q-4-10-12-12-14 3-26 12z" fill="\(hair)"/>
            """
        }
    }
}
