import Baton

func dataForReference(_ data: HeroDetailsQuery.Data, _ environment: RelayEnvironment) {
    _ = FragmentHandle(data.hero, in: environment)
    _ = FragmentHandle<CharacterBits>(data.hero, in: environment)
    // error: 'init(_:in:)' is unavailable: the fields of a fragment are masked: pass its reference, 'data.fragments.x'
}
