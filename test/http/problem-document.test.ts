import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { RequestFailure } from '../../src/http/failure.ts'
import * as Problem from '../../src/http/problem.ts'
import { describe, law } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const anyText = fc.oneof(fc.string(), unicodeString)
const anyErrors = fc.array(
  fc.oneof(
    fc.record(
      { in: fc.constantFrom('query', 'path', 'form'), name: anyText, detail: anyText },
      { requiredKeys: ['in', 'detail'], noNullPrototype: true },
    ),
    fc.record(
      { in: fc.constant('body'), pointer: anyText, detail: anyText },
      { noNullPrototype: true },
    ),
  ),
  { maxLength: 4 },
)
const listing = { errors: anyErrors, more: fc.boolean() }
const texts = fc.array(anyText, { maxLength: 4 })
const anyFailure: fc.Arbitrary<RequestFailure> = fc.oneof(
  ...(['MalformedRequest', 'ContentTooLarge'] as const).map((tag) =>
    fc.record({ _tag: fc.constant(tag), detail: anyText }),
  ),
  ...(['InvalidInput', 'NotFound'] as const).map((tag) =>
    fc.record({ _tag: fc.constant(tag), ...listing }),
  ),
  fc.record({ _tag: fc.constant('MethodNotAllowed'), allow: texts }),
  fc.record({ _tag: fc.constant('NotAcceptable'), available: texts }),
  fc.record({ _tag: fc.constant('UnsupportedMediaType'), detail: anyText, supported: texts }),
  fc.constantFrom<RequestFailure>(
    { _tag: 'RequestTimeout' },
    { _tag: 'UriTooLong' },
    { _tag: 'UnsupportedContentCoding' },
    { _tag: 'ExpectationFailed' },
    { _tag: 'HeaderFieldsTooLarge' },
    { _tag: 'InternalError' },
    { _tag: 'TransferCodingNotImplemented' },
    { _tag: 'ServiceUnavailable' },
    { _tag: 'HandlerTimeout' },
    { _tag: 'Overloaded' },
    { _tag: 'BodyMemoryExhausted' },
    { _tag: 'MethodNotImplemented' },
    { _tag: 'MisdirectedRequest' },
    { _tag: 'VersionNotSupported' },
  ),
)

describe('Problem.toJson', (test) => {
  test('toJson escapes each code unit as JSON.stringify does', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const detail = `a${String.fromCharCode(unit)}b`
      const text = Problem.toJson(Problem.ofStatus(400, detail), 'urn:a')
      assert.ok(text.includes(`,"detail":${JSON.stringify(detail)},`), JSON.stringify(detail))
    }
  })
  const anyProblem = fc.oneof(
    anyFailure.map(Problem.ofFailure),
    fc
      .tuple(fc.integer({ min: 200, max: 999 }), fc.option(anyText, { nil: undefined }))
      .map(([status, detail]) => Problem.ofStatus(status, detail)),
  )
  law(
    test,
    'returns the same text as JSON.stringify',
    fc.tuple(anyProblem, fc.uuid()),
    ([problem, uuid]) =>
      assert.is(
        Problem.toJson(problem, Problem.instanceUri(uuid)),
        JSON.stringify({ type: 'about:blank', ...problem, instance: `urn:uuid:${uuid}` }),
      ),
  )
})
