"""The check of dependencies objects to what deny.toml does not allow, and to nothing else."""

import pytest

from dependencies import ROOT, Package, Policy, is_allowed

POLICY = Policy.parse("""
    licenses = { allow = ["MIT", "Zlib"], exceptions = [{ crate = "special", allow = ["MPL-2.0"] }] }
    bans = { deny = [{ crate = "old", reason = "use new" }] }
    sources = { allow-registry = ["https://index.example"] }
""")
REGISTRY = "registry+https://index.example"


@pytest.mark.parametrize(
    "licence",
    ["MIT", "MIT OR GPL-3.0-only", "GPL-3.0-only/MIT", "MIT AND Zlib", "(GPL-3.0-only OR MIT) AND Zlib"],
)
def test_licences_that_can_be_satisfied(licence: str) -> None:
    assert is_allowed(licence, POLICY.licences)


@pytest.mark.parametrize(
    "licence",
    [
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "(MIT OR Zlib) AND GPL-3.0-only",
        "MIT WITH LLVM-exception",
        "Mine",
        "MIT OR",
    ],
)
def test_licences_that_cannot(licence: str) -> None:
    assert not is_allowed(licence, POLICY.licences)


@pytest.mark.parametrize(
    ("package", "objections"),
    [
        (Package("new", "1.0.0", "MIT", REGISTRY), []),
        (Package("special", "1.0.0", "MPL-2.0", REGISTRY), []),
        (
            Package("other", "1.0.0", "MPL-2.0", REGISTRY),
            ["other 1.0.0 has the licence MPL-2.0, which deny.toml does not allow"],
        ),
        (Package("new", "1.0.0", None, REGISTRY), ["new 1.0.0 has no licence"]),
        (Package("old", "1.0.0", "MIT", REGISTRY), ["old 1.0.0 is banned: use new"]),
        (
            Package("new", "1.0.0", "MIT", "git+https://example/new"),
            ["new 1.0.0 comes from git+https://example/new, which deny.toml does not allow"],
        ),
    ],
)
def test_objections(package: Package, objections: list[str]) -> None:
    assert list(POLICY.objections(package)) == objections


def test_the_policy_of_the_project_bans_what_was_replaced() -> None:
    policy = Policy.parse((ROOT / "deny.toml").read_text())
    package = Package("ttf-parser", "0.25.1", "MIT OR Apache-2.0", next(iter(policy.sources)))
    assert list(policy.objections(package)) == [f"ttf-parser 0.25.1 is banned: {policy.banned['ttf-parser']}"]
