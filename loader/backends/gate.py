"""Whether a backend may be imported at all. Pure: importing is running, so this comes before everything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from loader.backends.catalog import Catalog, Manifest
from loader.backends.config import Lists

Refusal: TypeAlias = Literal["not-enabled", "disabled", "no-manifest", "no-api", "name-mismatch"]


@dataclass(frozen=True, slots=True)
class Refused:
    """``detail`` is one line for people, with the way out."""

    why: Refusal
    detail: str


def judge(name: str, catalog: Catalog, lists: Lists) -> Manifest | Refused:
    """The backend that answers under ``/api/plugins/<name>/``, or why none does."""
    manifest = catalog.by_name.get(name)
    if manifest is None:
        return _absent(name, catalog)
    if manifest.api is None:
        why: Refusal = "no-manifest" if "cannot be understood" in (manifest.problem or "") else "no-api"
        return Refused(why, f"{name}: {manifest.problem}")
    return _switched(manifest, lists) or manifest


def _absent(name: str, catalog: Catalog) -> Refused:
    other = catalog.by_folder.get(name)
    other = other or next((one for one in catalog.by_folder.values() if one.plugin_name == name), None)
    if other is not None:
        named = f"plugin.yaml says '{other.plugin_name}', " if other.plugin_name else ""
        return Refused(
            "name-mismatch",
            f"the backend in {other.folder.name}/ goes by another name: {named}the folder is '{other.folder.name}', "
            f"dashboard/manifest.json says '{other.name}'. Give all three one name.",
        )
    return Refused("no-manifest", f"no package of this home has a dashboard/manifest.json that names '{name}'")


def _switched(manifest: Manifest, lists: Lists) -> Refused | None:
    for name in manifest.names:
        if name in lists.disabled:
            return Refused(
                "disabled",
                f"'{name}' stands in plugins.disabled of config.yaml. Run: hermes-desktop backend enable {name}",
            )
    missing = [name for name in manifest.names if name not in lists.enabled]
    if not missing:
        return None
    if lists.problem is not None:
        return Refused("not-enabled", f"{lists.problem}, so nothing counts as enabled")
    if len(missing) < len(manifest.names):
        return Refused(
            "name-mismatch",
            f"plugin.yaml says '{manifest.plugin_name}', dashboard/manifest.json says '{manifest.name}', and only one "
            f"of them stands in plugins.enabled. Run: hermes-desktop backend enable {manifest.name}",
        )
    return Refused(
        "not-enabled",
        f"'{manifest.name}' is not in plugins.enabled of config.yaml. "
        f"Run: hermes-desktop backend enable {manifest.name}",
    )
