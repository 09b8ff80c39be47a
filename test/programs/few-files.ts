/** A program that sends and receives files. Tests run it with a low limit of open files. It prints its URL. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import {
  fails,
  file,
  form,
  get,
  handle,
  path,
  post,
  produces,
  routes,
  segments,
  string,
  text,
  upload,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { fileResolver, serve } from '../../src/node.ts'

const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'a.txt'), 'a'.repeat(300_000))
const documents = fileResolver(folder)

const api = routes({
  file: pipe(
    path('/file'),
    get(),
    produces(file),
    handle(() => join(folder, 'a.txt')),
  ),
  document: pipe(
    path('/documents/{rest}', { rest: segments(string) }),
    get(),
    produces(file),
    fails(404),
    handle((input) => documents(input.path.rest)),
  ),
  upload: pipe(
    path('/upload'),
    post(),
    form({ content: upload }),
    produces(text),
    handle((input) => String(input.form.content.size)),
  ),
})

const server = await serve(api, {
  logger: silentLogger,
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.http.body.uploads-directory': join(folder, 'uploads'),
})
process.stdout.write(server.url)
