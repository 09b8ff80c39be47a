import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'
import { references } from './reference.ts'

describe('generated reference pages', (test) => {
  for (const [path, text] of references())
    test(`${path} equals the text generated from the code`, () =>
      assert.is(readFileSync(path, 'utf8'), text, 'run node .scripts/reference.mjs after a build'))
})
