/** Files as contents of responses: whole, in parts, and open ones. */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  as,
  attachment,
  etag,
  fails,
  file,
  filePart,
  get,
  handle,
  lastModified,
  mediaType,
  ok,
  path,
  post,
  produces,
  query,
  responds,
  reply,
  int,
  json,
  routes,
  string,
  withHeader,
} from '../../src/index.ts'
import { fileIn } from '../../src/node.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/doors.ts'
import { fileWith, newFolder, octetsOf } from '../support/folder.ts'

const folder = newFolder()
const sizes = [0, 1, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 700_000]
for (const size of sizes) fileWith(folder, `${size}.bin`, octetsOf(size))
const lorem = fileWith(folder, 'lorem.txt', 'Lorem ipsum dolor sit amet')
fileWith(folder, 'a.html', '<p>')
fileWith(folder, 'unknown.zzz', 'z')
mkdirSync(join(folder, 'directory'))
execFileSync('mkfifo', [join(folder, 'pipe')])

const named = query({ name: string })
const closed: string[] = []
const opened = async (name: string) => {
  const handle = await open(join(folder, name))
  const close = handle.close.bind(handle)
  handle.close = () => {
    closed.push(name)
    return close()
  }
  return handle
}

const operations = routes({
  named: pipe(
    path('/named'),
    get(),
    named,
    produces(file),
    handle(({ query: { name } }) => join(folder, name)),
  ),
  png: pipe(
    path('/png'),
    get(),
    produces(as('image/png')(file)),
    handle(() => lorem),
  ),
  either: pipe(
    path('/either'),
    get(),
    produces(as('text/plain')(file), as('application/json')(file)),
    handle(() => lorem),
  ),
  beside: pipe(
    path('/beside'),
    get(),
    produces(json(int), file),
    handle(() => lorem),
  ),
  posted: pipe(
    path('/posted'),
    post(),
    produces(file),
    handle(() => lorem),
  ),
  gone: pipe(
    path('/gone'),
    get(),
    fails(410, file),
    handle(() => reply(410, lorem)),
  ),
  created: pipe(
    path('/created'),
    get(),
    responds(203, file),
    handle(() => reply(203, lorem)),
  ),
  own: pipe(
    path('/own'),
    get(),
    produces(file),
    handle(() =>
      pipe(
        ok(lorem),
        etag('v1'),
        lastModified(new Date('2001-01-01T00:00:00Z')),
        mediaType('text/x-own'),
        withHeader('Cache-Control', 'max-age=60'),
      ),
    ),
  ),
  unranged: pipe(
    path('/unranged'),
    get(),
    produces(file),
    handle(() => pipe(ok(lorem), withHeader('Accept-Ranges', 'none'))),
  ),
  kept: pipe(
    path('/kept'),
    get(),
    produces(file),
    handle(() => pipe(ok(lorem), attachment('ä.txt'))),
  ),
  part: pipe(
    path('/part'),
    get(),
    query({ offset: int, count: int }),
    produces(file),
    handle(({ query: part }) => filePart(lorem, part)),
  ),
  missingPart: pipe(
    path('/missing-part'),
    get(),
    produces(file),
    handle(() => filePart(join(folder, 'missing'), { offset: 0, count: 1 })),
  ),
  open: pipe(
    path('/open'),
    get(),
    named,
    produces(file),
    handle(({ query: { name } }) => opened(name)),
  ),
  openPart: pipe(
    path('/open-part'),
    get(),
    query({ offset: int, count: int }),
    produces(file),
    handle(async ({ query: part }) => filePart(await opened('lorem.txt'), part)),
  ),
  found: pipe(
    path('/found'),
    get(),
    named,
    produces(file),
    fails(404),
    handle(({ query: { name } }) => fileIn(folder)(name)),
  ),
})

