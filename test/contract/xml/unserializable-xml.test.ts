/** Values that cannot be written as XML return a 500 that does not contain them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { get, handle, int, list, path, produces, routes, sse } from '../../../src/index.ts'
import { xml, xmlAttribute, xmlList } from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const secret = 'SECRET-51c0'

interface Nested {
  readonly name: string
  readonly inner: ReadonlyArray<Nested>
}
const Nested: t.Type<Nested> = t.recursion('Nested', (self) =>
  t.type({ name: t.string, inner: t.readonlyArray(self) }),
)
const cyclic: { name: string; inner: unknown[] } = { name: secret, inner: [] }
cyclic.inner.push(cyclic)

const operationAt = (at: `/${string}`, codec: t.Mixed, value: unknown) => {
  const unknownCodec: t.Type<unknown> = codec
  return pipe(
    path(at),
    get(),
    produces(xml(unknownCodec)),
    handle(() => value),
  )
}

const Words = t.type({ of: xmlAttribute()(xmlList(list(t.string))) }, 'Words')
const Counts = t.record(t.string, int, 'Counts')

const api = routes({
  space: operationAt('/space', Words, { of: ['a', `${secret} b`] }),
  emptyString: operationAt('/empty-string', Words, { of: ['a', ''] }),
  key: operationAt('/key', Counts, { [secret]: 1, 'a b': 2 }),
  markup: operationAt('/markup', Counts, { '><script/': 2 }),
  cyclic: operationAt('/cyclic', Nested, cyclic),
  wrongType: operationAt('/wrong-type', t.type({ a: int }, 'Count'), secret),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(xml(Counts))),
    handle(() => [{ [`${secret} `]: 1 }]),
  ),
})

valueContract('unserializable XML values', api, (test, call) =>
  table(
    test,
    [
      ['a list element with a space', '/space'],
      ['an empty list element', '/empty-string'],
      ['an invalid element name', '/key'],
      ['an element name with markup', '/markup'],
      ['a cyclic value', '/cyclic'],
      ['a string instead of an object', '/wrong-type'],
      ['an invalid element name in server-sent events', '/events'],
    ] as const,
    async (_, target) => {
      const response = await sendRequest(call, `GET ${target}`)
      assert.is(response.status, 500)
      const text = await response.text()
      assert.not.match(text, secret)
      assert.not.match(text, 'script')
    },
  ),
)

valueContract(
  'XML with fw.rest.check-results',
  routes({ operation: operationAt('/', t.type({ a: int }, 'It'), { a: secret }) }),
  (test, call) =>
    test('an invalid value returns 500', async () => {
      const response = await sendRequest(call, 'GET /')
      assert.is(response.status, 500)
      assert.not.match(await response.text(), secret)
    }),
  { 'fw.rest.check-results': true },
)
