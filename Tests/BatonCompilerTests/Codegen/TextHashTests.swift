import BatonCodegen
import Testing

@Suite struct TextHashTests {
    @Test func knownTextsHaveKnownHashes() {
        let known = [
            (
                "", "d41d8cd98f00b204e9800998ecf8427e",
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
            ),
            (
                "abc", "900150983cd24fb0d6963f7d28e17f72",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
            ),
            (
                "message digest", "f96b697d7cb7938d525a2f31aaf161d0",
                "f7846f55cf23e14eebeab5b4e1550cad5b509e3348fbc4efa3a1413d393cb650"
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "8215ef0796a20bcaaae116d3876c664a",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                "query ü { 😀 }\n", "526d21ac4c07d297ce06eb7ce2c3bb01",
                "b42531f511b77be1f0aa9c1610f239dbba1ae3509ee3bf2e07c3d6a7de0343b5"
            ),
        ]
        for (text, md5, sha256) in known {
            #expect(TextHash.md5.id(of: text) == md5)
            #expect(TextHash.sha256.id(of: text) == sha256)
        }
    }

    /// Texts of each length up to several blocks. The expected value is the hash of all their hashes, by Python's
    /// hashlib.
    @Test(arguments: [
        (TextHash.md5, "7c4e753999c135597a5869007f275687"),
        (TextHash.sha256, "173ec24d4226f2fba9047eafc8366456c48ed4695bcb15bbbf5dbafd0eebb309"),
    ])
    func everyLengthIsPadded(_ hash: TextHash, _ expected: String) {
        var hashes = ""
        for length in 0..<300 {
            // ASCII, so that each scalar is a byte.
            let text = String(
                String.UnicodeScalarView((0..<length).map { Unicode.Scalar(UInt8(($0 * 7 + length) % 127)) }))
            hashes += hash.id(of: text)
        }
        #expect(hash.id(of: hashes) == expected)
    }
}
