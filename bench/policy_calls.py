"""How fast the policy answers over the WebSocket while plugins call it a thousand times a second.

    python -m bench.policy_calls [seconds]

Client and server share one process and one event loop here, so the figures hold both sides' work. Calls leave at
their appointed time, whether or not earlier ones were answered; the time to an answer begins when its call is sent.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time

from tests.policy.served import Served, Shell, row, serving

CALLS_A_SECOND = 1_000
PLUGINS = 20


async def paced(here: Served, shell: Shell, seconds: float) -> list[float]:
    """Milliseconds from each call to its answer: half runAction, half pet.say."""
    for number in range(PLUGINS):
        here.pipeline.load(row(f"plugin{number}"))
    await shell.until(lambda: len(shell.of("plugin/load")) == PLUGINS)
    tokens = [params["plugin_token"] for params in shell.of("plugin/load")]
    await here.http.put("/v1/pet", json={"visible": True})
    times_ms: list[float] = []
    start_s = time.perf_counter() + 0.1

    async def call(number: int) -> None:
        token = tokens[number % PLUGINS]
        sent_s = time.perf_counter()
        if number % 2:
            await shell.request("runAction", plugin_token=token, action="session.archive")
        else:
            await shell.request("pet.say", plugin_token=token, text=f"line {number}", id="x")
        times_ms.append((time.perf_counter() - sent_s) * 1000)

    calls: list[asyncio.Task[None]] = []
    for number in range(int(seconds * CALLS_A_SECOND)):
        await asyncio.sleep(max(0.0, start_s + number / CALLS_A_SECOND - time.perf_counter()))
        calls.append(asyncio.create_task(call(number)))
    await asyncio.gather(*calls)
    return times_ms


async def main(seconds: float) -> None:
    async with serving() as here, here.shell() as shell:
        times_ms = await paced(here, shell, seconds)
    cuts = statistics.quantiles(times_ms, n=100)
    print(
        f"policy over WebSocket, {CALLS_A_SECOND} calls a second for {seconds:g} s: "
        f"median {statistics.median(times_ms):.2f} ms, 95th percentile {cuts[94]:.2f} ms, 99th {cuts[98]:.2f} ms, "
        f"longest {max(times_ms):.1f} ms ({len(times_ms)} answers)"
    )


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0))
