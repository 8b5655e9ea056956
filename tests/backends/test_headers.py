from loader.backends.headers import for_backend, from_backend, to_backend


def test_tokens_cookies_and_hop_by_hop_headers_stay_here() -> None:
    given = [
        (b"host", b"127.0.0.1"),
        (b"authorization", b"Bearer x"),
        (b"cookie", b"a=b"),
        (b"connection", b"Keep-Alive, X-Hop"),
        (b"x-hop", b"1"),
        (b"transfer-encoding", b"chunked"),
        (b"te", b"trailers"),
        (b"sec-websocket-protocol", b"bearer.x, chat"),
        (b"sec-websocket-key", b"k"),
        (b"x-mine", b"1"),
    ]
    assert to_backend(given, subprotocols=["chat"]) == [
        (b"host", b"127.0.0.1"),
        (b"x-mine", b"1"),
        (b"sec-websocket-protocol", b"chat"),
    ]


def test_ours_are_no_subprotocols_of_the_backend() -> None:
    assert for_backend(["hermes-plugins.v1", "bearer.abc", "chat"]) == ["chat"]


def test_an_answer_sets_nothing_beyond_itself() -> None:
    given = [(b"Set-Cookie", b"a=b"), (b"Clear-Site-Data", b"*"), (b"Upgrade", b"h2c"), (b"ETag", b'"1"')]
    assert from_backend(given) == [(b"etag", b'"1"')]


def test_headers_that_split_an_answer_are_no_headers() -> None:
    assert from_backend([(b"a", b"x\r\nb: c")]) is None
    assert from_backend([(b"a b", b"x")]) is None
    assert from_backend([(b"", b"x")]) is None
    assert from_backend([(b"a", b"x")] * 300) is None
    assert from_backend([(b"a", b"x" * 300_000)]) is None
