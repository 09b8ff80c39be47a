/** Forms that are received: parts as they come, or a record of fields. */
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
import { called, errorIn, right } from '../support/clients.ts'
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
  octets: bytes,
  pieces: byteStream,
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
      formDataPart('octets', new Uint8Array([13, 10, 45, 45]), bytes, { fileName: 'a.bin' }),
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
      octets: new Uint8Array([0xff]),
      pieces: [new Uint8Array([1]), new Uint8Array([2])],
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
      octets: null,
      pieces: null,
      texts: null,
      file: null,
      files: [],
    })),
  ),
})

/** What has to be there. */
const there = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error('it is not there')
  return value
}

const joined = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

called('parts are received', api, (test, calling) => {
  test('parts are read one after another with their headers', async () => {
    const { body: parts } = await right(calling().parts())
    const seen: unknown[] = []
    for await (const { name, fileName, contentType, headers, content } of parts) {
      const octets = await joined(content)
      seen.push([
        name,
        fileName,
        contentType,
        headers.includes('X-Language'),
        octets.length > 10 ? octets.length : octets.toString(),
      ])
    }
    assert.equal(seen, [
      ['title', undefined, 'text/plain;charset=UTF-8', true, 'Emma é'],
      ['octets', 'a.bin', 'application/octet-stream', false, '\r\n--'],
      ['title', undefined, 'text/plain;charset=UTF-8', false, ''],
      ['large', undefined, 'application/octet-stream', false, 100_001],
    ])
  })
  test('the unread rest of a part is skipped', async () => {
    const { body: parts } = await right(calling().parts())
    const names: string[] = []
    for await (const { name, content } of parts) {
      names.push(name)
      if (name === 'large') for await (const piece of content) if (piece.length > 0) break
    }
    assert.equal(names, ['title', 'octets', 'title', 'large'])
  })
  test('a body without parts is an empty stream', async () => {
    for await (const one of (await right(calling().none())).body) assert.unreachable(one.name)
  })
})

called('a record is received', api, (test, calling) => {
  test('a record is read from its fields', async () => {
    const { body: read } = await right(calling().record())
    assert.equal(
      [read.title, read.pages, read.tag, read.book, read.more, read.other],
      [
        '',
        474,
        ['a', 'é'],
        { title: 'Emma' },
        [{ title: '1' }, { title: '2' }],
        { title: 'Persuasion' },
      ],
    )
    assert.equal(read.octets, new Uint8Array([0xff]))
    assert.equal([...(await joined(there(read.pieces)))], [1, 2])
    const texts: string[] = []
    for await (const piece of there(read.texts)) texts.push(piece)
    assert.is(texts.join(''), 'ab')
    assert.is(read.files?.length, 2)
    for (const one of [there(read.file), ...(read.files ?? [])]) {
      const content = await joined(one)
      assert.match(content.toString(), /by its fields/)
      assert.is(one.size, content.length)
      assert.is(one.fileName, 'multipart-responses.test.js')
      assert.match(one.contentType, /javascript/)
    }
  })
  test('a record without optional fields is read', async () => {
    const { body: read } = await right(calling().empty())
    assert.equal(read, {
      title: undefined,
      pages: undefined,
      tag: [],
      book: undefined,
      more: [],
      other: undefined,
      octets: undefined,
      pieces: undefined,
      texts: undefined,
      file: undefined,
      files: [],
    })
  })
  test('a record above maxContentLength is a ContentTooLarge', async () => {
    const error = await errorIn(calling({ maxContentLength: 1000 }).record())
    assert.is(error._tag, 'ContentTooLarge')
  })
})

const form = (...lines: ReadonlyArray<string>): string => lines.join('\r\n')
const disposition = 'Content-Disposition: form-data; name="title"'

type Wrong = readonly [name: string, content: string, type?: string]

const wrong: ReadonlyArray<Wrong> = [
  ['without a boundary', '', 'multipart/form-data'],
  ['that are nothing', ''],
  ['without a delimiter', 'title'],
  ['that end in a header', form('--b', 'Content-Dis')],
  ['that end in a part', form('--b', disposition, '', 'Emma')],
  ['that end before the last delimiter is whole', form('--b', disposition, '', 'Emma', '--b-')],
  ['whose header is malformed', form('--b', 'Content Disposition', '', '', '--b--')],
  ['without a name', form('--b', 'Content-Type: text/plain', '', '', '--b--')],
  ['with two names', form('--b', disposition, disposition, '', '', '--b--')],
  ['with a line that is no delimiter', form('--b', disposition, '', '--bc', '--b--')],
  ['with another line that is none', form('--b', disposition, '', 'Emma', '--bc', '--b--')],
  ['with a header that is too large', form('--b', `X: ${'x'.repeat(20_000)}`, '', '', '--b--')],
]

const answering = (content: string, type = 'multipart/form-data; boundary=b') => ({
  fetch: async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        // one octet at a time, so that it is cut everywhere
        start: (controller) => {
          for (const octet of new TextEncoder().encode(content))
            controller.enqueue(new Uint8Array([octet]))
          controller.close()
        },
      }),
      { headers: { 'Content-Type': type } },
    ),
})

called('contents that are not what their boundary says', api, (test, calling) => {
  table<Wrong>(test, wrong, async (_, content, type) => {
    const whole = await errorIn(calling(answering(content, type)).record())
    assert.is(whole._tag, 'DecodeError')
    if (type !== undefined) return
    const { body: parts } = await right(calling(answering(content, type)).parts())
    try {
      for await (const { content: octets } of parts) await joined(octets)
      assert.unreachable('it ends')
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
        'padding behind delimiters',
        form('--b \t', disposition, '', 'Emma', '--b  ', disposition, '', '', '--b--'),
      ],
      ['other fields', form('--b', 'X-Other: 1', disposition, '', 'Emma', '--b--')],
    ] as const,
    async (_, content) =>
      assert.is((await right(calling(answering(content)).record())).body.title, 'Emma'),
  )
  test('a single field takes the first of several parts', async () => {
    const { body: read } = await right(
      calling(
        answering(form('--b', disposition, '', 'a', '--b', disposition, '', 'b', '--b--')),
      ).record(),
    )
    assert.is(read.title, 'a')
  })
  test('an invalid field is reported with its name', async () => {
    const error = await errorIn(
      calling(
        answering(
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
    assert.is(error.faults[0]?.pointer, '#/more/1/title')
  })
})
