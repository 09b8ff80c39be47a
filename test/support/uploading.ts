/**
 * A tree that receives files, on the event loop and on workers. Run as a program, with a directory and whether there are workers,
 * it serves on a port of its own, says where, and answers each message with what it holds open.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  blocking,
  body,
  fileBody,
  form,
  handle,
  json,
  multipartInput,
  multipartStream,
  part,
  path,
  post,
  produces,
  routes,
  text,
  upload,
} from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { here } from './executions.ts'

const receive = (template: '/loop' | '/worker') =>
  pipe(
    path(template),
    post(),
    form({ meta: part(json(t.type({ title: t.string }))), file: upload }),
    produces(text),
    handle(
      ({ form: { meta, file } }) =>
        `${here()} ${meta.title} ${file.fileName} ${readFileSync(file.path).length}`,
    ),
  )

const onLoop = {
  loop: receive('/loop'),
  file: pipe(
    path('/file'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => `${here()} ${readFileSync(input.body.path).length}`),
  ),
}

export const api = routes({
  ...onLoop,
  worker: pipe(receive('/worker'), blocking),
  all: pipe(
    path('/all'),
    post(),
    body(multipartInput),
    produces(text),
    handle(async ({ body: { values } }) => {
      const file = values.get('file')?.[0]?.fileItem
      return `${here()} ${[...values.keys()].join()} ${(await file?.read())?.length}`
    }),
    blocking,
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(multipartStream),
    produces(text),
    handle(async (input) => {
      const names: string[] = []
      for await (const { name } of input.body) names.push(name)
      return `${here()} ${names.join()}`
    }),
    blocking,
  ),
})

export const uploadingModule = import.meta.url

/** What a process holds open. */
export interface Held {
  readonly descriptors: number
  readonly resources: ReadonlyArray<string>
}

const held = (): Held => ({
  descriptors: readdirSync('/proc/self/fd').length,
  resources: process.getActiveResourcesInfo(),
})

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , directory = '', workers] = process.argv
  const settings = {
    'fw.http.port': 0,
    'fw.http.body.uploads-directory': directory,
    // contents are held back here, for as long as a test takes
    'fw.http.limits.min-body-rate': 0,
    logger: silentLogger,
  }
  const { url } =
    workers === 'workers'
      ? await serve(api, { ...settings, module: uploadingModule, 'fw.worker.threads': 1 })
      : await serve(routes(onLoop), settings)
  process.on('message', () => process.send?.(held()))
  process.send?.(url)
}
