import * as assert from 'uvu/assert'
import { allUploads, int, json, part, upload, uploads } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

describe('form parts', (test) => {
  const structured = json(int)
  table(
    test,
    [
      ['upload', upload, undefined],
      ['uploads', uploads, undefined],
      ['allUploads', allUploads, undefined],
      ['part', part(structured), structured],
    ] as const,
    (kind, value, representation) =>
      assert.equal(value, { _tag: 'FormPart', kind, representation, isOptional: false }),
  )
})
