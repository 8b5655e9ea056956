"""TypeScript in plugin.js.

Type annotations, interfaces, enums and `import type` are not compiled away by the app. Compile before you save
(esbuild, tsc), or write types as JSDoc comments, which editors understand just as well.
"""

from __future__ import annotations

from loader.analysis.rule import Rule

RULE = Rule(
    "HP103",
    __doc__,
    found_by="syntax",
    bad="""import type { PluginContext } from '@hermes/plugin-sdk'
export default { id: 'demo', register(ctx) { ctx.onDispose(() => {}) } }
""",
    good="""/** @typedef {import('@hermes/plugin-sdk').PluginContext} PluginContext */
export default { id: 'demo', register(/** @type {PluginContext} */ ctx) { ctx.onDispose(() => {}) } }
""",
)
