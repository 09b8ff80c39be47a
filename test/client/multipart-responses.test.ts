/** Multipart responses, read as a stream of parts or as a record of their fields. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { CallFailed } from '../../src/client.ts'
import {
  bytes,
  byteStream,
  file,
  formDataPart,
  get,
  handle,
  int,
  json,
  list,
  multipartOutput,
  optional,
  part,
  path,
  produces,
  repeated,
  routes,
  string,
  textStream,
} from '../../src/index.ts'
import { clientContract, errorIn, right } from '../support/clients.ts'
import { table } from '../support/describe.ts'

const Book = t.type({ title: t.string })
const self = import.meta.filename

const Record = multipartOutput({
  title: string,
  pages: optional(int),
  tag: list(string),
  book: json(Book),
  more: repeated(json(Book)),
  other: part(json(Book)),
  data: bytes,
  chunks: byteStream,
  texts: textStream,
  file,
  files: repeated(file),
})

const api = routes({
  parts: pipe(
    path('/parts'),
    get(),
    produces(multipartOutput),
    handle(() => [
      formDataPart('title', 'Emma é', string, { headers: { 'X-Language': 'en' } }),
      formDataPart('data', new Uint8Array([13, 10, 45, 45]), bytes, { fileName: 'a.bin' }),
      formDataPart('title', '', string),
      formDataPart('large', [new Uint8Array(100_000), new Uint8Array([7])], byteStream),
    ]),
  ),
  none: pipe(
    path('/none'),
    get(),
    produces(multipartOutput),
    handle(() => []),
  ),
  record: pipe(
    path('/record'),
    get(),
    produces(Record),
    handle(() => ({
      title: '',
      pages: 474,
      tag: ['a', 'é'],
      book: { title: 'Emma' },
      more: [{ title: '1' }, { title: '2' }],
      other: { title: 'Persuasion' },
      data: new Uint8Array([0xff]),
      chunks: [new Uint8Array([1]), new Uint8Array([2])],
      texts: ['a', 'b'],
      file: self,
      files: [self, self],
    })),
  ),
  empty: pipe(
    path('/record'),
    get('/empty'),
    produces(Record),
    handle(() => ({
      title: undefined,
      pages: null,
      tag: [],
      book: null,
      more: [],
      other: null,
      data: null,
      chunks: null,
      texts: null,
      file: null,
      files: [],
    })),
  ),
})

/** Returns a value that must be defined. */
const expectDefined = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error('expected a value')
  return value
}

const readBytes = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const collected: Uint8Array[] = []
  for await (const chunk of chunks) collected.push(chunk)
  return Buffer.concat(collected)
}

clientContract('a stream of parts', api, (test, createClient) => {
  test('parts are read one after another with their headers', async () => {
    const { body: parts } = await right(createClient().parts())
    const seen: unknown[] = []
    for await (const { name, fileName, contentType, headers, content } of parts) {
      const data = await readBytes(content)
      seen.push([
        name,
        fileName,
        contentType,
        headers.includes('X-Language'),
        data.length > 10 ? data.length : data.toString(),
      ])
    }
    assert.equal(seen, [
      ['title', undefined, 'text/plain;charset=UTF-8', true, 'Emma é'],
      ['data', 'a.bin', 'application/octet-stream', false, '\r\n--'],
      ['title', undefined, 'text/plain;charset=UTF-8', false, ''],
      ['large', undefined, 'application/octet-stream', false, 100_001],
    ])
  })
  test('the unread rest of a part is skipped', async () => {
    const { body: parts } = await right(createClient().parts())
    const names: string[] = []
    for await (const { name, content } of parts) {
      names.push(name)
      if (name === 'large') for await (const chunk of content) if (chunk.length > 0) break
    }
    assert.equal(names, ['title', 'data', 'title', 'large'])
  })
  test('a body without parts is an empty stream', async () => {
    for await (const { name } of (await right(createClient().none())).body) assert.unreachable(name)
  })
})

