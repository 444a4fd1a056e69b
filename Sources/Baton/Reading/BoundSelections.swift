/// A plan whose names are interned in one store and whose variables have values.
package final class BoundSelections: Sendable {}
