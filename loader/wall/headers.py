"""What a browser is told about a walled plugin's files: where they may load from, and what they may not do. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from loader.packages.grants import Grants

# What the frame element allows as well. Its own origin is needed for its own storage, and is no way to ours. Forms are
# what pages hear of a press by; where one would go is another matter, and is nowhere (form-action).
SANDBOX = "allow-scripts allow-same-origin allow-forms"
_ANCESTOR = re.compile(r"[a-z][a-z0-9+.-]{0,30}:|https?://[a-z0-9.-]{1,253}(?::[0-9]{1,5})?", re.ASCII)
# Each that a frame could have by itself or be given; what a browser does not know it passes over.
_DENIED = (
    *("accelerometer", "autoplay", "browsing-topics", "camera", "clipboard-read", "clipboard-write"),
    *("compute-pressure", "display-capture", "encrypted-media", "fullscreen", "gamepad", "geolocation", "gyroscope"),
    *("hid", "identity-credentials-get", "idle-detection", "keyboard-map", "local-fonts", "magnetometer"),
    *("microphone", "midi", "otp-credentials", "payment", "picture-in-picture", "publickey-credentials-create"),
    *("publickey-credentials-get", "screen-wake-lock", "serial", "storage-access", "sync-xhr", "usb"),
    *("window-management", "xr-spatial-tracking"),
)


def content_policy(grants: Grants, ancestors: Iterable[str]) -> str:
    """The Content-Security-Policy of a plugin's own files.

    No grant opens the network: what is approved goes through the bridge, which is no connection of the frame's. The
    grants are taken all the same, so that one that ever does has its place. ``ancestors``: who may embed it.
    """
    del grants
    embedders = " ".join(each for each in ancestors if _ANCESTOR.fullmatch(each)) or "'none'"
    return "; ".join(
        (
            "default-src 'none'",
            # No inline code: a name from a foreign page that a careless plugin writes out must not become its code.
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' data: blob:",
            "connect-src 'self'",
            "worker-src 'self'",
            "frame-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {embedders}",
            f"sandbox {SANDBOX}",
        )
    )


def walled_headers(grants: Grants, ancestors: Iterable[str] = ()) -> dict[str, str]:
    """All headers of an answer to a plugin's own frame, refusals too."""
    return {
        "Content-Security-Policy": content_policy(grants, ancestors),
        # A peer connection and a hint to connect are no fetch, so that no policy above stops them; this one does,
        # also in documents that the plugin makes itself. Measured: the browser ends the frame's process.
        "Connection-Allowlist": "(response-origin)",
        "Permissions-Policy": ", ".join(f"{name}=()" for name in _DENIED),
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Origin-Agent-Cluster": "?1",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-DNS-Prefetch-Control": "off",
        "Cache-Control": "no-store",
    }
