"""Requests as an attacker writes them, byte by byte."""

# ruff: noqa: E501 - requests are easier to read whole

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from bench.attacking.attempt import Attempt, Field, Through

WORDS = {
    400: "malformed, before any handler (400)",
    401: "no right token (401)",
    403: "not allowed for this caller (403)",
    404: "no such thing, and no other route (404)",
    405: "no such method there (405)",
    410: "a dead capability (410)",
    413: "too large (413)",
    415: "JSON only (415)",
    421: "a host that is not ours (421)",
    422: "a value that does not fit (422)",
    426: "no such upgrade (426)",
    431: "headers too large (431)",
    501: "not known to the server (501)",
}
REFUSED = frozenset(WORDS) - {501}
HOST = "Host: 127.0.0.1\r\n"
END = "Connection: close\r\n\r\n"


async def status(field: Field, request: bytes) -> int:
    """0 when the connection was closed without a word."""
    reader, writer = await asyncio.open_connection("127.0.0.1", field.port)
    try:
        writer.write(request)
        async with asyncio.timeout(20):
            line = await reader.readline()
    except ConnectionError:
        line = b""
    finally:
        writer.close()
    return int(line.split()[1]) if line else 0


def raw(request: str, wanted: frozenset[int] = REFUSED) -> Callable[[Field], Awaitable[str]]:
    """``{bearer}``, ``{plugin}``, ``{module}`` stand for what the attacker is taken to know."""

    async def run(field: Field) -> str:
        text = request.replace("{bearer}", f"Authorization: Bearer {field.token}\r\n")
        text = text.replace("{plugin}", f"Authorization: Bearer {field.plugin_token}\r\n")
        text = text.replace("{module}", field.module_url).replace("{capability}", field.module_url.split("/")[2])
        text = text.replace("{short}", field.token[:-1]).replace("{upper}", field.token.swapcase())
        found = await status(field, text.encode("latin-1"))
        if found == 0:
            return "the connection was closed"
        if found not in wanted:
            raise Through(f"answered {found}")
        return WORDS.get(found, str(found))

    return run


def get(target: str, headers: str = "", method: str = "GET", host: str = HOST) -> str:
    return f"{method} {target} HTTP/1.1\r\n{host}{headers}{END}"


def body(method: str, target: str, text: str, headers: str = "", kind: str = "application/json") -> str:
    return f"{method} {target} HTTP/1.1\r\n{HOST}{headers}Content-Type: {kind}\r\nContent-Length: {len(text)}\r\n{END}{text}"


