/** The warning for a profile to which no property and no condition refers. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { compile } from '../../src/interpreter/program.ts'
import { anyOf, get, handle, not, path, profile, routes, when } from '../../src/index.ts'
import { jsonLogger } from '../../src/node.ts'
import { describe, table } from '../support/describe.ts'
import { load, properties } from './settings/directory.ts'

const hello = pipe(
  path('/hello'),
  get(),
  handle(() => undefined),
)
const plain = routes({ hello })
const conditional = routes({ hello: pipe(hello, when(anyOf(profile('dev'), profile('stage')))) })
const disabled = routes({
  inner: pipe(routes({ hello: pipe(hello, when(not(profile('stage')))) }), when(profile('dev'))),
})

const warning =
  'No property or condition refers to the active profile: check the value of FW_PROFILE or of the option profile'

describe('a profile', (test) =>
  table<
    readonly [
      title: string,
      name: string,
      file: string,
      api: typeof plain | typeof disabled,
      isWarned: boolean,
    ]
  >(
    test,
    [
      ['dev is predefined', 'dev', '', plain, false],
      ['test is predefined', 'test', '', plain, false],
      ['prod is predefined', 'prod', '', plain, false],
      ['a misspelled name is logged', 'dvv', '%dev.a=b', conditional, true],
      ['a name with a property is accepted', 'stage', '%stage.a=b', plain, false],
      ['a name in a condition is accepted', 'stage', '', conditional, false],
      ['a name in a nested, excluded condition is accepted', 'stage', '', disabled, false],
    ],
    (_, name, file, api, isWarned) => {
      const lines: string[] = []
      const configuration = load(properties(file), { environment: { FW_PROFILE: name } })
      const logger = jsonLogger({ write: (line) => lines.push(line) })
      compile(api, configuration.settings, { configuration, logger })
      const logged = lines.map((line): unknown => JSON.parse(line))
      assert.is(
        logged.some((line) => (line as { readonly message?: string }).message === warning),
        isWarned,
      )
      if (isWarned) assert.is((logged[0] as { readonly profile?: string }).profile, name)
    },
  ))
