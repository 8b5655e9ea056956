"""uvicorn's HTTP protocol, with a word of ours for what is no HTTP."""

from __future__ import annotations

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from loader.server.problem_kinds import BAD_REQUEST
from loader.server.problems import Problem


class ProblemHttpProtocol(H11Protocol):
    def send_400_response(self, msg: str) -> None:
        """A problem document like every other error of ours.

        Bytes that make no sense may come behind a request whose answer has begun or is out (a body that the gate
        did not wait for): then there is nothing to be said any more, and uvicorn's own attempt would be a trace in the
        log, for whoever connects.
        """
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = Problem(BAD_REQUEST, "this is no request of HTTP/1.1").response()
            headers = [*answer.raw_headers, (b"x-content-type-options", b"nosniff"), (b"connection", b"close")]
            events = (
                h11.Response(
                    status_code=answer.status_code, headers=headers, reason=STATUS_PHRASES[answer.status_code]
                ),
                h11.Data(data=bytes(answer.body)),
                h11.EndOfMessage(),
            )
            for event in events:
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
