/** Multipart forms: fields, files and structured parts. */
import { existsSync, readFileSync } from 'node:fs'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  UnreadablePart,
  allUploads,
  bytes,
  encoded,
  form,
  handle,
  int,
  json,
  list,
  mapError,
  optional,
  optionalPart,
  part,
  path,
  post,
  produces,
  reply,
  routes,
  string,
  text,
  upload,
  uploads,
  withDefault,
  withMapper,
} from '../../../src/index.ts'
import type { FileUpload } from '../../../src/index.ts'
import { base, contract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartRequest } from '../../support/multipart.ts'
import { waitUntil } from '../../support/wait-until.ts'

const uploadedPaths: string[] = []

const describeFile = async (file: FileUpload): Promise<string> => {
  const content = new TextDecoder().decode(await file.read())
  const filePath = pathOf(file)
  if (filePath !== undefined) {
    uploadedPaths.push(filePath)
    assert.is(readFileSync(filePath, 'utf8'), content)
  }
  return `${file.name}=${file.fileName}:${content}`
}

/** Returns the path of a file. A file in memory has none. */
const pathOf = (file: FileUpload): string | undefined => {
  try {
    return file.path
  } catch (error) {
    assert.instance(error, TypeError)
    return undefined
  }
}

const describeFiles = async (files: ReadonlyArray<FileUpload>): Promise<string> =>
  (await Promise.all(files.map(describeFile))).join(' ')

const Meta = t.type({ title: t.string })

const operations = routes({
  plain: pipe(
    path('/plain'),
    post(),
    form({ title: string, pages: optional(int), copies: withDefault(int, 1), tags: list(string) }),
    produces(json(t.unknown)),
    handle((input) => input.form),
  ),
  raw: pipe(
    path('/encoded'),
    post(),
    form({ a: encoded(string) }),
    produces(text),
    handle((input) => input.form.a),
  ),
  file: pipe(
    path('/file'),
    post(),
    form({ title: string, cover: upload }),
    produces(text),
    handle(async ({ form: { title, cover } }) => `${title} ${await describeFile(cover)}`),
  ),
  files: pipe(
    path('/files'),
    post(),
    form({ pages: uploads }),
    produces(text),
    handle(({ form: { pages } }) => describeFiles(pages)),
  ),
  all: pipe(
    path('/all'),
    post(),
    form({ cover: upload, every: allUploads, title: optional(string) }),
    produces(text),
    handle(({ form: { every } }) => describeFiles(every)),
  ),
  details: pipe(
    path('/details'),
    post(),
    form({ cover: upload }),
    produces(json(t.unknown)),
    handle(({ form: { cover } }) => {
      const { name, fileName, size, contentType, charset, headers } = cover
      return { name, fileName, size, contentType, charset, headers }
    }),
  ),
  optional: pipe(
    path('/optional'),
    post(),
    form({
      cover: optionalPart(upload),
      meta: optionalPart(part(json(Meta))),
      more: uploads,
      rest: optionalPart(uploads),
    }),
    produces(json(t.unknown)),
    handle(({ form: { cover, meta, more, rest } }) => [
      cover === undefined,
      meta === undefined,
      more.length,
      rest === undefined,
    ]),
  ),
  parts: pipe(
    path('/parts'),
    post(),
    form({ meta: part(json(Meta)), raw: part(bytes), note: optional(string) }),
    produces(json(t.unknown)),
    handle(({ form: { meta, raw } }) => [meta, [...raw]]),
  ),
  mapped: pipe(
    routes({
      operation: pipe(
        path('/mapped'),
        post(),
        form({ meta: part(json(Meta)) }),
        handle(() => undefined),
      ),
    }),
    withMapper(mapError(UnreadablePart, (error) => reply(999, error.part))),
  ),
})

const cover = encodePart('cover', '<svg/>', { fileName: 'a.svg', type: 'image/svg+xml' })

