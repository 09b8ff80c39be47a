/**
 * A route tree that receives files, on the event loop and on workers.
 *
 * Run as a program with the uploads directory and optionally `workers`, it sends its URL to the parent process. It replies to
 * each message with its open resources.
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
import { currentThread } from '../support/executions.ts'

const receive = (template: '/loop' | '/worker') =>
  pipe(
    path(template),
    post(),
    form({ meta: part(json(t.type({ title: t.string }))), file: upload }),
    produces(text),
    handle(
      ({ form: { meta, file } }) =>
        `${currentThread()} ${meta.title} ${file.fileName} ${readFileSync(file.path).length}`,
    ),
  )

const onLoop = {
  loop: receive('/loop'),
  file: pipe(
    path('/file'),
    post(),
    body(fileBody),
    produces(text),
    handle((input) => `${currentThread()} ${readFileSync(input.body.path).length}`),
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
      return `${currentThread()} ${[...values.keys()].join()} ${(await file?.read())?.length}`
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
      return `${currentThread()} ${names.join()}`
    }),
    blocking,
  ),
})

export const uploadingModule = import.meta.url

/** The open file descriptors and active resources of a process. */
export interface ResourceUsage {
  readonly descriptors: number
  readonly resources: ReadonlyArray<string>
}

const resourceUsage = (): ResourceUsage => ({
  descriptors: readdirSync('/proc/self/fd').length,
  resources: process.getActiveResourcesInfo(),
})

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , directory = '', workers] = process.argv
  const settings = {
    'fw.http.port': 0,
    'fw.http.body.uploads-directory': directory,
    // tests send bodies slowly
    'fw.http.limits.min-body-rate': 0,
    logger: silentLogger,
  }
  const { url } =
    workers === 'workers'
      ? await serve(api, { ...settings, module: uploadingModule, 'fw.worker.threads': 1 })
      : await serve(routes(onLoop), settings)
  process.on('message', () => process.send?.(resourceUsage()))
  process.send?.(url)
}
