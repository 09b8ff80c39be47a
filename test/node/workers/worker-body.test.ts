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

describe('the content of a worker that dies', (test) => {
  test('fails for who waits for a piece', async () => {
    const { pieces } = content()
    const asking = pieces.next()
    pieces.fail(failure)
    assert.is(await reasonOf(asking), failure)
  })
  test('fails for who asks only afterwards, and does not end as if it were whole', async () => {
    const { pieces, told } = content()
    const first = pieces.next()
    pieces.deliver(octets)
    assert.equal(await first, { done: false, value: octets })
    pieces.fail(failure)
    assert.is(await reasonOf(pieces.next()), failure)
    assert.equal(told, ['ask'])
  })
  test('is whole when its end had come before', async () => {
    const { pieces } = content()
    const asking = pieces.next()
    pieces.deliver(undefined)
    pieces.fail(failure)
    assert.equal(await asking, { done: true, value: undefined })
    assert.equal(await pieces.next(), { done: true, value: undefined })
  })
  test('is over for who has left it', async () => {
    const { pieces, told } = content()
    pieces.close()
    pieces.fail(failure)
    assert.equal(await pieces.next(), { done: true, value: undefined })
    assert.equal(told, ['cancel'])
  })
})
