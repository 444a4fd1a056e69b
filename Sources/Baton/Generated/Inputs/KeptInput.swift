final class KeptInput: Sendable {
    let value: any Sendable
    let item: InputItem

    init(_ value: any Sendable, _ item: InputItem) { (self.value, self.item) = (value, item) }
}
