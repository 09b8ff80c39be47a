import * as assert from 'uvu/assert'
import * as Failure from '../../src/http/failure.ts'
import { describe, table } from '../support/describe.ts'

type Of<Tag> = Extract<Failure.RequestFailure, { readonly _tag: Tag }>

/** The status of each failure. A missing failure is a compile-time error. */
const statuses: {
  readonly [Tag in Failure.RequestFailure['_tag']]: readonly [status: number, failure: Of<Tag>]
} = {
  MalformedRequest: [400, { _tag: 'MalformedRequest', detail: '' }], // RFC 9110, 15.5.1
  InvalidInput: [400, { _tag: 'InvalidInput', errors: [], more: false }],
  NotFound: [404, { _tag: 'NotFound', errors: [], more: false }], // 15.5.5
  MissingContentType: [400, { _tag: 'MissingContentType', supported: [] }], // RFC 10008, 2.1
  MethodNotAllowed: [405, { _tag: 'MethodNotAllowed', allow: [] }], // RFC 9110, 15.5.6
  NotAcceptable: [406, { _tag: 'NotAcceptable', available: [] }], // 15.5.7
  RequestTimeout: [408, { _tag: 'RequestTimeout' }], // 15.5.9
  ContentTooLarge: [413, { _tag: 'ContentTooLarge', detail: '' }], // 15.5.14
  UriTooLong: [414, { _tag: 'UriTooLong' }], // 15.5.15
  UnsupportedMediaType: [415, { _tag: 'UnsupportedMediaType', detail: '', supported: [] }], // 15.5.16
  UnsupportedContentCoding: [415, { _tag: 'UnsupportedContentCoding' }], // 15.5.16 includes content codings
  ExpectationFailed: [417, { _tag: 'ExpectationFailed' }], // 15.5.18
  MisdirectedRequest: [421, { _tag: 'MisdirectedRequest' }],
  HeaderFieldsTooLarge: [431, { _tag: 'HeaderFieldsTooLarge' }], // RFC 6585, 5
  InternalError: [500, { _tag: 'InternalError' }], // RFC 9110, 15.6.1
  MethodNotImplemented: [501, { _tag: 'MethodNotImplemented' }], // RFC 9110, 9.1
  TransferCodingNotImplemented: [501, { _tag: 'TransferCodingNotImplemented' }], // RFC 9112, 6.1
  ServiceUnavailable: [503, { _tag: 'ServiceUnavailable' }], // RFC 9110, 15.6.4
  HandlerTimeout: [503, { _tag: 'HandlerTimeout' }], // only gateways respond with 504
  Overloaded: [503, { _tag: 'Overloaded' }],
  BodyMemoryExhausted: [503, { _tag: 'BodyMemoryExhausted' }],
  VersionNotSupported: [505, { _tag: 'VersionNotSupported' }], // 15.6.6
}

describe('Failure.status', (test) => {
  for (const [tag, [status, failure]] of Object.entries(statuses))
    test(tag, () => assert.is(Failure.status(failure), status))
})

const errors = (count: number): ReadonlyArray<Failure.ValidationError> =>
  Array.from({ length: count }, (_, index) => ({ in: 'query', name: `p${index}`, detail: '' }))

describe('Failure.limitErrors', (test) => {
  table(
    test,
    [
      [0, 0, false],
      [1, 1, false],
      [20, 20, false],
      [21, 20, true],
      [10_000, 20, true],
    ] as const,
    (count, kept, more) =>
      assert.equal(Failure.limitErrors(errors(count)), {
        errors: errors(count).slice(0, kept),
        more,
      }),
  )
})

describe('Failure.ofErrors', (test) => {
  table(test, [[0], [1], [20], [21], [10_000]] as const, (count) => {
    for (const tag of ['InvalidInput', 'NotFound'] as const)
      assert.equal(Failure.ofErrors(tag, errors(count)), {
        _tag: tag,
        ...Failure.limitErrors(errors(count)),
      })
  })
})
