"""The process of one backend: imports the plugin's file and serves it to the host, and to nobody else.

This file is run by path, by whatever interpreter the plugin needs (its own ``.venv``, that of Hermes, ours), so it and
the folder ``inside`` use the standard library only, and of that interpreter FastAPI. They speak frames with the host
instead of HTTP. What a frame carries is one ASGI message, so nothing is parsed twice, no header can be smuggled, and no
web server is needed in the plugin's interpreter. One connection is one request.

The host is told over a second connection (``control``): ready, failed and why, alive, events.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    import types

    # The folder of this file must not lend its modules to the plugin, and its own parts go by the names they have in
    # the host, whatever of that name is installed here: a package that holds them and nothing else.
    del sys.path[0]
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - no pathlib before it is needed
    for name, folders in (
        ("loader", []),
        ("loader.backends", []),
        ("loader.backends.inside", [os.path.join(here, "inside")]),  # noqa: PTH118
    ):
        made = sys.modules[name] = types.ModuleType(name)
        made.__path__ = folders

import asyncio
import contextlib
import json
import traceback
from typing import Any

from loader.backends.inside.control import Control
from loader.backends.inside.frames import CHUNK_BYTES, FAILED, READY
from loader.backends.inside.lifespan import Lifespan
from loader.backends.inside.limits import end_with_the_host, limit_resources
from loader.backends.inside.plugin_file import Failure, lend_client, make_app, startup_failure
from loader.backends.inside.serving import Serving


async def serve(app: Any, options: dict[str, Any], control: Control) -> None:
    loop = asyncio.get_running_loop()
    leave = asyncio.Event()
    control.listen(loop, leave.set)
    lifespan = Lifespan(app)
    refused = await lifespan.startup()
    if refused is not None:
        raise startup_failure(refused, options["api"])
    serving = Serving(app, options["secret"])
    address = options["listen"]
    if "unix" in address:
        server: Any = await asyncio.start_unix_server(
            serving.connected, address["unix"], limit=2 * CHUNK_BYTES, backlog=256
        )
    else:
        server = await asyncio.start_server(serving.connected, "127.0.0.1", 0, limit=2 * CHUNK_BYTES, backlog=256)
        address = {"port": server.sockets[0].getsockname()[1]}
    control.tell(READY, {"address": address, "python": sys.executable, "version": sys.version.split()[0]})
    await leave.wait()
    server.close()
    await lifespan.shutdown()


def main() -> None:
    options = json.loads(sys.stdin.buffer.readline())
    end_with_the_host()
    limit_resources(options["limits"])
    sys.dont_write_bytecode = True
    control = Control(options["control"], options["secret"])
    code = 0
    try:
        lend_client(options["client"], control.event)
        app = make_app(options)
        asyncio.run(serve(app, options, control))
    except Failure as failure:
        print(f"{failure.report['error']}\n{failure.report['trace']}", file=sys.stderr, flush=True)
        control.tell(FAILED, failure.report)
        code = 3
    except BaseException:  # the last stop: the log is where anybody would look
        traceback.print_exc()
        code = 4
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        # Threads of the plugin must not keep it.
        os._exit(code)


if __name__ == "__main__":
    main()
