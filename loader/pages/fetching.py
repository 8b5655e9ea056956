"""Asks a Hermes host elsewhere, bounded in bytes and in time, with its own credential and for nobody else.

No redirect is followed: a token goes to the host that was named and to no other. No cookie is kept, no proxy and no
file of the user's is looked at, and nothing is unpacked, so that an answer is as large as what arrives.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

from loader.errors import UsageError
from loader.loopback import is_plain_http
from loader.pages.host import ANSWER_LIMIT_BYTES, Fetched

if TYPE_CHECKING:
    import httpx  # a tenth of a second of each service's start, which most never need

CONNECTIONS = 4
# A shorter token is found in any text, and guards nothing.
TOKEN_LETTERS = 8


def check_client_address(address: str) -> None:
    """Raises UsageError for an address that no request could be sent to: a name that is no domain's, say."""
    import httpx

    try:
        _ = httpx.URL(address).host  # it is decoded when it is asked for
    except (httpx.InvalidURL, UnicodeError) as error:
        raise UsageError(f"the address cannot be read ({error}).") from error


def host_client(address: str, token: str | None) -> httpx.AsyncClient:
    """A client for one host. Blocks (certificates are read): call it in a thread where others wait.

    Raises UsageError, as ``check_client_address`` does.
    """
    import httpx

    check_client_address(address)
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return httpx.AsyncClient(
        base_url=address,
        headers=headers,
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        follow_redirects=False,
        trust_env=False,
        # Certificates cost a tenth of a second to read, and plain http has none; no redirect leads to https.
        verify=not is_plain_http(address),
        # A connection for each request: nothing has to be closed, and a hostile host holds none.
        limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=0),
    )


async def ask_host(
    http: httpx.AsyncClient,
    method: str,
    path: str,
    body: Mapping[str, Any] | None = None,
    *,
    timeout_s: float,
    token: str | None = None,
) -> Fetched:
    """The answer. ``timeout_s`` is for the whole of it. Never raises for what the other side does.

    ``token``: an answer that repeats it is not handed on.
    """
    import httpx

    content = None if body is None else json.dumps(body)
    headers = None if body is None else {"Content-Type": "application/json"}
    try:
        async with (
            asyncio.timeout(timeout_s),
            http.stream(method, path, content=content, headers=headers, timeout=timeout_s) as response,
        ):
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                return Fetched(0, "", "its answer is packed, which was not asked for")
            data = bytearray()
            async for chunk in response.aiter_raw():
                data += chunk
                if len(data) > ANSWER_LIMIT_BYTES:
                    return Fetched(0, "", f"more than {ANSWER_LIMIT_BYTES} bytes")
            status, text = response.status_code, data.decode("utf-8-sig")
    except (TimeoutError, httpx.TimeoutException):
        return Fetched(0, "", f"no answer within {timeout_s:g} s")
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        return Fetched(0, "", f"no answer: {error or type(error).__name__}")
    if token and len(token) >= TOKEN_LETTERS and token in text:
        return Fetched(0, "", "its answer repeats the token that it was sent")
    return Fetched(status, text)