clientContract('a record of parts', api, (test, createClient) => {
  test('a record is read from its fields', async () => {
    const { body: record } = await right(createClient().record())
    assert.equal(
      [record.title, record.pages, record.tag, record.book, record.more, record.other],
      [
        '',
        474,
        ['a', 'é'],
        { title: 'Emma' },
        [{ title: '1' }, { title: '2' }],
        { title: 'Persuasion' },
      ],
    )
    assert.equal(record.data, new Uint8Array([0xff]))
    assert.equal([...(await readBytes(expectDefined(record.chunks)))], [1, 2])
    const texts: string[] = []
    for await (const chunk of expectDefined(record.texts)) texts.push(chunk)
    assert.is(texts.join(''), 'ab')
    assert.is(record.files?.length, 2)
    for (const received of [expectDefined(record.file), ...(record.files ?? [])]) {
      const content = await readBytes(received)
      assert.match(content.toString(), /Multipart responses, read as/)
      assert.is(received.size, content.length)
      assert.is(received.fileName, 'multipart-responses.test.js')
      assert.match(received.contentType, /javascript/)
    }
  })
  test('a record without optional fields is read', async () => {
    const { body: record } = await right(createClient().empty())
    assert.equal(record, {
      title: undefined,
      pages: undefined,
      tag: [],
      book: undefined,
      more: [],
      other: undefined,
      data: undefined,
      chunks: undefined,
      texts: undefined,
      file: undefined,
      files: [],
    })
  })
  test('a record above maxBodySize is a ResponseTooLarge', async () => {
    const error = await errorIn(createClient({ maxBodySize: 1000 }).record())
    assert.is(error._tag, 'ResponseTooLarge')
  })
})

const form = (...lines: ReadonlyArray<string>): string => lines.join('\r\n')
const disposition = 'Content-Disposition: form-data; name="title"'

type MalformedForm = readonly [name: string, content: string, type?: string]

const malformedForms: ReadonlyArray<MalformedForm> = [
  ['a missing boundary', '', 'multipart/form-data'],
  ['an empty body', ''],
  ['a missing delimiter', 'title'],
  ['a truncated header', form('--b', 'Content-Dis')],
  ['a truncated part', form('--b', disposition, '', 'Emma')],
  ['a truncated closing delimiter', form('--b', disposition, '', 'Emma', '--b-')],
  ['a malformed header', form('--b', 'Content Disposition', '', '', '--b--')],
  ['a part without a name', form('--b', 'Content-Type: text/plain', '', '', '--b--')],
  ['a duplicate Content-Disposition', form('--b', disposition, disposition, '', '', '--b--')],
  [
    'other characters after the delimiter of an empty part',
    form('--b', disposition, '', '--bc', '--b--'),
  ],
  [
    'other characters after the delimiter of a part',
    form('--b', disposition, '', 'Emma', '--bc', '--b--'),
  ],
  ['a letter and a line feed after a delimiter', `--bc\n${form(disposition, '', 'Emma', '--b--')}`],
  ['a header that is too large', form('--b', `X: ${'x'.repeat(20_000)}`, '', '', '--b--')],
]

const respondWith = (content: string, type = 'multipart/form-data; boundary=b') => ({
  fetch: async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        // one byte at a time, so that each position is a chunk boundary
        start: (controller) => {
          for (const byte of new TextEncoder().encode(content))
            controller.enqueue(new Uint8Array([byte]))
          controller.close()
        },
      }),
      { headers: { 'Content-Type': type } },
    ),
})

clientContract('multipart bodies of other services', api, (test, createClient) => {
  table<MalformedForm>(test, malformedForms, async (_, content, type) => {
    const recordError = await errorIn(createClient(respondWith(content, type)).record())
    assert.is(recordError._tag, 'DecodeError')
    if (type !== undefined) return
    const { body: parts } = await right(createClient(respondWith(content, type)).parts())
    try {
      for await (const { content: unread } of parts) await readBytes(unread)
      assert.unreachable('the stream must fail')
    } catch (error) {
      assert.ok(error instanceof CallFailed && '_tag' in error.failure)
      assert.is(error.failure._tag, 'DecodeError')
    }
  })
  table(
    test,
    [
      [
        'a preamble and an epilogue',
        form('before', '--b', disposition, '', 'Emma', '--b--', 'after'),
      ],
      [
        'whitespace after delimiters',
        form('--b \t', disposition, '', 'Emma', '--b  ', disposition, '', '', '--b--'),
      ],
      ['other headers', form('--b', 'X-Other: 1', disposition, '', 'Emma', '--b--')],
    ] as const,
    async (_, content) =>
      assert.is((await right(createClient(respondWith(content)).record())).body.title, 'Emma'),
  )
  test('a field that is not repeated takes the first of several parts', async () => {
    const { body: record } = await right(
      createClient(
        respondWith(form('--b', disposition, '', 'a', '--b', disposition, '', 'b', '--b--')),
      ).record(),
    )
    assert.is(record.title, 'a')
  })
  test('the pointer of an invalid field starts with its name', async () => {
    const error = await errorIn(
      createClient(
        respondWith(
          form(
            '--b',
            'Content-Disposition: form-data; name=more',
            '',
            '{"title":""}',
            '--b',
            'Content-Disposition: form-data; name=more',
            '',
            '{"title":1}',
            '--b--',
          ),
        ),
      ).record(),
    )
    assert.ok(error._tag === 'DecodeError')
    assert.is(error.errors[0]?.pointer, '#/more/1/title')
  })
})
