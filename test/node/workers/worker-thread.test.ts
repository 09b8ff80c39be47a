import * as assert from 'uvu/assert'
import { WorkerBody } from '../../../src/node/workers/worker-thread.ts'
import { describe } from '../../support/describe.ts'

/** Creates a body whose worker only records the messages it receives. */
const createBody = () => {
  const messages: string[] = []
  const body = new WorkerBody(undefined, {
    request: () => void messages.push('request'),
    cancel: () => void messages.push('cancel'),
    timeout: 0,
    onTimeout: () => undefined,
  })
  return { body, messages }
}

const bytes = new Uint8Array([1])
const failure = new Error('the worker has exited')
const reasonOf = (read: Promise<unknown>): Promise<unknown> =>
  read.then(
    () => 'no failure',
    (reason: unknown) => reason,
  )

describe('WorkerBody after its worker has exited', (test) => {
  test('rejects a pending read', async () => {
    const { body } = createBody()
    const pending = body.next()
    body.fail(failure)
    assert.is(await reasonOf(pending), failure)
  })
  test('rejects a later read instead of ending', async () => {
    const { body, messages } = createBody()
    const first = body.next()
    body.deliver(bytes)
    assert.equal(await first, { done: false, value: bytes })
    body.fail(failure)
    assert.is(await reasonOf(body.next()), failure)
    assert.equal(messages, ['request'])
  })
  test('ends normally if its end was received before', async () => {
    const { body } = createBody()
    const pending = body.next()
    body.deliver(undefined)
    body.fail(failure)
    assert.equal(await pending, { done: true, value: undefined })
    assert.equal(await body.next(), { done: true, value: undefined })
  })
  test('ends for a reader that has closed it', async () => {
    const { body, messages } = createBody()
    body.close()
    body.fail(failure)
    assert.equal(await body.next(), { done: true, value: undefined })
    assert.equal(messages, ['cancel'])
  })
})
