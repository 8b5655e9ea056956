import pytest

from tests.server.conftest import InProcess

pytestmark = pytest.mark.anyio
TEXT = (
    "import { host } from '@hermes/plugin-sdk'\nimport { memo } from \"react\"\nexport default '😀 from \\'react\\''\n"
)


async def module_url(app: InProcess) -> str:
    return str(app.parts.hub.snapshot().partition('"module_url":"')[2].partition('"')[0])


async def test_a_module_is_the_verified_bytes_as_written(app: InProcess) -> None:
    running = app.pipeline.save("clock", TEXT, bom=True)
    response = await app.http.get(await module_url(app))
    assert response.content == running.source.data
    assert response.headers["content-type"] == "text/javascript; charset=utf-8"


async def test_a_rewritten_module_names_the_shims_of_its_own_capability(app: InProcess) -> None:
    app.pipeline.save("clock", TEXT, bom=True)
    url = await module_url(app)
    capability = url.split("/")[2]
    response = await app.http.get(url, params={"sdk": "rewrite"})
    assert response.text == TEXT.replace("'@hermes/plugin-sdk'", f'"/sdk/{capability}/plugin-sdk.js"').replace(
        '"react"', f'"/sdk/{capability}/react.js"'
    )
    for name in ("plugin-sdk", "react", "jsx-runtime"):
        shim = await app.http.get(f"/sdk/{capability}/{name}.js")
        assert shim.status_code == 200 and "export { standard as default };" in shim.text
    assert "as useState }" in (await app.http.get(f"/sdk/{capability}/react.js")).text


async def test_a_shells_announcement_shows_in_the_shim(app: InProcess) -> None:
    app.pipeline.save("clock", TEXT)
    app.parts.exports.announce("s1", {"react": ("memo",)})
    capability = (await module_url(app)).split("/")[2]
    text = (await app.http.get(f"/sdk/{capability}/react.js")).text
    assert "as memo }" in text and "useState" not in text


@pytest.mark.parametrize("how", ["changed", "stopped", "removed"])
async def test_a_capability_dies_with_its_revision(app: InProcess, how: str) -> None:
    app.pipeline.save("clock", TEXT)
    url = await module_url(app)
    capability = url.split("/")[2]
    assert (await app.http.get(url)).status_code == 200
    match how:
        case "changed":
            app.pipeline.save("clock", "2")
        case "stopped":
            app.pipeline.stop("clock")
        case _:
            app.pipeline.remove("clock")
    for path in (url, f"{url}?sdk=rewrite", f"/sdk/{capability}/react.js"):
        response = await app.http.get(path)
        assert response.status_code == 410
        assert response.json()["type"] == "urn:hermes-desktop:problem:dead-capability"
        assert response.headers["access-control-allow-origin"] == "*"


async def test_a_capability_opens_its_own_plugin_only(app: InProcess) -> None:
    app.pipeline.save("clock", "'clock'")
    url = await module_url(app)
    app.pipeline.save("notes", "'notes'")
    assert (await app.http.get(url)).text == "'clock'"


@pytest.mark.parametrize(
    "path", ["/modules/x/plugin.js", "/modules/x/other.js", "/sdk/x/react-dom.js", "/sdk/x/react", "/modules/plugin.js"]
)
async def test_what_was_never_granted_opens_nothing(app: InProcess, path: str) -> None:
    app.pipeline.save("clock")
    assert (await app.http.get(path)).status_code in (404, 410, 422)


@pytest.mark.parametrize("name", ["evil", "react-dom", "__proto__"])
async def test_a_module_that_no_shell_has_is_not_there(app: InProcess, name: str) -> None:
    app.pipeline.save("clock")
    capability = app.parts.hub.snapshot().partition("/modules/")[2].partition("/")[0]
    assert (await app.http.get(f"/sdk/{capability}/react.js")).status_code == 200
    assert (await app.http.get(f"/sdk/{capability}/{name}.js")).status_code == 404