contract('multipart forms', operations, (test, call) => {
  const send = async (
    target: string,
    ...parts: ReadonlyArray<string>
  ): Promise<[number, unknown]> => {
    const response = await call(multipartRequest(target, encodeMultipart(...parts)))
    const received = await response.text()
    const type = response.headers.get('Content-Type') ?? ''
    return [response.status, type.includes('json') ? JSON.parse(received) : received]
  }

  test('text parts are converted like URL-encoded fields', async () => {
    const expected = { title: 'Émma & co', pages: 12, copies: 1, tags: ['a', 'b'] }
    assert.equal(
      await send(
        '/plain',
        encodePart('title', 'Émma & co'),
        encodePart('tags', 'a'),
        encodePart('pages', '12'),
        encodePart('tags', 'b'),
      ),
      [200, expected],
    )
    const fields: ReadonlyArray<[string, string]> = [
      ['title', 'Émma & co'],
      ['tags', 'a'],
      ['pages', '12'],
      ['tags', 'b'],
    ]
    const request = new Request(`${base}/plain`, {
      method: 'POST',
      body: new URLSearchParams([...fields]),
    })
    assert.equal(await (await call(request)).json(), expected)
  })

  test('a form without parts is accepted', async () => {
    assert.equal(await send('/optional'), [200, [true, true, 0, true]])
  })

  test('a part with an encoded codec is not percent-decoded', async () => {
    assert.equal(await send('/encoded', encodePart('a', 'x%20+y')), [200, 'x%20+y'])
  })

  test('a file is selected by its part name', async () => {
    assert.equal(await send('/file', encodePart('title', 'Emma'), cover), [
      200,
      'Emma cover=a.svg:<svg/>',
    ])
    assert.equal(await send('/file', cover, encodePart('title', 'Emma')), [
      200,
      'Emma cover=a.svg:<svg/>',
    ])
  })

  test('uploads selects all files of a name, and allUploads selects all files', async () => {
    const files = [
      encodePart('pages', '1', { fileName: 'one' }),
      encodePart('other', '2', { fileName: 'two' }),
      encodePart('pages', '3', { fileName: 'three' }),
      cover,
      encodePart('title', 'no file'),
    ]
    assert.equal(await send('/files', ...files), [200, 'pages=one:1 pages=three:3'])
    assert.equal(await send('/all', ...files), [
      200,
      'pages=one:1 other=two:2 pages=three:3 cover=a.svg:<svg/>',
    ])
    assert.equal(await send('/files'), [200, ''])
  })

  test('a part without a file name that is declared as a file is a file', async () => {
    assert.equal(await send('/files', encodePart('pages', 'x')), [200, 'pages=:x'])
  })

  test('a file has a name, media type, charset, size and headers', async () => {
    const headerLines = [
      'Content-Disposition: form-data; name="cover"; filename="C:\\\\dir\\\\%22a%22.txt"',
      'content-type: text/plain; charset=ISO-8859-1',
      'Extra-Header: yes',
    ]
    const [status, details] = await send('/details', [...headerLines, '', 'abc'].join('\r\n'))
    assert.is(status, 200)
    assert.equal(details, {
      name: 'cover',
      fileName: '"a".txt',
      size: 3,
      contentType: 'text/plain; charset=ISO-8859-1',
      charset: 'iso-8859-1',
      headers: headerLines.flatMap((line) => line.split(': ')),
    })
  })

  test('an empty file without a name is missing', async () => {
    const unselected = encodePart('cover', '', { fileName: '', type: 'application/octet-stream' })
    assert.equal(await send('/optional', unselected), [200, [true, true, 0, true]])
    const [status, problem] = await send('/file', unselected, encodePart('title', 'x'))
    assert.is(status, 400)
    assert.match(
      JSON.stringify(problem),
      /"name":"cover","detail":"is required and must be a file"/,
    )
  })

  test('an empty file with a name is present', async () => {
    assert.equal(
      await send('/file', encodePart('title', 'x'), encodePart('cover', '', { fileName: 'e' })),
      [200, 'x cover=e:'],
    )
  })

  test('a structured part is read by its declared type, not by its Content-Type', async () => {
    for (const type of [undefined, 'application/json', 'text/plain', 'nonsense'])
      assert.equal(
        await send(
          '/parts',
          encodePart('meta', '{"title":"Emma","more":1}', { type }),
          encodePart('raw', 'ab', { fileName: 'blob', type: 'application/octet-stream' }),
        ),
        [200, [{ title: 'Emma' }, [97, 98]]],
      )
  })

  test('an unreadable part returns 400 with all validation errors', async () => {
    const [status, problem] = await send('/parts', encodePart('meta', '{"title":1}'))
    assert.is(status, 400)
    assert.equal((problem as { readonly errors: unknown }).errors, [
      { in: 'form', name: 'raw', detail: 'is required' },
      { in: 'form', name: 'meta', pointer: '#/title', detail: 'must be a string' },
    ])
  })

  test('mappers receive an UnreadablePart', async () => {
    assert.equal(await send('/mapped', encodePart('meta', '{')), [999, 'meta'])
    assert.is((await send('/mapped', encodePart('other', '{')))[0], 400)
  })

  test('missing parts return 400 with all validation errors', async () => {
    const [status, problem] = await send('/file')
    assert.is(status, 400)
    assert.equal((problem as { readonly errors: unknown }).errors, [
      { in: 'form', name: 'title', detail: 'is required and must be a string' },
      { in: 'form', name: 'cover', detail: 'is required and must be a file' },
    ])
  })

  test('a part is decoded in its charset', async () => {
    const latin = Buffer.from(
      encodeMultipart(encodePart('title', 'caf\u{e9}', { type: 'text/plain; charset=ISO-8859-1' })),
      'latin1',
    )
    const response = await call(multipartRequest('/plain', latin))
    assert.is(((await response.json()) as { readonly title: string }).title, 'café')
    const unknownCharset = encodePart('title', 'x', { type: 'text/plain; charset=nonsense' })
    assert.is((await call(multipartRequest('/plain', encodeMultipart(unknownCharset)))).status, 415)
    assert.is(
      (
        await call(
          multipartRequest(
            '/plain',
            Buffer.from(encodeMultipart(encodePart('title', '\u{e9}')), 'latin1'),
          ),
        )
      ).status,
      400,
    )
  })

  test('uploaded files are deleted', async () => {
    assert.ok(uploadedPaths.length > 5)
    await waitUntil(() => !uploadedPaths.some((filePath) => existsSync(filePath)))
  })
})
