import Baton

extension GeneratedCode.InputFields {
    /// Makes the fields of a struct that is written by hand.
    init(_ names: String, _ add: (inout Self) -> Void) {
        self.init(names, count: 1)
        add(&self)
    }

    static var none: Self { .init("", count: 0) }
}
