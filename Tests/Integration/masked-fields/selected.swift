import Baton

func selected(_ data: HeroDetailsQuery.Data, _ environment: RelayEnvironment) -> [String?] {
    let bits = data.hero.flatMap { environment.read($0.fragments.characterBits) }
    return [data.hero?.name, bits?.name, bits?.appearsIn.first?.rawValue]
}
