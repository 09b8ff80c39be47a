/** `inLanguage`: representations that differ in language, selected by `Accept-Language` (RFC 9110, 12.5.4). */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  as,
  get,
  handle,
  html,
  inLanguage,
  json,
  path,
  produces,
  routes,
  string,
  text,
} from '../../../src/index.ts'
import type { Context } from '../../../src/index.ts'
import { sendRequest } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const english = inLanguage('en')
const german = inLanguage('de')

/** Returns the representation that a handler observes. */
const selectedIn = (_: unknown, { response }: Context) =>
  `${response.language} ${response.contentType}`

const api = routes({
  texts: pipe(path('/texts'), get(), produces(english(text), german(text)), handle(selectedIn)),
  regions: pipe(
    path('/regions'),
    get(),
    produces(inLanguage('de-CH')(text), inLanguage('de-AT')(text), german(text)),
    handle(selectedIn),
  ),
  types: pipe(
    path('/types'),
    get(),
    produces(json(string), english(html), german(text)),
    handle(selectedIn),
  ),
  weighted: pipe(
    path('/weighted'),
    get(),
    produces(as('text/html;qs=0.5')(english(text)), english(text)),
    handle(selectedIn),
  ),
  single: pipe(path('/single'), get(), produces(german(text)), handle(selectedIn)),
  neutral: pipe(path('/neutral'), get(), produces(text, german(text)), handle(selectedIn)),
  inEnglish: pipe(
    path('/operations'),
    get(),
    produces(english(text)),
    handle(() => 'en'),
  ),
  inGerman: pipe(
    path('/operations'),
    get(),
    produces(german(text)),
    handle(() => 'de'),
  ),
})

valueContract('representations that differ in language', api, (test, call) => {
  const send = (line: string, headers: Record<string, string> = {}) =>
    sendRequest(call, line, { headers })
  const responseTo = async (line: string, headers: Record<string, string>) => {
    const response = await send(line, headers)
    return [
      await response.text(),
      response.headers.get('content-language'),
      response.headers.get('vary'),
    ]
  }
  const both = 'Accept, Accept-Language'

  table(
    test,
    [
      ['no Accept-Language: the first language', {}, 'en'],
      ['the preferred language', { 'Accept-Language': 'en;q=0.5, de' }, 'de'],
      ['the earlier of equally preferred languages', { 'Accept-Language': 'de, en' }, 'de'],
      ['a region of the language', { 'Accept-Language': 'de-AT' }, 'de'],
      ['another language: the first one', { 'Accept-Language': 'fr' }, 'en'],
      ['a language that is not acceptable', { 'Accept-Language': 'en;q=0, *;q=0.1' }, 'de'],
      ['a malformed header: the first language', { 'Accept-Language': '???' }, 'en'],
    ] as const,
    async (_, headers, tag) =>
      assert.equal(await responseTo('GET /texts', headers), [
        `${tag} text/plain;charset=UTF-8`,
        tag,
        both,
      ]),
  )
  test('HEAD has the headers of GET', async () => {
    const response = await responseTo('HEAD /texts', { 'Accept-Language': 'de' })
    assert.equal(response, ['', 'de', both])
  })
  table(
    test,
    [
      ['the language rather than a region', 'de', 'de'],
      ['the region', 'de-AT', 'de-AT'],
      ['the language for another region', 'de-LI', 'de'],
      ['a region with another weight', 'de-CH;q=0.9, de;q=0.8', 'de-CH'],
    ] as const,
    async (_, header, tag) => {
      const [, selected] = await responseTo('GET /regions', { 'Accept-Language': header })
      assert.is(selected, tag)
    },
  )
  table(
    test,
    [
      ['Accept determines the representation', 'text/html', 'de', 'en text/html'],
      [
        'the product of the weights',
        'text/html, text/plain;q=0.8',
        'de, en;q=0.5',
        'de text/plain',
      ],
      [
        'the media type before the language',
        'text/html, text/plain;q=0.4',
        'de, en;q=0.5',
        'en text/html',
      ],
      [
        'no accepted language: the media type',
        'text/plain, text/html;q=0.5',
        'fr',
        'de text/plain',
      ],
    ] as const,
    async (_, accept, languages, expected) => {
      const headers = { Accept: accept, 'Accept-Language': languages }
      const [content] = await responseTo('GET /types', headers)
      assert.is(content, `${expected};charset=UTF-8`)
    },
  )
  test('a representation without a language has no Content-Language', async () => {
    const headers = { Accept: 'application/json', 'Accept-Language': 'de' }
    assert.equal(await responseTo('GET /types', headers), [
      '"undefined application/json"',
      null,
      both,
    ])
  })
  test('an unacceptable media type returns 406 regardless of the language', async () =>
    assert.is(
      (await send('GET /types', { Accept: 'image/png', 'Accept-Language': 'de' })).status,
      406,
    ))
  test('Accept-Language is not in Vary if all representations have the same language', async () => {
    const [content, tag, vary] = await responseTo('GET /weighted', { 'Accept-Language': 'fr' })
    assert.equal([content, tag, vary], ['en text/plain;charset=UTF-8', 'en', 'Accept'])
  })
  test('a single representation has Content-Language and no Vary', async () =>
    assert.equal(await responseTo('GET /single', { 'Accept-Language': 'en' }), [
      'de text/plain;charset=UTF-8',
      'de',
      null,
    ]))
  test('a representation without a language is the default', async () => {
    const [, other] = await responseTo('GET /neutral', { 'Accept-Language': 'fr' })
    const [, listed] = await responseTo('GET /neutral', { 'Accept-Language': 'de' })
    assert.equal([other, listed], [null, 'de'])
  })
  table(
    test,
    [
      ['the operation in the preferred language', 'de', 'de'],
      ['the first operation for another language', 'fr', 'en'],
    ] as const,
    async (_, header, tag) =>
      assert.equal(await responseTo('GET /operations', { 'Accept-Language': header }), [
        tag,
        tag,
        both,
      ]),
  )
})
