"""Checks the licences, names and sources of all dependencies against deny.toml.

The policy is in cargo-deny's format; this reads what deny.toml uses of it. cargo-deny itself takes
minutes to compile.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from license_expression import ExpressionError, LicenseExpression, get_spdx_licensing

ROOT = Path(__file__).resolve().parents[1]
LICENSING = get_spdx_licensing()


@dataclass(frozen=True)
class Package:
    """A crate from outside this repository."""

    name: str
    version: str
    licence: str | None
    source: str


@dataclass(frozen=True)
class Policy:
    """What dependencies may be."""

    licences: frozenset[str]
    exceptions: dict[str, frozenset[str]]
    banned: dict[str, str]
    sources: frozenset[str]

    @staticmethod
    def parse(text: str) -> "Policy":
        """Reads the policy from the text of deny.toml."""
        policy = tomllib.loads(text)
        licences = policy["licenses"]
        return Policy(
            licences=frozenset(licences["allow"]),
            exceptions={entry["crate"]: frozenset(entry["allow"]) for entry in licences["exceptions"]},
            banned={entry["crate"]: entry["reason"] for entry in policy["bans"]["deny"]},
            sources=frozenset(f"registry+{registry}" for registry in policy["sources"]["allow-registry"]),
        )

    def objections(self, package: Package) -> Iterator[str]:
        """Says what is wrong with a package."""
        name = f"{package.name} {package.version}"
        if package.name in self.banned:
            yield f"{name} is banned: {self.banned[package.name]}"
        if package.source not in self.sources:
            yield f"{name} comes from {package.source}, which deny.toml does not allow"
        allowed = self.licences | self.exceptions.get(package.name, frozenset())
        if package.licence is None:
            yield f"{name} has no licence"
        elif not is_allowed(package.licence, allowed):
            yield f"{name} has the licence {package.licence}, which deny.toml does not allow"


def is_allowed(licence: str, allowed: frozenset[str]) -> bool:
    """Tells whether an SPDX expression can be satisfied with the allowed licences alone."""

    def holds(expression: LicenseExpression) -> bool:
        match expression:
            case LICENSING.OR():
                return any(map(holds, expression.args))
            case LICENSING.AND():
                return all(map(holds, expression.args))
            case _:
                return expression.render() in allowed

    try:
        # Old crates write "MIT/Apache-2.0" for "MIT OR Apache-2.0".
        return holds(LICENSING.parse(licence.replace("/", " OR "), validate=True))
    except ExpressionError:
        return False


def dependencies(manifest: str) -> Iterator[Package]:
    """Lists all crates that a workspace depends on, on any platform."""
    command = ["cargo", "metadata", "--locked", "--all-features", "--format-version", "1"]
    command += ["--manifest-path", str(ROOT / manifest)]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    for package in metadata["packages"]:
        # Our own crates have no source.
        if package["source"]:
            yield Package(package["name"], package["version"], package["license"], package["source"])


def main() -> None:
    """Prints every objection, and fails if there is one."""
    policy = Policy.parse((ROOT / "deny.toml").read_text())
    packages = {*dependencies("Cargo.toml"), *dependencies("web/bindgen/Cargo.toml")}
    objections = sorted(objection for package in packages for objection in policy.objections(package))
    if objections:
        sys.exit("\n".join(objections))
    print(f"{len(packages)} crates have allowed names, licences and sources")


if __name__ == "__main__":
    main()
