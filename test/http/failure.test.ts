import * as assert from 'uvu/assert'
import * as Failure from '../../src/http/failure.ts'
import { describe, table } from '../support/describe.ts'

type Tag = Failure.Failure['_tag']

const noFaults = { faults: [], more: false } as const

/** A failure of each kind: one that is missing here does not compile. */
const samples: { readonly [T in Tag]: Extract<Failure.Failure, { readonly _tag: T }> } = {
  MalformedRequest: { _tag: 'MalformedRequest', detail: '' },
  InvalidInput: { _tag: 'InvalidInput', ...noFaults },
  NotFound: { _tag: 'NotFound', ...noFaults },
  MethodNotAllowed: { _tag: 'MethodNotAllowed', allow: [] },
  NotAcceptable: { _tag: 'NotAcceptable', available: [] },
  RequestTimeout: { _tag: 'RequestTimeout' },
  ContentTooLarge: { _tag: 'ContentTooLarge', detail: '' },
  UriTooLong: { _tag: 'UriTooLong' },
  UnsupportedMediaType: { _tag: 'UnsupportedMediaType', detail: '', supported: [] },
  UnsupportedContentCoding: { _tag: 'UnsupportedContentCoding' },
  ExpectationFailed: { _tag: 'ExpectationFailed' },
  HeaderFieldsTooLarge: { _tag: 'HeaderFieldsTooLarge' },
  InternalError: { _tag: 'InternalError' },
  TransferCodingNotImplemented: { _tag: 'TransferCodingNotImplemented' },
  ServiceUnavailable: { _tag: 'ServiceUnavailable' },
  VersionNotSupported: { _tag: 'VersionNotSupported' },
}

describe('Failure.status', (test) => {
  const statuses: Readonly<Record<Tag, number>> = {
    MalformedRequest: 400, // RFC 9110, 15.5.1
    InvalidInput: 400,
    NotFound: 404, // 15.5.5
    MethodNotAllowed: 405, // 15.5.6
    NotAcceptable: 406, // 15.5.7
    RequestTimeout: 408, // 15.5.9
    ContentTooLarge: 413, // 15.5.14
    UriTooLong: 414, // 15.5.15
    UnsupportedMediaType: 415, // 15.5.16
    UnsupportedContentCoding: 415, // 15.5.16: also by its coding
    ExpectationFailed: 417, // 15.5.18
    HeaderFieldsTooLarge: 431, // RFC 6585, 5
    InternalError: 500, // 15.6.1
    TransferCodingNotImplemented: 501, // RFC 9112, 6.1
    ServiceUnavailable: 503, // 15.6.4
    VersionNotSupported: 505, // 15.6.6
  }
  for (const failure of Object.values(samples))
    test(failure._tag, () => assert.is(Failure.status(failure), statuses[failure._tag]))
})

describe('Failure.reported', (test) => {
  const faults = (count: number): ReadonlyArray<Failure.Fault> =>
    Array.from({ length: count }, (_, index) => ({ in: 'query', name: `p${index}`, detail: '' }))
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
      assert.equal(Failure.reported(faults(count)), { faults: faults(count).slice(0, kept), more }),
  )
})
