/** Look-up of readers, writers and mappers from the context of a handler, filter or mapper. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { CommonContext } from '../../../src/index.ts'
import {
  BadRequest,
  basic,
  Conflict,
  get,
  handle,
  mapError,
  onlyOn,
  path,
  produces,
  providersOf,
  reader,
  readerInterceptor,
  reply,
  responseFilter,
  routes,
  secureField,
  string,
  text,
  withFilter,
  withInterceptor,
  withMapper,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import { inMemory, testContext } from '../../../src/testing.ts'
import { withXml } from '../../../src/xml.ts'
import { describe, table } from '../../support/describe.ts'
import { inHandler, unchanged } from './in-handler.ts'

const Book = t.type({ title: t.string }, 'Book')
const Priced = t.type({ title: t.string, cost: secureField('staff')(t.number) }, 'Priced')
const encode = (value: string): Uint8Array => new TextEncoder().encode(value)
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

class Closed extends Error {}

const csv = reader({
  mediaType: 'text/csv',
  of: Book,
  read: async (data, { mediaType }) => {
    const title = decode(data)
    if (title === 'conflict') throw new Conflict('read')
    if (title === 'broken') throw new RangeError('broken')
    return { title: `${title} ${mediaType}` }
  },
})
const anyCsv = reader({ mediaType: 'text/csv', read: (data) => ({ title: decode(data) }) })

const read =
  (data: string, mediaType = 'application/json') =>
  async (context: CommonContext): Promise<unknown> => {
    const found = providersOf(context).reader(Book, mediaType)
    if (found === undefined) return 'none'
    const result = await found(encode(data))()
    return E.isRight(result) ? result.right : result.left
  }

const write =
  (mediaType: string, title = 'Emma') =>
  async (context: CommonContext): Promise<unknown> => {
    const found = providersOf(context).writer(Book, mediaType)
    if (found === undefined) return 'none'
    const { data, ...written } = await found({ title })()
    return { ...written, text: decode(data) }
  }

describe('providersOf: readers', (test) => {
  test('a built-in format', async () =>
    assert.equal(await inHandler(unchanged, read('{"title":"Emma","x":1}')), { title: 'Emma' }))
  test('data that the codec rejects is a BadRequest with the validation errors', async () => {
    const error = await inHandler(unchanged, read('{"title":1}'))
    assert.ok(error instanceof BadRequest)
    assert.equal(error.errors, [{ in: 'body', pointer: '#/title', detail: 'must be a string' }])
  })
  test('malformed data is a BadRequest', async () =>
    assert.ok((await inHandler(unchanged, read('{'))) instanceof BadRequest))
  test('a media type that is not supported', async () =>
    assert.is(await inHandler(unchanged, read('Emma', 'text/csv')), 'none'))
  test('a reader, which receives the media type', async () =>
    assert.equal(await inHandler(withReader(csv), read('Emma', 'text/csv;header=absent')), {
      title: 'Emma text/csv;header=absent',
    }))
  test('a reader for any entity, whose result is decoded', async () =>
    assert.equal(await inHandler(withReader(anyCsv), read('Emma', 'text/csv')), { title: 'Emma' }))
  test('the reader of the innermost scope', async () =>
    assert.equal(
      await inHandler(
        (tree) => pipe(routes({ tree: pipe(tree, withReader(csv)) }), withReader(anyCsv)),
        read('Emma', 'text/csv'),
      ),
      { title: 'Emma text/csv' },
    ))
  test('a reader for clients is ignored', async () =>
    assert.is(await inHandler(withReader(onlyOn('client')(csv)), read('Emma', 'text/csv')), 'none'))
  test('an HttpError that a reader throws', async () => {
    const error = await inHandler(withReader(csv), read('conflict', 'text/csv'))
    assert.ok(error instanceof Conflict)
  })
  test('any other error that a reader throws is the cause of a BadRequest', async () => {
    const error = await inHandler(withReader(csv), read('broken', 'text/csv'))
    assert.ok(error instanceof BadRequest && error.cause instanceof RangeError)
  })
  test('interceptors do not run', async () =>
    assert.equal(
      await inHandler(
        withInterceptor(
          readerInterceptor(() => {
            throw new Error('intercepted')
          }),
        ),
        read('{"title":"Emma"}'),
      ),
      { title: 'Emma' },
    ))
  table(
    test,
    [['*/*'], ['text/*'], ['json'], [''], ['application/*+json']] as const,
    async (mediaType) => {
      const error = await inHandler(unchanged, (context) => {
        try {
          return providersOf(context).reader(Book, mediaType)
        } catch (thrown) {
          return String(thrown)
        }
      })
      assert.is(
        error,
        `TypeError: invalid media type ${JSON.stringify(mediaType)}: expected a type such as application/json`,
      )
    },
  )
})

const html = writer({
  mediaType: 'text/html',
  of: Book,
  write: ({ title }, { addHeader, mediaType }) => {
    addHeader('Content-Language', 'en')
    return `<h1>${title}</h1> ${mediaType}`
  },
})

describe('providersOf: writers', (test) => {
  test('a built-in format', async () =>
    assert.equal(await inHandler(unchanged, write('application/json')), {
      mediaType: 'application/json',
      headers: [],
      text: '{"title":"Emma"}',
    }))
  test('a format that the tree adds', async () =>
    assert.equal(await inHandler(withXml(), write('application/xml')), {
      mediaType: 'application/xml',
      headers: [],
      text: '<?xml version="1.0" encoding="UTF-8"?><book><title>Emma</title></book>',
    }))
  test('a media type that is not supported', async () =>
    assert.is(await inHandler(unchanged, write('text/html')), 'none'))
  test('a writer and the headers that it adds', async () =>
    assert.equal(await inHandler(withWriter(html), write('text/html')), {
      mediaType: 'text/html;charset=UTF-8',
      headers: ['Content-Language', 'en'],
      text: '<h1>Emma</h1> text/html;charset=UTF-8',
    }))
  test('the charset of the media type', async () => {
    const data = await inHandler(withWriter(html), async (context) => {
      const written = await providersOf(context).writer(
        Book,
        'text/html;charset=iso-8859-1',
      )?.({
        title: 'é',
      })()
      return written?.data[4]
    })
    assert.is(data, 0xe9)
  })
  test('interceptors do not run', async () =>
    assert.equal(
      await inHandler(
        withInterceptor(
          writerInterceptor((writing, proceed) =>
            typeof writing.entity === 'string' ? proceed() : 'intercepted',
          ),
        ),
        async (context) => {
          const written = await providersOf(context).writer(
            Book,
            'application/json',
          )?.({
            title: 'Emma',
          })()
          return written && decode(written.data)
        },
      ),
      '{"title":"Emma"}',
    ))
  test('members that are hidden from the caller are omitted', async () => {
    const texts: string[] = []
    for (const user of ['ann', 'bea'])
      texts.push(
        await inHandler(
          withFilter(
            basic({
              realm: 'r',
              verify: (credentials) => ({
                name: credentials.user,
                roles: credentials.user === 'ann' ? ['staff'] : [],
              }),
            }),
          ),
          async (context) => {
            const value = { title: 'Emma', cost: 1 }
            const written = await providersOf(context).writer(Priced, 'application/json')?.(value)()
            return written === undefined ? '' : decode(written.data)
          },
          { Authorization: `Basic ${btoa(`${user}:x`)}` },
        ),
      )
    assert.equal(texts, ['{"title":"Emma","cost":1}', '{"title":"Emma"}'])
  })
})

describe('providersOf in other contexts', (test) => {
  test('a request that matches no operation has the providers of the root', async () => {
    const found: unknown[] = []
    const inner = pipe(
      path('/inner'),
      get(),
      produces(text),
      handle(() => ''),
    )
    const api = pipe(
      routes({ inner: pipe(routes({ inner }), withReader(csv)) }),
      withWriter(html),
      withReader(anyCsv),
      withMapper(mapError(Closed, () => reply(503, 'root'))),
      withFilter(
        responseFilter(async (_, context) => {
          const { reader: readerOf, writer: writerOf, mapper } = providersOf(context)
          found.push(
            readerOf(Book, 'application/json') !== undefined,
            // a reader of the application needs the context of an operation
            readerOf(Book, 'text/csv') !== undefined,
            (await writerOf(Book, 'text/html')?.({ title: 'Emma' })())?.headers,
            (await mapper(new Closed())?.())?.entity,
          )
        }),
      ),
    )
    assert.is((await inMemory(api)('http://localhost/unknown')).status, 404)
    assert.equal(found, [true, false, ['Content-Language', 'en'], 'root'])
  })
  test('a test context has the built-in formats', async () => {
    const { reader: readerOf, writer: writerOf, mapper } = providersOf(testContext())
    assert.equal(await readerOf(string, 'text/plain')?.(encode('a'))(), E.right('a'))
    const written = await writerOf(Book, 'application/json')?.({ title: 'Emma' })()
    assert.is(written && decode(written.data), '{"title":"Emma"}')
    assert.is(writerOf(Book, 'text/html'), undefined)
    assert.is(mapper(new Closed()), undefined)
  })
  test('a context that the framework did not create has none', () => {
    const { reader: readerOf, writer: writerOf, mapper } = providersOf({} as CommonContext)
    assert.equal(
      [readerOf(Book, 'application/json'), writerOf(Book, 'text/html'), mapper(1)],
      [undefined, undefined, undefined],
    )
  })
})
