/** A route tree whose operations read request bodies on workers, in a module that workers can import. */
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
import { currentThread } from '../support/executions.ts'

export const api = pipe(
  routes({
    whole: pipe(
      path('/whole'),
      post(),
      body(bytes),
      produces(text),
      handle(
        (input, { request }) =>
          `${currentThread()} ${input.body.length} ${request.header('Content-Encoding') ?? '-'}`,
      ),
    ),
    parsed: pipe(
      path('/parsed'),
      post(),
      body(bytes),
      produces(text),
      handle((input) => `${currentThread()} ${input.body.length}`),
      limits({ parsedBodySize: 500 }),
    ),
    stream: pipe(
      path('/stream'),
      post(),
      body(byteStream),
      produces(text),
      handle(async (input) => {
        let size = 0
        for await (const chunk of input.body) size += chunk.length
        return `${currentThread()} ${size}`
      }),
    ),
    file: pipe(
      path('/file'),
      post(),
      body(fileBody),
      produces(text),
      handle(async ({ body: { path: file, size } }) => {
        const data = await readFile(file, 'utf8')
        return `${currentThread()} ${size} ${data.length}`
      }),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ a: string }),
      produces(text),
      handle((input) => `${currentThread()} ${input.form.a}`),
      limits({ formAttributeSize: 4 }),
    ),
  }),
  limits({ bodySize: 1000 }),
  blocking,
)

export const receivingModule: string = import.meta.url
