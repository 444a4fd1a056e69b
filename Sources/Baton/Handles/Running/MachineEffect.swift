/// Something that a machine wants of others.
protocol MachineEffect: Sendable {
    var place: EffectPlace { get }
}
