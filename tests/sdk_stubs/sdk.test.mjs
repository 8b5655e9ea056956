import { equal, ok, test } from '@@test'
import * as sdk from '@@sdk'
test('x', () => { ok(sdk.host) })
