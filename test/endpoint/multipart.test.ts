import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  allFields,
  allUploads,
  body,
  file,
  filePart,
  formDataPart,
  handle,
  multipartOutput,
  path,
  post,
  routes,
  string,
  upload,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

describe('multipartOutput', (test) => {
  test('is a representation and a function that creates representations', () => {
    assert.is(multipartOutput.mediaType, 'multipart/form-data')
    assert.is(multipartOutput({}).mediaType, 'multipart/form-data')
    assert.ok(Object.isFrozen(multipartOutput) && Object.isFrozen(multipartOutput({})))
  })
  for (const received of [upload, allUploads, allFields])
    test(`rejects a part that is only received: ${received.kind}`, () =>
      assert.throws(
        () => multipartOutput({ cover: received }),
        /form field "cover" is declared as an upload or as a map of all fields/,
      ))
})

describe('formDataPart', (test) => {
  test('returns a frozen part', () => {
    const part = formDataPart('a', 'b', string, { headers: { 'X-A': 'b' } })
    assert.ok(Object.isFrozen(part))
    assert.equal(part.headers, ['X-A', 'b'])
    assert.is(part.representation.mediaType, 'text/plain')
  })
  table(
    test,
    [
      ['X A', 'b'],
      ['X-A', 'b\r\nc'],
      ['X-A', '€'],
    ] as const,
    (name, value) =>
      assert.throws(
        () => formDataPart('a', 'b', string, { headers: { [name]: value } }),
        TypeError,
      ),
  )
})

describe('filePart', (test) => {
  table(
    test,
    [
      [0, 0, true],
      [0, Number.MAX_SAFE_INTEGER, true],
      [-1, 0, false],
      [0, -1, false],
      [0.5, 1, false],
      [0, NaN, false],
      [Infinity, 1, false],
    ] as const,
    (offset, count, isPart) => {
      const make = () => filePart('/a', { offset, count })
      if (isPart) assert.equal({ ...make() }, { _tag: 'FilePart', file: '/a', offset, count })
      else assert.throws(make, RangeError)
    },
  )
})

describe('representations that are only sent', (test) => {
  table(
    test,
    [
      ['a file', file],
      ['a multipartOutput', multipartOutput],
    ] as const,
    (_, representation) => {
      const read = pipe(
        path('/'),
        post(),
        body(representation),
        handle(() => {}),
      )
      assert.throws(
        () => inMemory(routes({ read })),
        new RegExp(`FW-MEDIA-001[^]*can only be sent, not received`),
      )
    },
  )
})
