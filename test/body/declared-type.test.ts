import * as assert from 'uvu/assert'
import { parseDeclaredType } from '../../src/body/charset.ts'
import { describe, table } from '../support/describe.ts'

describe('parseDeclaredType', (test) => {
  table(
    test,
    [
      ['text/csv', 'text/csv;charset=UTF-8'],
      ['text/csv;qs=0.5', 'text/csv;charset=UTF-8'],
      ['text/event-stream', 'text/event-stream'],
      ['application/vnd.x+json', 'application/vnd.x+json'],
      ['application/*', 'application/*'],
      ['*/*', '*/*'],
      // an asterisk must be the whole subtype
      ['application/*+json', undefined],
      ['text/a*', undefined],
      ['text/**', undefined],
      ['text', undefined],
      ['text/a;qs=2', undefined],
    ] as const,
    (text, expected) => assert.is(parseDeclaredType(text)?.contentType, expected),
  )
})
