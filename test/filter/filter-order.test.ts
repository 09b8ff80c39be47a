/** The order in which the ready-made filters run, which does not depend on the order in which they are applied. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { compileTree } from '../../src/compiler/compile.ts'
import { treeDescription } from '../../src/compiler/route-description.ts'
import {
  accessLog,
  cors,
  csrf,
  handle,
  path,
  post,
  requestId,
  routes,
  securityHeaders,
  timing,
  withFilter,
} from '../../src/index.ts'
import { defaultSettings } from '../../src/compiler/settings/settings.ts'
import { describe } from '../support/describe.ts'

const hello = pipe(
  path('/hello'),
  post(),
  handle(() => undefined),
)

describe('ready-made filters', (test) => {
  test('run in the order accessLog, timing, requestId, securityHeaders, cors, csrf', () => {
    const api = pipe(
      routes({ hello }),
      withFilter(
        csrf(),
        cors({ origins: [] }),
        securityHeaders(),
        requestId(),
        timing(),
        accessLog(),
      ),
    )
    const names = treeDescription(compileTree(api, defaultSettings)).routes.flatMap(({ filters }) =>
      filters.toSorted((a, b) => a.priority - b.priority).map(({ name }) => name),
    )
    assert.equal(
      [...new Set(names)],
      ['accessLog', 'timing', 'requestId', 'securityHeaders', 'cors', 'csrf'],
    )
  })
})
