import * as assert from 'uvu/assert'
import { isEvent } from '../../src/endpoint/sse.ts'
import { comment, event } from '../../src/index.ts'
import { describe } from '../support/describe.ts'

describe('event', (test) => {
  test('has data and optional fields', () => {
    assert.equal([event(1).name, event(1).data], [undefined, 1])
    const {
      name,
      data,
      id,
      retry,
      comment: remark,
    } = event('a', 1, { id: 'b', retry: 2, comment: 'c' })
    assert.equal([name, data, id, retry, remark], ['a', 1, 'b', 2, 'c'])
  })
  test('is frozen', () => assert.ok(Object.isFrozen(event(1)) && Object.isFrozen(comment('a'))))
  test('is distinct from data of the same shape', () => {
    assert.ok(isEvent(event(1)) && isEvent(comment('a')))
    assert.not(isEvent(JSON.parse(JSON.stringify(event(1)))))
    assert.not([undefined, null, 1, 'Event', [], {}].some(isEvent))
  })
  test('an invalid name, id or retry throws immediately', () => {
    assert.throws(() => event('a\rb', 1), TypeError)
    assert.throws(() => event(undefined, 1, { id: 'a\n' }), TypeError)
    assert.throws(() => comment('a', { id: '\0' }), TypeError)
    assert.throws(() => event(undefined, 1, { retry: 0.5 }), RangeError)
    assert.throws(() => comment('a', { retry: NaN }), RangeError)
  })
  test('may have a multi-line comment', () => {
    assert.is(comment('a\nb').comment, 'a\nb')
  })
})
