"""Runs the language server on standard input and output, which nothing else may touch meanwhile."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from pygls.io_ import StdoutWriter, run_async

from loader.analysis.pool import AnalysisPool
from loader.home import Home
from loader.language_server.server import PluginServer
from loader.settings import AnalysisSettings

_PIECE_BYTES = 65_536


async def serve_stdio(find_home: Callable[[], Home], analysis: AnalysisSettings) -> None:
    """Serve one editor until it says `exit` (SystemExit with the protocol's code) or closes our standard input."""
    with _claimed() as (incoming, outgoing):
        pool = AnalysisPool()
        await pool.start()
        server = PluginServer(pool, find_home=find_home, analysis=analysis)
        server.protocol.set_writer(StdoutWriter(outgoing))
        try:
            await run_async(threading.Event(), _reader(incoming), server.protocol, None, server.report_server_error)
        except (asyncio.IncompleteReadError, BrokenPipeError):
            pass  # the editor is gone in the middle of a message
        finally:
            await server.checks.close()
            await pool.close()


@contextmanager
def _claimed() -> Iterator[tuple[int, BinaryIO]]:
    """The two streams under numbers of our own; whoever prints, or a worker that inherits them, cannot reach them."""
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    file = os.fdopen(outgoing, "wb")
    try:
        yield incoming, file
    finally:
        if not file.closed:
            file.close()


def _reader(descriptor: int) -> asyncio.StreamReader:
    """Reads in a daemon thread: one that waits for an editor's next key must not hold up the end of the process."""
    loop = asyncio.get_running_loop()
    stream = asyncio.StreamReader()

    def read() -> None:
        # The loop may end first: then nobody wants to know.
        with suppress(RuntimeError):
            with suppress(OSError):
                while piece := os.read(descriptor, _PIECE_BYTES):
                    loop.call_soon_threadsafe(stream.feed_data, piece)
            loop.call_soon_threadsafe(stream.feed_eof)

    threading.Thread(target=read, name="editor-reader", daemon=True).start()
    return stream
