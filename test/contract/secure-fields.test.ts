/** Members that only some see, on every way to the wire: of the rules. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text, withFilter } from '../../src/index.ts'
import type { Call } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { contract } from '../support/doors.ts'
import { shapesOf, ways } from '../support/secret-ways.ts'
import { canary, plain, trusting } from '../support/secrets.ts'

const tree = () =>
  pipe(
    routes(
      Object.fromEntries(
        Object.entries(ways).map(([way, make], at) => [
          `way${at}`,
          routes(
            Object.fromEntries(
              shapesOf(way).map((shape, index) => [
                `shape${index}`,
                make(shape, `/${at}/${index}`),
              ]),
            ) as Record<string, never>,
          ),
        ]),
      ),
    ) as unknown as Api,
    withFilter(trusting),
  )

type Api = ReturnType<typeof single>
const single = () =>
  routes({
    one: pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => ''),
    ),
  })

const roles: ReadonlyArray<readonly [who: string, init: RequestInit, sees: boolean]> = [
  ['nobody', {}, false],
  ['somebody', { headers: { 'X-User': 'ann' } }, false],
  ['a reader', { headers: { 'X-User': 'ann reader' } }, false],
  ['a chief', { headers: { 'X-User': 'ann reader chief' } }, true],
  ['nobody, when a chief has asked', {}, false],
]

const contentOf = async (call: Call, target: string, init: RequestInit): Promise<string> => {
  const response = await ask(call, `GET ${target}`, init)
  const content = await response.text()
  assert.ok(response.status < 500, `${response.status} ${content}`)
  return content
}

contract('R-354, R-356, R-357: a secured member', tree, (test, call) => {
  for (const [at, way] of Object.keys(ways).entries())
    for (const [index, { name }] of shapesOf(way).entries())
      test(`${way}: ${name}`, async () => {
        for (const [who, init, sees] of roles) {
          const content = await contentOf(call, `/${at}/${index}`, init)
          assert.ok(content.includes(plain), `${who} sees what is open: ${content}`)
          assert.is(content.includes(canary), sees, `${who}: ${content}`)
        }
      })
})
