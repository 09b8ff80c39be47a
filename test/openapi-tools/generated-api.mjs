/**
 * Serves operations without JSON beside operations with JSON, for clients of OpenAPI Generator. Prints the document of the operations, or
 * with the argument `serve` the URL of a server.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as x from '../../dist/espalier/index.js'
import { serve } from '../../dist/espalier/node.js'
import { openApi } from '../../dist/espalier/openapi.js'

const Loan = x.named('Loan')(
  t.type({
    id: x.int,
    reader: x.nullable(x.string),
    key: x.uuid,
    at: x.instant,
    due: x.plainDate,
    local: x.offsetDateTime,
    changed: x.date,
    month: x.optional(x.yearMonth),
    opens: x.optional(x.plainTime),
    term: x.optional(x.duration),
  }),
)
const Missing = x.named('Missing')(t.type({ id: x.int }))

const api = x.routes({
  readText: pipe(
    x.path('/text'),
    x.get(),
    x.query({ name: x.optional(x.string) }),
    x.produces(x.text),
    x.handle(({ query: { name = 'nobody' } }) => `Hello, ${name}`),
  ),
  readBytes: pipe(
    x.path('/bytes'),
    x.get(),
    x.produces(x.bytes),
    x.handle(() => new Uint8Array([0, 1, 255])),
  ),
  readPage: pipe(
    x.path('/page'),
    x.get(),
    x.produces(x.html),
    x.handle(() => '<p>page</p>'),
  ),
  readNote: pipe(
    x.path('/notes/{id}', { id: x.int }),
    x.get(),
    x.produces(x.text),
    x.fails(404, x.json(Missing)),
    x.handle(({ path: { id } }) => (id === 1 ? 'note' : x.reply(404, { id }))),
  ),
  readDates: pipe(
    x.path('/dates/{day}', { day: x.plainDate }),
    x.get(),
    x.query({ since: x.instant, changed: x.optional(x.date) }),
    x.produces(x.json(x.instant)),
    x.handle(({ path: { day }, query: { since } }) => since.add({ hours: 24 * (day.day - 1) })),
  ),
  upload: pipe(
    x.path('/uploads'),
    x.post(),
    x.form({ title: x.string, file: x.upload }),
    x.produces(x.text),
    x.handle(({ form: { title, file } }) => `${title} ${file.fileName} ${file.size}`),
  ),
  echoLoan: pipe(
    x.path('/loans'),
    x.post(),
    x.body(x.json(Loan)),
    x.produces(x.json(Loan)),
    x.handle(({ body }) => body),
  ),
})

if (process.argv[2] === 'serve') {
  const { url } = await serve(api, { 'fw.http.port': 0, 'fw.http.host': '127.0.0.1' })
  console.log(`listening on ${url}`)
} else
  console.log(
    JSON.stringify(
      openApi(api, { info: { title: 'Generated', version: '1' }, servers: [{ url: '/' }] }),
    ),
  )
