/** The number of source files whose functions run for a request, which a reader has to open to follow it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describe } from '../support/describe.ts'

const sources = new URL('../../src/', import.meta.url).href

/** Serves `GET /books/{id}?page=…` and prints, for several requests, the files with a function that was called. */
const program = `
  import { get as send } from 'node:http'
  import { Session } from 'node:inspector/promises'
  import { pipe } from 'fp-ts/lib/function.js'
  import * as t from 'io-ts'
  import { get, handle, int, json, path, produces, query, routes } from '${sources}index.js'
  import { serve } from '${sources}node.js'

  const Page = t.type({ id: t.number, page: t.number })
  const book = pipe(
    path('/books/{id}', { id: int }),
    get(),
    query({ page: int }),
    produces(json(Page)),
    handle(({ path: { id }, query: { page } }) => ({ id, page })),
  )
  const server = await serve(routes({ book }), { 'fw.http.port': 0, 'fw.shutdown.grace': 0, signals: false })
  const request = () =>
    new Promise((resolve, reject) => {
      send(server.url + '/books/7?page=3', (response) => response.resume().once('end', resolve)).once('error', reject)
    })
  for (let i = 0; i < 20; i++) await request()

  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const entered = []
  for (let i = 0; i < 10; i++) {
    await session.post('Profiler.takePreciseCoverage')
    await request()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const isCalled = ({ functionName, ranges: [{ startOffset, count }] }) =>
      count > 0 && (functionName !== '' || startOffset > 0)
    entered.push(
      result
        .filter(({ url, functions }) => url.startsWith('${sources}') && functions.some(isCalled))
        .map(({ url }) => url.slice(${sources.length})),
    )
  }
  console.log(JSON.stringify(entered))
  await server.close()`

describe('source files of a request', (test) => {
  test('a GET with two parameters enters at most 36 files', async () => {
    const args = ['--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const entered = JSON.parse(stdout.slice(stdout.lastIndexOf('[['))) as ReadonlyArray<
      ReadonlyArray<string>
    >
    // timers of the server may run during a request
    const [fewest = []] = entered.toSorted((a, b) => a.length - b.length)
    assert.ok(fewest.length > 10, 'no files found')
    assert.ok(fewest.length <= 36, fewest.join('\n'))
  })
})
