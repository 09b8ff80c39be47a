import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, path, prefix, produces, provide, routes, text } from '../../src/index.ts'
import type { Routes } from '../../src/index.ts'
import { flatten } from '../../src/interpreter/flatten.ts'
import { describe, table } from '../support/describe.ts'

const at = (template: string) => pipe(path(template), get(), produces(text))
const ping = pipe(path('/ping'), get(), produces(text))
const root = pipe(path('/'), get(), produces(text))

const places = (api: Parameters<typeof flatten>[0], below = '/'): ReadonlyArray<string> =>
  flatten(api, below).map(({ name, template }) => `${name} ${template}`)
