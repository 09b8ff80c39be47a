/** A tree whose operations read their contents on workers, in a module that these can import. */
import { readFile } from 'node:fs/promises'
import { pipe } from 'fp-ts/lib/function.js'
import {
  blocking,
  body,
  byteStream,
  bytes,
  fileBody,
  form,
  handle,
  limits,
  path,
  post,
  produces,
  routes,
  string,
  text,
} from '../../src/index.ts'
import { here } from './executions.ts'

export const api = pipe(
  routes({
    whole: pipe(
      path('/whole'),
      post(),
      body(bytes),
      produces(text),
      handle(
        (input, { request }) =>
          `${here()} ${input.body.length} ${request.header('Content-Encoding') ?? '-'}`,
      ),
    ),
    parsed: pipe(
      path('/parsed'),
      post(),
      body(bytes),
      produces(text),
      handle((input) => `${here()} ${input.body.length}`),
      limits({ parsedBodySize: 500 }),
    ),
    pieces: pipe(
      path('/pieces'),
      post(),
      body(byteStream),
      produces(text),
      handle(async (input) => {
        let octets = 0
        for await (const piece of input.body) octets += piece.length
        return `${here()} ${octets}`
      }),
    ),
    file: pipe(
      path('/file'),
      post(),
      body(fileBody),
      produces(text),
      handle(async ({ body: { path: file, size } }) => {
        const content = await readFile(file, 'utf8')
        return `${here()} ${size} ${content.length}`
      }),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ a: string }),
      produces(text),
      handle((input) => `${here()} ${input.form.a}`),
      limits({ formAttributeSize: 4 }),
    ),
  }),
  limits({ bodySize: 1000 }),
  blocking,
)

export const receivingModule: string = import.meta.url
