/** Look-up of error mappers from the context of a handler. */
import * as assert from 'uvu/assert'
import type { CommonContext } from '../../../src/index.ts'
import { mapError, NotFound, providersOf, reply, unwrap, withMapper } from '../../../src/index.ts'
import { describe } from '../../support/describe.ts'
import { inHandler, unchanged } from './in-handler.ts'

class Closed extends Error {}
class Wrapped extends Error {}
class Unmapped extends Error {}

const map = (error: unknown) => async (context: CommonContext) => {
  const found = providersOf(context).mapper(error)
  if (found === undefined) return 'none'
  const { status, entity } = await found()
  return `${status} ${String(entity)}`
}

describe('providersOf: mappers', (test) => {
  const mapped = withMapper(
    mapError(Closed, async ({ message }, { request }) => reply(503, `${message} ${request.path}`)),
    mapError(
      (error: unknown): error is 'text' => error === 'text',
      () => reply(418, 'guard'),
    ),
    unwrap(Wrapped),
  )
  test('a mapper for a class', async () =>
    assert.is(await inHandler(mapped, map(new Closed('now'))), '503 now /'))
  test('a mapper with a guard', async () =>
    assert.is(await inHandler(mapped, map('text')), '418 guard'))
  test('the mapper of a cause', async () =>
    assert.is(
      await inHandler(mapped, map(new Wrapped('x', { cause: new Closed('inside') }))),
      '503 inside /',
    ))
  test('an error without a mapper', async () => {
    assert.is(await inHandler(mapped, map(new Unmapped())), 'none')
    assert.is(await inHandler(mapped, map(new NotFound())), 'none')
    assert.is(await inHandler(unchanged, map(new Closed('x'))), 'none')
  })
  test('a mapper that does not return a reply', async () => {
    const wrong = mapError(Closed, () => 'text' as unknown as ReturnType<typeof reply<400>>)
    const error = await inHandler(withMapper(wrong), async (context) => {
      try {
        await providersOf(context).mapper(new Closed())?.()
        return 'no error'
      } catch (thrown) {
        return String(thrown)
      }
    })
    assert.is(error, 'TypeError: an error mapper must return a reply')
  })
})
