"""The service as programs and the command line see it.

>>> from loader import client
>>> rows = client.reload("/home/ada/.hermes")                     # doctest: +SKIP

Every failure is a ``LoaderError`` whose ``exit_code`` says what `hermes-desktop` would exit with:

====================  ====  =====================================================================
``UsageError``        2     no such home, no such plugin, a value that does not fit
``NoService``         3     no service runs for this home (its message says how to start one)
``LoaderError``       3     the service failed, or went away meanwhile
``NeedsPerson``       4     only a person may do this: through the page, or the terminal's question
``ShellsSilent``      5     a shell did not report in time; ``rows`` holds what is known
====================  ====  =====================================================================
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeAlias
from urllib.parse import quote, urlencode

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect as connect_socket

from loader.errors import LoaderError, NeedsPerson, TimedOut, UsageError
from loader.home import Home, resolve_home
from loader.server.endpoint import Endpoint, find_endpoint
from loader.server.hub import CLOSE_TOO_SLOW
from loader.server.jsonrpc import Malformed, object_of
from loader.server.problem_kinds import APPROVAL_REQUIRED
from loader.server.protocol import SUBPROTOCOL

__all__ = [
    "ApprovalRequired",
    "Client",
    "NoService",
    "Row",
    "ServiceEvent",
    "ShellsSilent",
    "connect",
    "find",
    "reload",
    "silent_shells",
]

Row: TypeAlias = dict[str, Any]
"""An inventory row as JSON (protocol.md, "The inventory row")."""

ANSWER_TIMEOUT_S = 30.0


class NoService(LoaderError):
    """No service runs for this home."""


class ApprovalRequired(NeedsPerson):
    """The service queued it for a person. ``told`` is its whole answer: which request, and where it is decided."""

    def __init__(self, message: str, told: dict[str, Any]) -> None:
        super().__init__(message)
        self.told = told


class ShellsSilent(TimedOut):
    """``wait_s`` went by and a connected shell had not said what became of a plugin."""

    def __init__(self, message: str, rows: list[Row]) -> None:
        super().__init__(message)
        self.rows = rows


class ServiceEvent(NamedTuple):
    """One notification of ``/v1/events``. ``params`` of a hello or a load hold tokens: print chosen fields only."""

    method: str
    params: Mapping[str, Any]


def find(home: Home) -> Endpoint | None:
    """Where the home's service answers; None when none runs. The address is believed only while its lock is held."""
    return find_endpoint(home.state_dir)


def connect(home: Home) -> Client:
    """A client of the home's service; close it, or use it in ``with``. Raises NoService."""
    endpoint = find(home)
    if endpoint is None:
        raise NoService(f"no service is running for {home.root}. Start one: hermes-desktop serve")
    return Client(endpoint)


def reload(
    home: Home | str | PathLike[str] | None = None, ids: Sequence[str] | None = None, wait_s: float = 0.0
) -> list[Row]:
    """Have the service read all plugins (or these) from disk now, and give their rows.

    ``home``: a folder, or None for the one that Hermes would use. ``wait_s``: wait at most so long until every
    connected shell has said what became of each. Rows of plugins that did not pass are among the answer (``state`` is
    ``failed``): a plugin's fault is not an exception. Raises as the module says.
    """
    where = home if isinstance(home, Home) else resolve_home(None if home is None else str(home))
    with connect(where) as client:
        rows = client.reload(ids, wait_s)
    silent = silent_shells(rows) if wait_s > 0 else []
    if silent:
        raise ShellsSilent(f"not within {wait_s:g} s: {', '.join(silent)}", rows)
    return rows


def silent_shells(rows: Sequence[Row]) -> list[str]:
    """``plugin in shell`` for each connected shell that has not reported yet."""
    return [
        f"{row['id']} in {report['shell']}" for row in rows for report in row["shells"] if report["state"] == "pending"
    ]


