"""Every number of the host policy, in one place; docs/policy.md is compared with it by a test."""

from __future__ import annotations

# runAction
ACTION_DEADLINE_S = 2.0
WAITING_ACTIONS = 256
SHOWN_ID_CHARACTERS = 80
SHELL_ERROR_GRAPHEMES = 120

# pet.say
LINE_GRAPHEMES = 120
# A grapheme cluster may be as long as its sender likes, so that graphemes alone bound nothing.
LINE_CODE_POINTS = 480
LINE_ID_CODE_POINTS = 64
LABEL_GRAPHEMES = 40
LABEL_CODE_POINTS = 160
DEFAULT_TTL_MS = 6_000
MIN_TTL_MS = 1_000
MAX_TTL_MS = 30_000
CALLS_IN_WINDOW = 10
CALL_WINDOW_S = 10.0
LIVE_LINES = 3
# Each event holds all lines: those of many plugins at once would cost their square.
LINE_EVENTS_IN_WINDOW = 20
LINE_EVENT_WINDOW_S = 1.0

# window.hermes.send of preview frames
PROMPT_GRAPHEMES = 500
PROMPT_CODE_POINTS = 2_000
PROMPT_INTERVAL_S = 1.0
FRAME_ID_CODE_POINTS = 128
# Frames that sent within the last second; whoever comes on top waits like one who is too early.
FRAMES_REMEMBERED = 1_024

# ctx.os.notify
TITLE_GRAPHEMES = 120
TITLE_CODE_POINTS = 480
BODY_GRAPHEMES = 500
BODY_CODE_POINTS = 2_000
REPEAT_WINDOW_S = 30.0
NOTIFICATIONS_IN_WINDOW = 3
NOTIFICATION_WINDOW_S = 60.0
ROUTE_CODE_POINTS = 2_048

# Transcript directives
PARAGRAPH_CODE_POINTS = 16_384
DIRECTIVE_ATTRIBUTES = 64
DIRECTIVE_NAME_CODE_POINTS = 64

# Log and audit
REFUSAL_LINE_INTERVAL_S = 1.0
AUDITED_PLUGINS = 1_024
