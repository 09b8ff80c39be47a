import * as assert from 'uvu/assert'
import { createSemaphore, FifoQueue } from '../../../src/client/policy/semaphore.ts'
import { describe } from '../../support/describe.ts'

describe('createSemaphore', (test) => {
  test('acquire returns true while permits are free, and false when the queue is full', () => {
    const semaphore = createSemaphore(2, 0)
    assert.equal(
      [1, 2, 3].map(() => semaphore.acquire(undefined)),
      [true, true, false],
    )
    semaphore.release()
    assert.is(semaphore.acquire(undefined), true)
  })
  test('release passes the permit to the first request in the queue', async () => {
    const semaphore = createSemaphore(1, 2)
    assert.is(semaphore.acquire(undefined), true)
    const order: string[] = []
    const requests = ['first', 'second'].map(async (name) => {
      await semaphore.acquire(undefined)
      order.push(name)
    })
    semaphore.release()
    semaphore.release()
    await Promise.all(requests)
    assert.equal(order, ['first', 'second'])
    semaphore.release()
    assert.is(semaphore.acquire(undefined), true)
  })
})

describe('FifoQueue', (test) => {
  test('an aborted request leaves the queue', async () => {
    const queue = new FifoQueue()
    const controller = new AbortController()
    let abandoned = 0
    const first = queue.wait(controller.signal, () => abandoned++)
    const second = queue.wait(undefined)
    assert.is(queue.length, 2)
    controller.abort()
    assert.is(await first, 'aborted')
    assert.equal([queue.length, abandoned], [1, 1])
    assert.ok(queue.admitNext())
    assert.is(await second, 'admitted')
    assert.not(queue.admitNext())
  })
  test('requests are admitted in order, also after the queue was empty', async () => {
    const queue = new FifoQueue()
    const admitted: string[] = []
    const wait = async (name: string): Promise<void> => {
      await queue.wait(undefined)
      admitted.push(name)
    }
    const requests = [wait('a'), wait('b')]
    queue.admitNext()
    requests.push(wait('c'))
    while (queue.admitNext());
    assert.is(queue.length, 0)
    requests.push(wait('d'))
    assert.ok(queue.admitNext())
    await Promise.all(requests)
    assert.equal(admitted, ['a', 'b', 'c', 'd'])
  })
  test('admitting 100,000 requests takes linear time', () => {
    const queue = new FifoQueue()
    for (let n = 0; n < 100_000; n++) void queue.wait(undefined)
    const start = performance.now()
    while (queue.admitNext());
    const elapsed = performance.now() - start
    assert.ok(elapsed < 2000, `${elapsed} ms`)
  })
})
