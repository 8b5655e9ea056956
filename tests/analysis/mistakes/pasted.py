"""What comes from a chat, a download, a diff or another language, and slips of people who know another form."""

from __future__ import annotations

from tests.analysis.mistakes.mistake import HEAD, TAIL, Mistake, whole, within

_LINE = "  register(ctx) { ctx.onDispose(() => {}) },\n"

PASTED: tuple[Mistake, ...] = (
    whole("code-fence-at-the-end", HEAD + TAIL + "```\n", 13, names=("fence",)),
    whole(
        "sentence-below-the-code",
        HEAD + TAIL + "\nThis plugin adds a pane on the right. Save it as plugin.js and it's done!\n",
        14,
        names=("plain text",),
    ),
    whole("sentence-above-the-code", "Here is the plugin you asked for:\n\n" + HEAD + TAIL, 1, names=("plain text",)),
    whole("sentence-with-an-apostrophe", "Here's the plugin you wanted:\n\n" + HEAD + TAIL, 1, names=("plain text",)),
    whole("sentence-with-an-exclamation", "Certainly! Below is the code.\n\n" + HEAD + TAIL, 1, names=("plain text",)),
    within("dots-for-a-body", "function tick() {\n  ...\n  return 1\n}\n", 2, names=("left out",)),
    within("dots-for-fields", "const pane = { id: 'p', ... }\n", 1, names=("left out",)),
    within("dots-of-typography", "function tick() {\n  …\n}\n", 2, names=("left out",)),
    whole(
        "conflict-without-its-head",
        HEAD + "||||||| base\nconst a = 1\n=======\nconst a = 2\n>>>>>>> other\n" + TAIL,
        4,
        names=("merge",),
    ),
    whole(
        "pointer-of-git-lfs",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
        1,
        "HP104",
        ("git lfs pull",),
    ),
    whole("a-diff", "--- a/plugin.js\n+++ b/plugin.js\n@@ -1,2 +1,3 @@\n import x\n+import y\n", 1, "HP104", ("diff",)),
    whole("line-numbers", "1 | import a\n2 | import b\n3 | export default {}\n", 1, "HP104", ("numbers",)),
    whole("answer-of-a-server", "404: Not Found", 1, "HP104", ("download",)),
    whole("json-with-a-comma-too-many", '{\n  "id": "demo",\n  "main": "plugin.js",\n}\n', 1, "HP104", ("JSON",)),
    whole(
        "object-that-is-not-exported",
        '{\n  "id": "demo",\n  register(ctx) { ctx.onDispose(() => {}) },\n}\n',
        1,
        "HP104",
        ("export default",),
    ),
    whole("python-module", '"""A plugin."""\nfrom hermes import plugin\n', 1, "HP104", ("Python",)),
    whole("python-imports", "import os\nimport sys as s\n\ndef register(ctx):\n    pass\n", 1, "HP104", ("Python",)),
    # ---- slips
    whole(
        "export-default-const",
        HEAD + "export default const plugin = {\n  id: 'demo',\n" + _LINE + "}\n",
        4,
        names=("export default plugin",),
    ),
    whole(
        "function-in-an-object",
        HEAD + "export default {\n  id: 'demo',\n  function register(ctx) {\n  },\n}\n",
        6,
        names=("without `function`",),
    ),
    whole(
        "arrow-behind-a-method",
        HEAD + "export default {\n  id: 'demo',\n  register(ctx) => {\n  },\n}\n",
        6,
        names=("`=>`", "register: ("),
    ),
    within("from-is-missing", "import { useState } 'react'\n", 1, names=("from",)),
    within("colon-in-an-import", "import { useState: state } from 'react'\n", 1, names=("useState as",)),
    within("key-with-a-dash", "const style = {\n  font-size: 12,\n}\n", 2, names=("fontSize", "'font-size'")),
    within("assignment-through-a-chain", "host?.state = 1\n", 1, names=("?.", "if (host)")),
    within("path-of-windows", "const path = 'C:\\users\\ada'\n", 1, names=("\\\\",)),
    within("path-of-windows-with-digits", "const path = 'D:\\2024\\notes'\n", 1, names=("\\\\",)),
)