contract('R-035, R-348: a file', operations, (test, call) => {
  const ask = (to: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    call(new Request(`${base}${to}`, { method, headers }))
  const text = async (to: string, headers: Readonly<Record<string, string>> = {}) =>
    (await ask(to, headers)).text()

  for (const size of sizes)
    test(`of ${size} octets is sent with its length`, async () => {
      const response = await ask(`/named?name=${size}.bin`)
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-length'), String(size))
      assert.is(response.headers.get('content-type'), 'application/octet-stream')
      assert.is(response.headers.get('transfer-encoding'), null)
      assert.ok(Buffer.from(octetsOf(size)).equals(Buffer.from(await response.arrayBuffer())))
    })
  test('R-039: says what it is, and that it has ranges', async () => {
    const { headers } = await ask('/named?name=lorem.txt')
    assert.is(headers.get('accept-ranges'), 'bytes')
    assert.is(headers.get('last-modified'), 'Thu, 29 Feb 2024 12:00:00 GMT')
    assert.match(headers.get('etag') ?? '', /^"[\da-z]+-[\da-z]+"$/)
    assert.is(headers.get('vary'), null)
  })
  table(
    test,
    [
      ['lorem.txt', 'text/plain;charset=UTF-8'],
      ['a.html', 'text/html;charset=UTF-8'],
      ['unknown.zzz', 'application/octet-stream'],
    ] as const,
    async (name, type) => {
      for (const accept of ['*/*', 'image/*', 'application/json', 'text/html, */*;q=0.1']) {
        const response = await ask(`/named?name=${name}`, { Accept: accept })
        assert.is(response.status, 200)
        assert.is(response.headers.get('content-type'), type)
      }
    },
  )
  test('has the media type that it is declared with', async () => {
    const response = await ask('/png')
    assert.is(response.headers.get('content-type'), 'image/png')
    assert.is((await ask('/png', { Accept: 'text/plain' })).status, 406)
    const either = await ask('/either', { Accept: 'application/json' })
    assert.is(either.headers.get('content-type'), 'application/json')
    assert.is(either.headers.get('vary'), 'Accept')
    assert.is((await ask('/beside', { Accept: 'text/plain' })).status, 200)
  })
  test('HEAD is answered like GET', async () => {
    for (const name of ['lorem.txt', '700000.bin', '0.bin']) {
      const [got, head] = [
        await ask(`/named?name=${name}`),
        await ask(`/named?name=${name}`, { Range: 'bytes=0-0' }, 'HEAD'),
      ]
      assert.is(head.status, 200)
      const fields = (response: Response) =>
        [...response.headers].filter(([field]) => field !== 'date')
      assert.equal(fields(head), fields(got))
      assert.is(await head.text(), '')
      await got.arrayBuffer()
    }
  })

  table(
    test,
    [
      ['R-036 bytes=0-4', 'Lorem', 'bytes 0-4/26'],
      ['R-036 bytes=22-', 'amet', 'bytes 22-25/26'],
      ['R-036 bytes=-4', 'amet', 'bytes 22-25/26'],
      ['bytes=6-10', 'ipsum', 'bytes 6-10/26'],
      ['bytes=0-0', 'L', 'bytes 0-0/26'],
      ['bytes=25-99', 't', 'bytes 25-25/26'],
      ['bytes=-99', 'Lorem ipsum dolor sit amet', 'bytes 0-25/26'],
      ['bytes=0-4, 99-', 'Lorem', 'bytes 0-4/26'],
    ] as const,
    async (title, content, range) => {
      const response = await ask('/named?name=lorem.txt', { Range: title.replace('R-036 ', '') })
      assert.is(response.status, 206)
      assert.is(response.headers.get('content-range'), range)
      assert.is(response.headers.get('content-length'), String(content.length))
      assert.is(response.headers.get('content-type'), 'text/plain;charset=UTF-8')
      assert.ok(response.headers.has('etag'))
      assert.is(await response.text(), content)
    },
  )
  table(
    test,
    [['R-037 bytes=26-'], ['R-037 bytes=99-100'], ['bytes=-0'], ['bytes=26-26,30-']] as const,
    async (title) => {
      const response = await ask('/named?name=lorem.txt', { Range: title.replace('R-037 ', '') })
      assert.is(response.status, 416)
      assert.is(response.headers.get('content-range'), 'bytes */26')
      assert.is(response.headers.get('content-type'), 'application/problem+json')
      assert.is(response.headers.get('accept-ranges'), null)
    },
  )
  table(
    test,
    [
      ['D4 bytes=5-4'],
      ['bytes=a-b'],
      ['bytes='],
      ['lines=0-4'],
      ['0-4'],
      [`bytes=${Array.from({ length: 17 }, (_, at) => `${at}-${at}`).join()}`],
      ['bytes=0-25,0-25'],
      [`bytes=${'0-,'.repeat(300)}`],
    ] as const,
    async (title) => {
      const response = await ask('/named?name=lorem.txt', { Range: title.replace('D4 ', '') })
      assert.is(response.status, 200)
      assert.is(response.headers.get('content-range'), null)
      assert.is(await response.text(), 'Lorem ipsum dolor sit amet')
    },
  )
  test('a range of a file that takes many reads has its octets', async () => {
    const response = await ask('/named?name=700000.bin', { Range: 'bytes=1000-600000' })
    assert.is(response.headers.get('content-length'), '599001')
    const content = Buffer.from(await response.arrayBuffer())
    assert.ok(content.equals(Buffer.from(octetsOf(700_000).subarray(1000, 600_001))))
  })
  test('R-038: several ranges are parts', async () => {
    const response = await ask('/named?name=lorem.txt', { Range: 'bytes=0-4,6-10,-4' })
    assert.is(response.status, 206)
    const [, boundary = ''] =
      /^multipart\/byteranges; boundary=([\w-]+)$/.exec(
        response.headers.get('content-type') ?? '',
      ) ?? []
    assert.ok(boundary.length > 32)
    const part = (range: string, content: string) =>
      `--${boundary}\r\nContent-Type: text/plain;charset=UTF-8\r\nContent-Range: bytes ${range}/26\r\n\r\n${content}\r\n`
    const expected = `${part('0-4', 'Lorem')}${part('6-10', 'ipsum')}${part('22-25', 'amet')}--${boundary}--\r\n`
    assert.is(await response.text(), expected)
    assert.is(response.headers.get('content-length'), String(expected.length))
    assert.is(response.headers.get('content-range'), null)
  })
  test('nothing but GET with 200 has ranges and validators', async () => {
    const range = { Range: 'bytes=0-4', 'If-Match': '"x"' }
    for (const [to, method, status] of [
      ['/posted', 'POST', 200],
      ['/gone', 'GET', 410],
      ['/created', 'GET', 203],
    ] as const) {
      const response = await ask(to, range, method)
      assert.is(response.status, status)
      assert.is(response.headers.get('accept-ranges'), null)
      assert.is(response.headers.get('etag'), null)
      assert.is(await response.text(), 'Lorem ipsum dolor sit amet')
    }
  })

  const tag = async () => (await ask('/named?name=lorem.txt')).headers.get('etag') ?? ''
  const before = 'Thu, 29 Feb 2024 11:59:59 GMT'
  const exactly = 'Thu, 29 Feb 2024 12:00:00 GMT'
  const after = 'Thu, 29 Feb 2024 12:00:01 GMT'
  table(
    test,
    [
      ['R-039 its tag', (own: string) => own, 206],
      ['another tag', () => '"x"', 200],
      ['D5 a weak tag', (own: string) => `W/${own}`, 200],
      ['D5 its date', () => exactly, 206],
      ['D5 an earlier date', () => before, 200],
      ['D5 a later date', () => after, 200],
      ['D5 its date in another form', () => 'Thursday, 29-Feb-24 12:00:00 GMT', 206],
      ['what is neither', () => 'yesterday', 200],
    ] as const,
    async (title, given, status) => {
      const headers = { Range: 'bytes=0-4', 'If-Range': given(await tag()) }
      assert.is((await ask('/named?name=lorem.txt', headers)).status, status, title)
    },
  )
  table(
    test,
    [
      ['R-039 If-None-Match: its tag', (own: string) => ({ 'If-None-Match': own }), 304],
      ['weakly', (own: string) => ({ 'If-None-Match': `"x", W/${own}` }), 304],
      ['any', () => ({ 'If-None-Match': '*' }), 304],
      ['another', () => ({ 'If-None-Match': '"x"' }), 200],
      ['before a date', () => ({ 'If-None-Match': '"x"', 'If-Modified-Since': after }), 200],
      ['If-Modified-Since: its date', () => ({ 'If-Modified-Since': exactly }), 304],
      ['later', () => ({ 'If-Modified-Since': after }), 304],
      ['earlier', () => ({ 'If-Modified-Since': before }), 200],
      ['no date', () => ({ 'If-Modified-Since': 'x' }), 200],
      ['If-Match: its tag', (own: string) => ({ 'If-Match': own }), 200],
      ['weakly, which is not enough', (own: string) => ({ 'If-Match': `W/${own}` }), 412],
      ['another, which is refused', () => ({ 'If-Match': '"x"' }), 412],
      ['any one that exists', () => ({ 'If-Match': '*' }), 200],
      ['If-Unmodified-Since: its date', () => ({ 'If-Unmodified-Since': exactly }), 200],
      ['earlier, which is refused', () => ({ 'If-Unmodified-Since': before }), 412],
      [
        'If-Match before a date',
        (own: string) => ({ 'If-Match': own, 'If-Unmodified-Since': before }),
        200,
      ],
      ['before a range', (own: string) => ({ 'If-None-Match': own, Range: 'bytes=0-4' }), 304],
    ] as const,
    async (_, headersOf, status) => {
      const own = await tag()
      const response = await ask('/named?name=lorem.txt', headersOf(own))
      assert.is(response.status, status)
      assert.is(response.headers.get('etag'), own)
      if (status !== 304) return
      assert.is(response.headers.get('content-type'), null)
      assert.is(response.headers.get('content-length'), null)
      assert.is(await response.text(), '')
    },
  )
  test('D8: a field full of tags is looked through in no time', async () => {
    const start = performance.now()
    const tags = Array.from({ length: 900 }, (_, at) => `"tag-${at}-abcd"`).join(', ')
    assert.is((await ask('/named?name=lorem.txt', { 'If-None-Match': tags })).status, 200)
    assert.ok(performance.now() - start < 1000)
  })
  test('what the handler says itself counts', async () => {
    const { headers } = await ask('/own')
    assert.equal(
      ['etag', 'last-modified', 'content-type', 'cache-control', 'accept-ranges'].map((name) =>
        headers.get(name),
      ),
      ['"v1"', 'Mon, 01 Jan 2001 00:00:00 GMT', 'text/x-own', 'max-age=60', 'bytes'],
    )
    const same = await ask('/own', { 'If-None-Match': '"v1"' })
    assert.is(same.status, 304)
    assert.is(same.headers.get('cache-control'), 'max-age=60')
    assert.is((await ask('/own', { 'If-Modified-Since': before })).status, 304)
    assert.is((await ask('/unranged', { Range: 'bytes=0-4' })).status, 200)
  })
  test('D6: may be meant to be kept', async () => {
    const { headers } = await ask('/kept')
    assert.is(
      headers.get('content-disposition'),
      `attachment; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`,
    )
    assert.is(headers.get('content-type'), 'text/plain;charset=UTF-8')
  })

  table(
    test,
    [['missing'], ['directory'], ['pipe'], ['lorem.txt/x'], ['D2 %00'], ['x'.repeat(300)]] as const,
    async (title) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await ask(`/named?name=${title.replace('D2 ', '')}`, {}, method)
        assert.is(response.status, 404)
        assert.is(response.headers.get('accept-ranges'), null)
        assert.not.match(await response.text(), /ENOENT|espalier-test/)
      }
    },
  )

  test('R-040: a part is a content of its own', async () => {
    const response = await ask('/part?offset=6&count=5')
    assert.is(response.status, 200)
    assert.is(response.headers.get('content-length'), '5')
    assert.is(response.headers.get('content-range'), null)
    assert.is(await response.text(), 'ipsum')
    assert.is.not(response.headers.get('etag'), await tag())
    const range = await ask('/part?offset=6&count=5', { Range: 'bytes=1-2' })
    assert.is(range.headers.get('content-range'), 'bytes 1-2/5')
    assert.is(await range.text(), 'ps')
    assert.is((await ask('/part?offset=6&count=5', { Range: 'bytes=5-' })).status, 416)
  })
  table(
    test,
    [
      ['R-040 offset=0&count=26', 200],
      ['offset=25&count=1', 200],
      ['offset=26&count=0', 200],
      ['offset=26&count=1', 500],
      ['offset=0&count=27', 500],
      ['offset=-1&count=1', 500],
      ['offset=0&count=-1', 500],
    ] as const,
    async (title, status) =>
      assert.is((await ask(`/part?${title.replace('R-040 ', '')}`)).status, status),
  )
  test('R-040: a part of what is missing is missing', async () =>
    assert.is((await ask('/missing-part')).status, 404))
  test('R-041: a file that is open is sent and closed', async () => {
    for (const method of ['GET', 'HEAD'])
      for (const name of ['lorem.txt', '700000.bin']) {
        closed.length = 0
        const response = await ask(`/open?name=${name}`, {}, method)
        const size = name === 'lorem.txt' ? 26 : 700_000
        assert.is(response.headers.get('content-length'), String(size))
        assert.is((await response.arrayBuffer()).byteLength, method === 'GET' ? size : 0)
        await until(() => closed.length > 0)
        assert.equal(closed, [name])
      }
  })
  test('R-041: so is a part of one, also where it is refused', async () => {
    assert.is(await text('/open-part?offset=6&count=5'), 'ipsum')
    for (const [to, headers, status] of [
      ['/open-part?offset=6&count=99', {}, 500],
      ['/open-part?offset=6&count=5', { Range: 'bytes=5-' }, 416],
      ['/open-part?offset=6&count=5', { 'If-Match': '"x"' }, 412],
      ['/open-part?offset=6&count=5', { 'If-None-Match': '*' }, 304],
    ] as const) {
      closed.length = 0
      assert.is((await ask(to, headers)).status, status)
      await until(() => closed.length > 0)
      assert.equal(closed, ['lorem.txt'])
    }
  })
  test('is found below a directory, or is not', async () => {
    assert.is(await text('/found?name=lorem.txt'), 'Lorem ipsum dolor sit amet')
    for (const name of ['missing', '../lorem.txt', 'directory'])
      assert.is((await ask(`/found?name=${name}`)).status, 404)
  })
})

const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 200 && !holds(); turn++)
    await new Promise((resolve) => setTimeout(resolve, 5))
}
