import * as assert from 'uvu/assert'
import { WorkerBody } from '../../../src/node/workers/worker-body.ts'
import { describe } from '../../support/describe.ts'

/** A content of a worker that does nothing by itself, and what it was told. */
const content = () => {
  const told: string[] = []
  const pieces = new WorkerBody(undefined, {
    request: () => void told.push('ask'),
    cancel: () => void told.push('cancel'),
    timeout: 0,
    onTimeout: () => undefined,
  })
  return { pieces, told }
}

const octets = new Uint8Array([1])
const failure = new Error('the worker has exited')
const reasonOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => 'no failure',
    (reason: unknown) => reason,
  )

describe('WorkerBody after its worker has exited', (test) => {
  test('rejects a pending read', async () => {
    const { pieces } = content()
    const asking = pieces.next()
    pieces.fail(failure)
    assert.is(await reasonOf(asking), failure)
  })
  test('rejects a later read instead of ending', async () => {
    const { pieces, told } = content()
    const first = pieces.next()
    pieces.deliver(octets)
    assert.equal(await first, { done: false, value: octets })
    pieces.fail(failure)
    assert.is(await reasonOf(pieces.next()), failure)
    assert.equal(told, ['ask'])
  })
  test('ends normally if its end was received before', async () => {
    const { pieces } = content()
    const asking = pieces.next()
    pieces.deliver(undefined)
    pieces.fail(failure)
    assert.equal(await asking, { done: true, value: undefined })
    assert.equal(await pieces.next(), { done: true, value: undefined })
  })
  test('ends for a reader that has closed it', async () => {
    const { pieces, told } = content()
    pieces.close()
    pieces.fail(failure)
    assert.equal(await pieces.next(), { done: true, value: undefined })
    assert.equal(told, ['cancel'])
  })
})
