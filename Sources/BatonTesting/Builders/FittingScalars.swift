// Scalars have several owners, this one for builders; ReadingTheDesign.md names the others.

import Baton

/// Finds values of mapped scalars that their conversions take.
enum FittingScalars {
    /// A generator of the first usual value that the conversion takes: that of the world's table, or else a number, a
    /// time, an address and the like.
    static func generator(for decoder: GeneratedCode.ScalarDecoder) -> World.ScalarGenerator {
        { draw in
            let own = LeafTable.value(of: decoder.name, draw)
            for candidate in [own] + usual(draw) where (try? decoder.decode(candidate)) != nil { return candidate }
            return own
        }
    }

    private static func usual(_ draw: World.Draw) -> [JSONValue] {
        let number = draw.int(1...100)
        let uuid = "00000000-0000-4000-8000-0000000000\(10 + number % 90)"
        let texts = [
            String(number), "\(number).50", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.678Z", "2020-01-02",
            "03:04:05", "https://example.com/\(number)", uuid, "AAEC", "#336699", "en", "EUR", "PT1H", "1,2", "{}", "",
        ]
        return [.int(number), .double(Double(number) + 0.5)] + texts.map { .string($0) }
            + [.bool(true), .array([]), .object([]), .int(1_577_934_245), .int(1_577_934_245_000)]
    }
}
