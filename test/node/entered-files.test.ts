/** The number of source files whose functions run for a request, which a reader has to open to follow it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describe, table } from '../support/describe.ts'

const sources = new URL('../../src/', import.meta.url).href

/** Serves a route tree and prints, for each of several requests, the files with a function that was called. */
const program = (requests: ReadonlyArray<string>): string => `
  import { Session } from 'node:inspector/promises'
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import * as e from '${sources}index.js'
  import { serve } from '${sources}node.js'

  const Page = t.type({ id: t.number, page: t.number })
  const api = e.routes({
    book: pipe(
      e.path('/books/{id}', { id: e.int }),
      e.get(),
      e.query({ page: e.int }),
      e.produces(e.json(Page)),
      e.handle(({ path: { id }, query: { page } }) => ({ id, page })),
    ),
    add: pipe(e.path('/books'), e.post(), e.body(e.json(Page)), e.produces(e.json(Page)), e.handle(({ body }) => body)),
    events: pipe(
      e.path('/events'),
      e.get(),
      e.produces(e.sse(e.json(Page))),
      e.handle(async function* () {
        yield { id: 1, page: 2 }
        yield { id: 2, page: 2 }
      }),
    ),
    files: pipe(
      e.path('/files'),
      e.post(),
      e.form({ title: t.string, file: e.upload }),
      e.produces(e.text),
      e.handle(({ form: { title } }) => title),
    ),
  })
  const server = await serve(api, {
    'fw.http.port': 0,
    'fw.http.overload.enabled': false,
    'fw.shutdown.grace': 0,
    signals: false,
  })
  const send = async ([target, init]) => {
    const response = await fetch(server.url + target, init)
    await response.arrayBuffer()
    if (!response.ok) throw new Error(response.statusText)
  }
  const requests = [${requests.join()}]
  for (const request of requests) for (let i = 0; i < 20; i++) await send(request)

  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const isCalled = ({ functionName, ranges: [{ startOffset, count }] }) =>
    count > 0 && (functionName !== '' || startOffset > 0)
  const filesOf = async (request) => {
    await session.post('Profiler.takePreciseCoverage')
    await send(request)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url, functions }) => url.startsWith('${sources}') && functions.some(isCalled))
      .map(({ url }) => url.slice(${sources.length}))
  }
  const entered = []
  for (const request of requests) {
    const repeated = []
    for (let i = 0; i < 10; i++) repeated.push(await filesOf(request))
    entered.push(repeated)
  }
  console.log(JSON.stringify(entered))
  await server.close()`

const json = `{ method: 'POST', body: '{"id":7,"page":3}', headers: { 'Content-Type': 'application/json' } }`

const parts = [
  'Content-Disposition: form-data; name="title"\\r\\n\\r\\nEmma',
  'Content-Disposition: form-data; name="file"; filename="a.txt"\\r\\n\\r\\nabc',
]
const formData = `{
  method: 'POST',
  body: '${parts.map((part) => `--x\\r\\n${part}\\r\\n`).join('')}--x--',
  headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
}`

type Row = readonly [title: string, request: string, limit: number]

const rows: ReadonlyArray<Row> = [
  ['a GET with two parameters', `['/books/7?page=3']`, 26],
  ['a POST of JSON', `['/books', ${json}]`, 32],
  ['a response with events', `['/events']`, 36],
  ['a multipart upload', `['/files', ${formData}]`, 46],
]

describe('source files of a request', (test, { before }) => {
  let entered: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> = []
  before(async () => {
    const args = ['--input-type=module', '--eval', program(rows.map(([, request]) => request))]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    entered = JSON.parse(stdout.slice(stdout.lastIndexOf('[[['))) as typeof entered
  })
  table<Row>(test, rows, (title, _, limit) => {
    const repeated = entered[rows.findIndex(([row]) => row === title)] ?? []
    // timers of the server may run during a request
    const [fewest = []] = repeated.toSorted((a, b) => a.length - b.length)
    assert.ok(fewest.length > 10, 'no files found')
    assert.ok(fewest.length <= limit, `${fewest.length} files\n${fewest.join('\n')}`)
  })
})
