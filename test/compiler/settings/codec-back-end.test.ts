import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { interpretedBackEnd } from '../../../src/codec/generated/interpreted/interpreted-back-end.ts'
import { generatedBackEnd } from '../../../src/codec/generated/generator/generated-back-end.ts'
import { get, handle, json, list, optional, path, produces, routes } from '../../../src/index.ts'
import { codecBackEnd } from '../../../src/compiler/settings/codec-back-end.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { inMemory } from '../../../src/testing.ts'
import { ask } from '../../support/ask.ts'
import { describe } from '../../support/describe.ts'

const forbidden = process.execArgv.includes('--disallow-code-generation-from-strings')
const name = 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'

describe('backEnd', (test) => {
  test('R-263: is that of source where it is allowed', () =>
    assert.is(codecBackEnd(defaultSettings), forbidden ? interpretedBackEnd : generatedBackEnd))
  test('R-263: is that of closures when the setting says so', () =>
    assert.is(codecBackEnd({ [name]: false }), interpretedBackEnd))
  test('R-263: makes no difference to what is sent', async () => {
    const Book = t.type({ title: t.string, pages: t.number, authors: list(optional(t.string)) })
    const book = { title: 'Emma "1"', pages: 1e21, authors: ['Jane', undefined], more: true }
    const api = routes({
      book: pipe(
        path('/'),
        get(),
        produces(json(Book)),
        handle(() => book),
      ),
    })
    const sent = [true, false].map(async (isOn) =>
      (await ask(inMemory(api, { [name]: isOn }), 'GET /')).text(),
    )
    const expected = '{"title":"Emma \\"1\\"","pages":1e+21,"authors":["Jane",null]}'
    assert.equal(await Promise.all(sent), [expected, expected])
  })
})
