import Baton
import Films

@main struct Check {
    static func main() async throws {
        for (kind, wanted): (Outage.Kind, String) in [
            (.unreachable, "offline"), (.refuses, "refused: closed"), (.broken, "other"), (.cancelled, "cancelled"),
        ] {
            expect(await word(for: "f1", in: RelayEnvironment(network: Outage(kind))), wanted, "\(kind)")
        }
    }
}
