import * as assert from 'uvu/assert'
import { byClosures } from '../../src/codec/compiled/closures/closures.ts'
import { bySource } from '../../src/codec/compiled/source/source.ts'
import { backEnd } from '../../src/interpreter/back-end.ts'
import { defaults } from '../../src/interpreter/settings.ts'
import { describe } from '../support/describe.ts'

const forbidden = process.execArgv.includes('--disallow-code-generation-from-strings')
const name = 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'

describe('backEnd', (test) => {
  test('is that of source where it is allowed', () =>
    assert.is(backEnd(defaults), forbidden ? byClosures : bySource))
  test('is that of closures when the setting says so', () =>
    assert.is(backEnd({ [name]: false }), byClosures))
})