_SPELLINGS = (
    *("/v1/plugins", "//v1/plugins", "/v1//plugins", "/v1/./plugins", "/v1/health/../plugins", "/%76%31/plugins"),
    *("/v1%2fplugins", "/modules/../v1/plugins", "/modules/..%2fv1/plugins", "/modules/%2e%2e/v1/plugins"),
    *(
        "/sdk/%2e%2e%2fv1%2fplugins",
        "/workbench/../v1/plugins",
        "/v1/plugins;/v1/health",
        "/V1/PLUGINS",
        "/v1/plugins/",
    ),
    *("/v1/plugins?x=/v1/health", "/v1/plugins%00", "/%2fv1/plugins", "/v1/plugins%3f", "/api/plugins/board/items"),
    *("http://127.0.0.1/v1/plugins", "/openapi.json", "/%6dodules/x", "/v1\\plugins", "/v1/plugins#/v1/health"),
)
_HOSTS = (
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "169.254.169.254",
    "0x7f000001.evil.example",
    "",
)
_ORIGINS = (
    "https://evil.example",
    "http://127.0.0.1:1",
    "http://localhost.evil.example",
    "https://127.0.0.1.evil.example",
)
_FILES = (
    "/workbench/..%2f..%2fsettings.py",
    "/workbench/%2e%2e/%2e%2e/nouns.py",
    "/workbench/..\\..\\nouns.py",
    "/workbench//etc/passwd",
)
_TOKENS = (
    ("no token", ""),
    ("an empty token", "Authorization: Bearer \r\n"),
    ("another scheme", "Authorization: Basic YTpi\r\n"),
    ("a token without its last letter", "Authorization: Bearer {short}\r\n"),
    ("a token in other case", "Authorization: Bearer {upper}\r\n"),
    ("a token in a cookie", "Cookie: token={short}\r\n"),
    ("two tokens", "Authorization: Bearer x\r\n{bearer}"),
)
_SMUGGLED = (
    ("two hosts", f"GET /v1/plugins HTTP/1.1\r\n{HOST}Host: evil.example\r\n{{bearer}}{END}"),
    (
        "length and chunks",
        f"POST /v1/reload HTTP/1.1\r\n{HOST}{{plugin}}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n{END}0\r\n\r\nGET /v1/plugins HTTP/1.1\r\n\r\n",
    ),
    ("two lengths", f"POST /v1/reload HTTP/1.1\r\n{HOST}{{plugin}}Content-Length: 2\r\nContent-Length: 9\r\n{END}{{}}"),
    ("a header with a bare line feed", f"GET /v1/plugins HTTP/1.1\r\n{HOST}X: a\nAuthorization: Bearer x\r\n{END}"),
    ("a folded header", f"GET /v1/plugins HTTP/1.1\r\n{HOST}X: a\r\n Authorization: Bearer x\r\n{END}"),
    ("a header name with a blank", f"GET /v1/plugins HTTP/1.1\r\n{HOST}Authorization : Bearer x\r\n{END}"),
    ("HTTP/0.9", "GET /v1/plugins\r\n\r\n"),
    ("another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ("no host", f"GET /v1/plugins HTTP/1.1\r\n{{bearer}}{END}"),
    ("another method by a header", body("POST", "/v1/plugins", "{}", "X-HTTP-Method-Override: GET\r\n")),
    ("CR LF in the target", get("/v1/plugins%0d%0aX-Evil:1", "{plugin}")),
)
_PLUGIN_GOES = (
    ("reads the inventory", get("/v1/plugins", "{plugin}")),
    ("reads another's source", get("/v1/plugins/other/source", "{plugin}")),
    ("switches itself on", body("PUT", "/v1/plugins/board/enabled", '{"enabled": true}', "{plugin}")),
    ("pins itself", body("PUT", "/v1/plugins/board/integrity", '{"integrity": null}', "{plugin}")),
    ("reloads", body("POST", "/v1/reload", "{}", "{plugin}")),
    ("asks for a person's code", body("POST", "/v1/session/code", "{}", "{plugin}")),
    ("runs another's actions", body("POST", "/v1/plugins/other/actions", '{"action": "nav.settings"}', "{plugin}")),
    ("speaks as another", body("POST", "/v1/plugins/other/pet/lines", '{"text": "hi"}', "{plugin}")),
    (
        "goes by another spelling",
        body("POST", "/v1/plugins/board%2f..%2fother/pet/lines", '{"text": "hi"}', "{plugin}"),
    ),
    ("goes up from its backend", get("/api/plugins/board/..%2fother/x", "{plugin}")),
    ("reads the events' audit", get("/v1/policy/audit", "{plugin}")),
)
_BODIES = (
    ("a body of two mebibytes", body("POST", "/v1/reload", '{"ids": ["' + "a" * (2 << 20) + '"]}', "{bearer}")),
    (
        "a form instead of JSON",
        body("POST", "/v1/reload", "ids=board", "{bearer}", "application/x-www-form-urlencoded"),
    ),
    ("text instead of JSON", body("PUT", "/v1/plugins/board/enabled", '{"enabled": false}', "{bearer}", "text/plain")),
    ("broken JSON", body("POST", "/v1/reload", '{"ids": [', "{bearer}")),
    (
        "JSON nested 100,000 deep",
        body("POST", "/v1/reload", '{"ids":' + "[" * 100_000 + "]" * 100_000 + "}", "{bearer}"),
    ),
    ("a number that is no number", body("POST", "/v1/reload", '{"wait_s": 1e999}', "{bearer}")),
    ("a wait of a year", body("POST", "/v1/reload", '{"wait_s": 31536000}', "{bearer}")),
    ("a guessed code", body("POST", "/v1/session", '{"code": "00000000"}')),
    ("a code of a megabyte", body("POST", "/v1/session", '{"code": "' + "0" * 1_000_000 + '"}')),
    ("a pin of another form", body("PUT", "/v1/plugins/board/integrity", '{"integrity": "md5-x"}', "{bearer}")),
)


def attempts() -> list[Attempt]:
    found = [Attempt("path spelling", f"`{target}` without a token", raw(get(target))) for target in _SPELLINGS]
    found += [
        Attempt("path spelling", f"{method} of the inventory without a token", raw(get("/v1/plugins", "", method)))
        for method in ("HEAD", "OPTIONS", "TRACE", "CONNECT", "GeT")
    ]
    found += [
        Attempt(
            "request forging",
            f"host `{host}` with the token",
            raw(get("/v1/plugins", "{bearer}", host=f"Host: {host}\r\n")),
        )
        for host in _HOSTS
    ]
    found += [
        Attempt(
            "request forging",
            f"origin `{origin}` with the token",
            raw(get("/v1/plugins", "{bearer}" + f"Origin: {origin}\r\n")),
        )
        for origin in _ORIGINS
    ]
    found += [
        Attempt(
            "request forging",
            f"a preflight from `{origin}`",
            raw(get("/v1/reload", f"Origin: {origin}\r\nAccess-Control-Request-Method: POST\r\n", "OPTIONS")),
        )
        for origin in _ORIGINS[:2]
    ]
    found += [Attempt("token guessing", name, raw(get("/v1/plugins", headers))) for name, headers in _TOKENS]
    found += [Attempt("header injection", name, raw(request)) for name, request in _SMUGGLED]
    found += [Attempt("another's rights", f"a plugin {name}", raw(request)) for name, request in _PLUGIN_GOES]
    found += [Attempt("bodies", name, raw(request)) for name, request in _BODIES]
    found += [Attempt("path spelling", f"files by `{target}`", raw(get(target))) for target in _FILES]
    found.append(Attempt("header injection", "a header of 200 KB", raw(get("/v1/plugins", f"X: {'a' * 200_000}\r\n"))))
    found.append(
        Attempt("token guessing", "a module by a guessed capability", raw(get("/modules/" + "A" * 43 + "/plugin.js")))
    )
    found.append(
        Attempt("token guessing", "a capability for another file", raw(get("/modules/{capability}/endpoint.json")))
    )
    return found
