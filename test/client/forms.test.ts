/** Forms, lists of parts and files in requests. */
import { rmSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { PartToSend } from '../../src/client.ts'
import type { FileUpload } from '../../src/index.ts'
import {
  allUploads,
  as,
  body,
  bytes,
  byteStream,
  file,
  filePart,
  form,
  formDataPart,
  handle,
  int,
  json,
  list,
  multipartInput,
  multipartStream,
  optional,
  optionalPart,
  part,
  path,
  post,
  produces,
  routes,
  separated,
  string,
  textStream,
  upload,
  uploads,
} from '../../src/index.ts'
import { xml } from '../../src/xml.ts'
import { clientContract, errorIn, right } from '../support/clients.ts'
import { table } from '../support/describe.ts'

const Book = t.type({ title: t.string, pages: int }, 'Book')
const Texts = json(t.array(t.string))

const describeFile = async (uploaded: FileUpload): Promise<string> =>
  `${uploaded.name} ${uploaded.fileName} ${uploaded.contentType} ${await readFile(uploaded.path, 'latin1')}`

const folder = await mkdtemp(join(tmpdir(), 'espalier-'))
const notes = join(folder, 'notes é.txt')
await writeFile(notes, 'one\ntwo\n')

const api = routes({
  send: pipe(
    path('/send'),
    post(),
    form({
      title: string,
      pages: optional(int),
      tag: list(string),
      size: separated(',')(list(int)),
      cover: upload,
      more: uploads,
      book: part(json(Book)),
      extra: optionalPart(part(xml(Book))),
      back: optionalPart(upload),
    }),
    produces(Texts),
    handle(async ({ form: { title, pages, tag, size, cover, more, book, extra, back } }) => [
      JSON.stringify([title, pages, tag, size, book, extra]),
      await describeFile(cover),
      ...(await Promise.all(more.map(describeFile))),
      ...(back === undefined ? [] : [await describeFile(back)]),
    ]),
  ),
  all: pipe(
    path('/all'),
    post(),
    form({ note: optional(string), files: allUploads }),
    produces(Texts),
    handle(async ({ form: { note, files } }) => [
      String(note),
      ...(await Promise.all(files.map(describeFile))),
    ]),
  ),
  input: pipe(
    path('/input'),
    post(),
    body(multipartInput),
    produces(Texts),
    handle(async ({ body: { values } }) =>
      Promise.all(
        [...values].flatMap(([name, parts]) =>
          parts.map(async (item) => {
            const content = item.isFileItem
              ? Buffer.from(await item.fileItem.read()).toString('latin1')
              : item.value
            return `${name} ${item.fileName} ${item.headers.slice(2).join(': ')} ${content}`
          }),
        ),
      ),
    ),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    produces(Texts),
    handle(async ({ body: parts }) => {
      const lines: string[] = []
      for await (const { name, content } of parts) {
        let value = ''
        for await (const chunk of content) value += Buffer.from(chunk).toString('latin1')
        lines.push(`${name} ${value}`)
      }
      return lines
    }),
  ),
})

const blob = (content: string, type = ''): Blob => new Blob([content], { type })
const specialName = 'é "\r\n%22\\/ü'

clientContract('forms of files and structured parts', api, (test, createClient) => {
  const validForm = {
    title: 'a\nb\r\nc',
    tag: ['x', '€,'],
    size: [1, 2],
    cover: new File(['<svg/>'], 'emma.svg', { type: 'image/svg+xml' }),
    more: [],
    book: { title: 'Emma', pages: 474 },
  }
  test('files and text fields arrive unchanged', async () => {
    const { body: received } = await right(
      createClient().send({
        form: {
          ...validForm,
          pages: 7,
          more: [blob('a'), blob('\x00\r\n--', 'text/x')],
          extra: { title: '<&>', pages: 1 },
          back: new File(['\xe9'], specialName),
        },
      }),
    )
    assert.equal(received, [
      '["a\\nb\\r\\nc",7,["x","€,"],[1,2],{"title":"Emma","pages":474},{"title":"<&>","pages":1}]',
      'cover emma.svg image/svg+xml <svg/>',
      'more blob application/octet-stream a',
      'more blob text/x \x00\r\n--',
      `back ü application/octet-stream \xc3\xa9`,
    ])
  })
  test('optional parts can be omitted', async () => {
    const { body: received } = await right(createClient().send({ form: validForm }))
    assert.is(
      received[0],
      '["a\\nb\\r\\nc",null,["x","€,"],[1,2],{"title":"Emma","pages":474},null]',
    )
    assert.is(received.length, 2)
  })
  test('files are sent by path, with optional name and media type', async () => {
    const { body: received } = await right(
      createClient().send({
        form: {
          ...validForm,
          cover: { path: notes },
          more: [{ path: notes, fileName: 'a.b', contentType: 'text/plain;charset=utf-8' }],
        },
      }),
    )
    assert.equal(received.slice(1), [
      'cover notes é.txt application/octet-stream one\ntwo\n',
      'more a.b text/plain;charset=utf-8 one\ntwo\n',
    ])
  })
  test('a field sends several files under its name', async () => {
    assert.equal((await right(createClient().all({ form: { files: [] } }))).body, ['undefined'])
    assert.equal(
      (await right(createClient().all({ form: { note: '', files: [blob('1'), blob('2')] } }))).body,
      ['', 'files blob application/octet-stream 1', 'files blob application/octet-stream 2'],
    )
  })
  table<readonly [name: string, change: object, detail: RegExp]>(
    test,
    [
      ['a missing file', { cover: undefined }, /form cover is required/],
      ['a text instead of a file', { cover: notes }, /form cover must be a file/],
      [
        'a path without a file',
        { cover: { path: join(folder, 'no') } },
        /form cover (?:must be the path of a file, got |cannot be read: ENOENT)/,
      ],
      ['one file instead of a list', { more: blob('') }, /form more must be a list of files/],
      [
        'a structured part of another type',
        { book: { title: 1 } },
        /form book must be a string; form book is required and must be an integer/,
      ],
      ['a missing structured part', { book: undefined }, /form book is required/],
      ['a field of another type', { pages: 1.5 }, /form pages must be/],
    ],
    async (_, change, detail) => {
      const error = await errorIn(createClient().send({ form: { ...validForm, ...change } }))
      assert.is(error._tag, 'EncodeError')
      assert.match(error.message, detail)
    },
  )
  test('an invalid form reports all errors', async () => {
    const error = await errorIn(
      createClient().send({ form: { ...validForm, pages: 'x', cover: 1, book: 2 } as never }),
    )
    assert.equal(
      error._tag === 'EncodeError' && error.errors.map(({ in: group, name }) => [group, name]),
      [
        ['form', 'pages'],
        ['form', 'cover'],
        ['form', 'book'],
      ],
    )
  })
})

clientContract('lists of parts', api, (test, createClient) => {
  test('a list of parts is sent in order', async () => {
    const { body: received } = await right(
      createClient().input({
        body: [
          formDataPart('title', 'Emma\n', string, { headers: { 'X-Language': 'en' } }),
          formDataPart('tag', ['a', 'b'], list(string)),
          formDataPart('book', { title: 'é', pages: 1 }, json(Book)),
          formDataPart('data', new Uint8Array([0xff, 0]), bytes, { fileName: 'a/b.bin' }),
          formDataPart('notes', notes, file),
          formDataPart('two', filePart(notes, { offset: 4, count: 3 }), as('text/x')(file)),
          { name: 'blob', file: blob('<a/>', 'text/xml') },
        ],
      }),
    )
    assert.equal(received, [
      'title undefined X-Language: en: Content-Type: text/plain;charset=UTF-8 Emma\n',
      'tag undefined Content-Type: text/plain;charset=UTF-8 a',
      'tag undefined Content-Type: text/plain;charset=UTF-8 b',
      'book undefined Content-Type: application/json {"title":"é","pages":1}',
      'data b.bin Content-Type: application/octet-stream \xff\0',
      'notes notes é.txt Content-Type: application/octet-stream one\ntwo\n',
      'two notes é.txt Content-Type: text/x;charset=UTF-8 two',
      'blob blob Content-Type: text/xml <a/>',
    ])
  })
  test('a list of parts can contain streams', async () => {
    const { body: received } = await right(
      createClient().stream({
        body: [
          formDataPart('a', 'x', string),
          formDataPart('log', ['1\n', '\ud83d', '\ude00'], textStream, { fileName: 'log' }),
          formDataPart('data', [new Uint8Array([1]), new Uint8Array([2])], byteStream, {
            fileName: 'o',
          }),
          { name: 'file', file: { path: notes } },
        ],
      }),
    )
    assert.equal(received, ['a x', 'log 1\n\xf0\x9f\x98\x80', 'data \x01\x02', 'file one\ntwo\n'])
  })
  test('a list of parts can be empty', async () =>
    assert.equal((await right(createClient().input({ body: [] }))).body, []))
  table<readonly [name: string, parts: unknown, detail: RegExp]>(
    test,
    [
      ['a text instead of a list', 'title', /body: must be a list of parts/],
      ['a member that is not a part', [{ name: 'title' }], /body: must be a list of parts/],
      [
        'a part of another type',
        [formDataPart('n', 'x' as never, json(int))],
        /form n must be an integer/,
      ],
      [
        'an invalid source',
        [formDataPart('n', 'x' as never, byteStream)],
        /form n must be a source/,
      ],
      ['an invalid file', [{ name: 'n', file: 'x' }], /form n must be a file/],
      [
        'a range beyond the end of a file',
        [formDataPart('n', filePart(notes, { offset: 4, count: 30 }), file)],
        /form n must not extend beyond the end/,
      ],
      [
        'a representation that a client cannot write',
        [
          formDataPart('n', undefined as never, multipartInput),
          formDataPart('m', {} as never, multipartInput),
        ],
        /form m cannot be sent as multipart\/form-data/,
      ],
    ],
    async (_, parts, detail) => {
      const error = await errorIn(
        createClient().input({ body: parts as ReadonlyArray<PartToSend> }),
      )
      assert.is(error._tag, 'EncodeError')
      assert.match(error.message, detail)
    },
  )
})

process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
