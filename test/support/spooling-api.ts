/** A tree whose operations take large contents on workers, in a module that these can import. Each tells how many files there are meanwhile. */
import { readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import {
  blocking,
  body,
  byteStream,
  fileBody,
  form,
  handle,
  header,
  limits,
  multipartStream,
  optional,
  path,
  post,
  produces,
  query,
  routes,
  string,
  text,
  upload,
  withDefault,
} from '../../src/index.ts'
import { deaths } from './worker-termination.ts'
import { here } from './executions.ts'
import { pass } from './gate.ts'

const directory = header({ 'X-Directory': withDefault(string, '') })
const count = (folder: string): number => {
  try {
    return readdirSync(folder).length
  } catch {
    return 0
  }
}

export const api = pipe(
  routes({
    pieces: pipe(
      path('/pieces'),
      post(),
      directory,
      body(byteStream),
      produces(text),
      handle(async (input) => {
        let octets = 0
        for await (const piece of input.body) octets += piece.length
        return `${here()} ${octets} ${count(input.header['X-Directory'])}`
      }),
    ),
    // whoever has what it wants stops reading
    begin: pipe(
      path('/begin'),
      post(),
      directory,
      body(byteStream),
      produces(text),
      handle(async (input) => {
        const first = await input.body[Symbol.asyncIterator]().next()
        return `${here()} ${first.value?.length}`
      }),
    ),
    file: pipe(
      path('/file'),
      post(),
      directory,
      body(fileBody),
      produces(text),
      handle(
        ({ body: { path: file, size } }) =>
          `${here()} ${size} ${statSync(file).size} ${count(dirname(file))}`,
      ),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ file: upload }),
      produces(text),
      handle(
        (input) => `${here()} ${input.form.file.size} ${count(dirname(input.form.file.path))}`,
      ),
    ),
    parts: pipe(
      path('/parts'),
      post(),
      directory,
      body(multipartStream),
      produces(text),
      handle(async (input) => {
        let octets = 0
        for await (const { content } of input.body)
          for await (const piece of content) octets += piece.length
        return `${here()} ${octets} ${count(input.header['X-Directory'])}`
      }),
    ),
    end: pipe(
      path('/end/{how}'),
      post(),
      query({ gate: optional(string) }),
      form({ file: upload }),
      produces(text),
      handle(async ({ path: { how }, query: { gate } }) => {
        if (gate !== undefined) await pass(gate)
        await deaths[how]?.()
        return 'alive'
      }),
    ),
  }),
  limits({ bodySize: 400 * 1024 * 1024 }),
  blocking,
)

export const spoolingModule: string = import.meta.url
