/** A route tree that sends files and forms, on the event loop and on workers. Requests name the file in a query parameter. */
import { pipe } from 'fp-ts/lib/function.js'
import {
  blocking,
  file,
  get,
  handle,
  multipartOutput,
  path,
  produces,
  query,
  routes,
  string,
} from '../../src/index.ts'

const named = query({ path: string })
const form = multipartOutput({ title: string, content: file })

export const api = routes({
  file: pipe(
    path('/file'),
    get(),
    named,
    produces(file),
    handle((input) => input.query.path),
  ),
  form: pipe(
    path('/form'),
    get(),
    named,
    produces(form),
    handle((input) => ({ title: 'Emma', content: input.query.path })),
  ),
  blockingFile: pipe(
    path('/blocking-file'),
    get(),
    blocking,
    named,
    produces(file),
    handle((input) => input.query.path),
  ),
  blockingForm: pipe(
    path('/blocking-form'),
    get(),
    blocking,
    named,
    produces(form),
    handle((input) => ({ title: 'Emma', content: input.query.path })),
  ),
})
