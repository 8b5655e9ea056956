// A type is no value: there is nothing to import at run time.
import { PluginContext } from '@hermes/plugin-sdk'

export default {
  id: 'type-import',
  register(ctx) {
    if (ctx instanceof Object) void PluginContext
  },
}
