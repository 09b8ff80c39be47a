import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { client } from '../../../src/client.ts'
import type { Reading } from '../../../src/index.ts'
import {
  entity,
  get,
  path,
  produces,
  reader,
  readerInterceptor,
  routes,
  withInterceptor,
  withReader,
} from '../../../src/index.ts'
import { errorIn, right } from '../../support/clients.ts'
import { describe } from '../../support/describe.ts'

const Point = t.type({ x: t.number })
const contract = routes({ point: pipe(path('/point'), get(), produces(entity(Point))) })
const fetch = (): Promise<Response> =>
  Promise.resolve(new Response('1', { headers: { 'content-type': 'text/x' } }))
const reading = (read: (reading: Reading) => unknown) =>
  client(
    pipe(
      contract,
      withReader(reader({ mediaType: 'text/x', read: (_, input) => read(input) })),
      withInterceptor(readerInterceptor((_, proceed) => proceed())),
    ),
    { baseUrl: 'http://service.test', fetch },
  )

describe('the context of a reader on a client', (test) => {
  test('contains the endpoint', async () => {
    const seen: unknown[] = []
    const { body } = await right(
      reading(({ context, codec, mediaType }) => {
        seen.push(context.endpoint, codec, mediaType)
        return { x: 1 }
      }).point(),
    )
    assert.equal(body, { x: 1 })
    assert.equal(seen, [{ name: 'point', template: '/point', method: 'GET' }, Point, 'text/x'])
  })
  for (const part of ['request', 'uri', 'security', 'application', 'response'] as const)
    test(`throws for context.${part}; the message contains the operation`, async () => {
      const error = await errorIn(reading(({ context }) => context[part]).point())
      assert.is(error._tag, 'DecodeError')
      assert.match(
        error.message,
        /^point: .*context\.\w+ is not available on the client: .*onlyOn\('server'\)$/,
      )
    })
  for (const part of ['onEnd', 'logger', 'elapsed'] as const)
    test(`throws for context.${part}()`, async () => {
      const error = await errorIn(
        reading(({ context }) => Reflect.apply(context[part], context, [() => undefined])).point(),
      )
      assert.is(error._tag, 'DecodeError')
    })
})
