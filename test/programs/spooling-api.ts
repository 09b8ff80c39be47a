/**
 * A route tree whose operations receive large bodies on workers, in a module that workers can import. The responses contain the
 * number of spooled files.
 */
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
import { terminations } from './worker-termination.ts'
import { currentThread } from '../support/executions.ts'
import { waitAtGate } from '../support/gate.ts'

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
    stream: pipe(
      path('/stream'),
      post(),
      directory,
      body(byteStream),
      produces(text),
      handle(async (input) => {
        let size = 0
        for await (const chunk of input.body) size += chunk.length
        return `${currentThread()} ${size} ${count(input.header['X-Directory'])}`
      }),
    ),
    // reads only the first chunk
    first: pipe(
      path('/first'),
      post(),
      directory,
      body(byteStream),
      produces(text),
      handle(async (input) => {
        const first = await input.body[Symbol.asyncIterator]().next()
        return `${currentThread()} ${first.value?.length}`
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
          `${currentThread()} ${size} ${statSync(file).size} ${count(dirname(file))}`,
      ),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ file: upload }),
      produces(text),
      handle(
        (input) =>
          `${currentThread()} ${input.form.file.size} ${count(dirname(input.form.file.path))}`,
      ),
    ),
    parts: pipe(
      path('/parts'),
      post(),
      directory,
      body(multipartStream),
      produces(text),
      handle(async (input) => {
        let size = 0
        for await (const { content } of input.body)
          for await (const chunk of content) size += chunk.length
        return `${currentThread()} ${size} ${count(input.header['X-Directory'])}`
      }),
    ),
    end: pipe(
      path('/end/{how}'),
      post(),
      query({ gate: optional(string) }),
      form({ file: upload }),
      produces(text),
      handle(async ({ path: { how }, query: { gate } }) => {
        if (gate !== undefined) await waitAtGate(gate)
        await terminations[how]?.()
        return 'alive'
      }),
    ),
  }),
  limits({ bodySize: 400 * 1024 * 1024 }),
  blocking,
)

export const spoolingModule: string = import.meta.url