class Client:
    """One service. Blocking; every method raises as the module says."""

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        timeout_s: float = ANSWER_TIMEOUT_S,
        transport: httpx.BaseTransport | None = None,
        face: str = "cli",
    ) -> None:
        """``face`` is what the service's log calls this client."""
        self.endpoint = endpoint
        self._timeout_s = timeout_s
        self._http = httpx.Client(
            base_url=endpoint.url,
            headers={"Authorization": f"Bearer {endpoint.token}", "Hermes-Face": face},
            timeout=timeout_s,
            # A proxy of the environment must never see a loopback token, nor a .netrc replace it.
            trust_env=False,
            transport=transport,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    # ------------------------------------------------------------ questions

    def health(self) -> dict[str, Any]:
        """``{status, version, root, home, instance, seq}``."""
        return self.request("GET", "/v1/health")

    def plugins(self) -> list[Row]:
        """All rows, sorted by key."""
        rows: list[Row] = self.request("GET", "/v1/plugins")["plugins"]
        return rows

    def plugin(self, name: str) -> Row:
        """One row; ``name`` is an id or a key, here and below."""
        return self.request("GET", _plugin(name))

    def source(self, name: str) -> bytes:
        """The bytes that were verified."""
        return self._send("GET", f"{_plugin(name)}/source").content

    # ------------------------------------------------------------ changes

    def reload(self, ids: Sequence[str] | None = None, wait_s: float = 0.0) -> list[Row]:
        body: dict[str, Any] = {"wait_s": wait_s}
        if ids is not None:
            body["ids"] = list(ids)
        rows: list[Row] = self.request("POST", "/v1/reload", body, timeout_s=self._timeout_s + wait_s)["plugins"]
        return rows

    def choose(self, name: str, enabled: bool | None) -> Row:
        """Switch on or off; None forgets the choice."""
        return self.request("PUT", f"{_plugin(name)}/enabled", {"enabled": enabled})

    def pin(self, name: str, integrity: str | None = None) -> Row:
        """Only these bytes may run; None: the present ones."""
        return self.request("PUT", f"{_plugin(name)}/integrity", {"integrity": integrity})

    def unpin(self, name: str) -> Row:
        return self.request("DELETE", f"{_plugin(name)}/integrity")

    def allow_heavy(self, name: str, allowed: bool = True) -> Row:
        """Let its present revision load although it used too much in the rehearsal (HP404); False takes it back."""
        return self.request("PUT", f"{_plugin(name)}/heavy", {"allowed": allowed})

    def page_link(self, place: str | None = None) -> str:
        """The page's address with a one-time code, good for a minute: it lets a person in, so it is shown only once.

        ``place``: the view that it opens, as ``/#/app/<id>``.
        """
        code = self.request("POST", "/v1/session/code")["code"]
        view = f"&view={place.removeprefix('/#')}" if place is not None else ""
        return f"{self.endpoint.url}/#code={quote(code, safe='')}{view}"

    # ------------------------------------------------------------ events

    def events(self, since: str | None = None) -> Generator[ServiceEvent]:
        """What happens, beginning with ``hello``, until the service ends; then this ends too. ``close`` hangs up.

        ``since``: ``<instance>:<seq>`` of the last event seen. Requests of the service to shells are passed over.
        """
        url = self.endpoint.url.replace("http", "ws", 1) + "/v1/events"
        if since is not None:
            url += "?" + urlencode({"since": since})
        try:
            socket = connect_socket(
                url,
                subprotocols=[SUBPROTOCOL],  # type: ignore[list-item]
                additional_headers={"Authorization": f"Bearer {self.endpoint.token}"},
                compression=None,
                proxy=None,
                max_size=None,  # a snapshot of many plugins is larger than any limit meant for strangers
                close_timeout=1,
                open_timeout=self._timeout_s,
            )
        except (OSError, InvalidHandshake, TimeoutError) as error:
            raise LoaderError(f"{self.endpoint.url} does not take the connection: {error}.") from error
        with socket:
            while True:
                try:
                    frame = object_of(str(socket.recv()))
                except ConnectionClosed as closed:
                    if closed.rcvd is not None and closed.rcvd.code == CLOSE_TOO_SLOW:
                        raise LoaderError("the service closed the connection: events were not read in time") from None
                    return
                except Malformed as error:
                    raise LoaderError(f"{self.endpoint.url} sent what is no event: {error}.") from error
                method, params = frame.get("method"), frame.get("params")
                if isinstance(method, str) and isinstance(params, dict) and "id" not in frame:
                    yield ServiceEvent(method, params)

    # ------------------------------------------------------------ one request

    def request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> dict[str, Any]:
        """Any JSON route of the service (see its OpenAPI document)."""
        answer: dict[str, Any] = self._send(method, path, body, timeout_s=timeout_s).json()
        return answer

    def notify(self, path: str, body: Mapping[str, Any]) -> None:
        """A POST that answers with nothing."""
        self._send("POST", path, body)

    def _send(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> httpx.Response:
        try:
            response = self._http.request(
                method, path, json=body, timeout=self._timeout_s if timeout_s is None else timeout_s
            )
        except httpx.TimeoutException as error:
            raise TimedOut(f"{self.endpoint.url} does not answer.") from error
        except httpx.TransportError as error:
            raise LoaderError(f"{self.endpoint.url} went away: {error}.") from error
        if response.is_error:
            raise _failure(response)
        return response


def _plugin(name: str) -> str:
    return f"/v1/plugins/{quote(name, safe='')}"


def _failure(response: httpx.Response) -> LoaderError:
    """The exception behind a problem document, by who can mend it."""
    try:
        problem = response.json()
        kind, detail = str(problem["type"]), str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        kind, detail = "", f"the service answered {response.status_code}"
    if kind == APPROVAL_REQUIRED.type:
        return ApprovalRequired(detail, problem) if "request" in problem else NeedsPerson(detail)
    if response.status_code in (404, 422):
        return UsageError(detail)
    if response.status_code == 401:
        return LoaderError(f"{detail}. The service was started anew since it was found: connect again.")
    if response.status_code == 504:
        return TimedOut(detail)
    return LoaderError(detail)
