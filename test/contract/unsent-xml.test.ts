/** Values that cannot be written as XML result in a 500 that does not contain them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { get, handle, int, list, path, produces, routes, sse } from '../../src/index.ts'
import { xml, xmlAttribute, xmlList } from '../../src/xml.ts'
import { ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const secret = 'SECRET-51c0'

interface Nested {
  readonly name: string
  readonly inner: ReadonlyArray<Nested>
}
const Nested: t.Type<Nested> = t.recursion('Nested', (self) =>
  t.type({ name: t.string, inner: t.readonlyArray(self) }),
)
const circle: { name: string; inner: unknown[] } = { name: secret, inner: [] }
circle.inner.push(circle)

const answering = (at: `/${string}`, codec: t.Mixed, value: unknown) => {
  const any: t.Type<unknown> = codec
  return pipe(
    path(at),
    get(),
    produces(xml(any)),
    handle(() => value),
  )
}

const Words = t.type({ of: xmlAttribute()(xmlList(list(t.string))) }, 'Words')
const Counts = t.record(t.string, int, 'Counts')

const api = routes({
  word: answering('/word', Words, { of: ['a', `${secret} b`] }),
  empty: answering('/empty', Words, { of: ['a', ''] }),
  key: answering('/key', Counts, { [secret]: 1, 'a b': 2 }),
  tag: answering('/tag', Counts, { '><script/': 2 }),
  circle: answering('/circle', Nested, circle),
  kind: answering('/kind', t.type({ a: int }, 'Kind'), secret),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(xml(Counts))),
    handle(() => [{ [`${secret} `]: 1 }]),
  ),
})

contract('XML that cannot be written', api, (test, call) =>
  table(
    test,
    [['/word'], ['/empty'], ['/key'], ['/tag'], ['/circle'], ['/kind'], ['/events']] as const,
    async (target) => {
      const response = await ask(call, `GET ${target}`)
      assert.is(response.status, 500, 'E9')
      const text = await response.text()
      assert.not.match(text, secret)
      assert.not.match(text, 'script')
    },
  ),
)

contract(
  'XML that is not what was declared',
  routes({ it: answering('/', t.type({ a: int }, 'It'), { a: secret }) }),
  (test, call) =>
    test('is not sent where that is asked for', async () => {
      const response = await ask(call, 'GET /')
      assert.is(response.status, 500)
      assert.not.match(await response.text(), secret)
    }),
  { 'fw.rest.check-results': true },
)
