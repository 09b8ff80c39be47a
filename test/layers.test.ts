/**
 * The picture of the house, which is a test: what each folder of `src` may import. Read from the bottom up, nothing points
 * upward, for types neither.
 */
import { posix } from 'node:path'
import * as assert from 'uvu/assert'
import { describe, table } from './support/describe.ts'
import type { SourceFile } from './support/source.ts'
import { filesBelow, importsOf } from './support/source.ts'

/** What the files of a place may import beside one another. `node:` stands for every module of Node. */
interface Layer {
  readonly place: string
  readonly is: string
  readonly below: ReadonlyArray<string>
  readonly packages: ReadonlyArray<string>
}

const layers: ReadonlyArray<Layer> = [
  {
    place: 'http',
    is: 'the nouns of HTTP: parse, format, compare',
    below: [],
    packages: ['fp-ts'],
  },
  {
    place: 'http/cookie.ts',
    is: 'the one noun that a package knows better',
    below: ['http'],
    packages: ['cookie', 'fp-ts'],
  },
  {
    place: 'codec',
    is: 'text and octets <-> values',
    below: ['http'],
    packages: ['fp-ts', 'io-ts'],
  },
  {
    place: 'codec/date/temporal.ts',
    is: 'where Temporal comes from; loaded when a date is first met',
    below: ['codec'],
    packages: ['temporal-polyfill', 'node:module'],
  },
  {
    place: 'endpoint',
    is: 'descriptions: plain values, nothing runs',
    below: ['http', 'codec'],
    packages: ['fp-ts', 'io-ts'],
  },
  {
    place: 'interpreter',
    is: 'runs descriptions, wherever requests come from',
    below: ['http', 'codec', 'endpoint'],
    packages: ['fp-ts', 'io-ts', '@eslint-community/regexpp'],
  },
  {
    place: 'client',
    is: 'calls what descriptions describe; knows no server',
    below: ['http', 'codec', 'endpoint'],
    packages: ['fp-ts', 'io-ts'],
  },
  {
    place: 'node',
    is: 'the runtime',
    below: ['http', 'codec', 'endpoint', 'interpreter'],
    packages: ['fp-ts', 'node:'],
  },
  {
    place: 'inferred.ts',
    is: 'types that declarations have to name',
    below: ['http', 'codec', 'endpoint'],
    packages: [],
  },
  {
    place: 'index.ts',
    is: 'the door to the language',
    below: ['http', 'codec', 'endpoint'],
    packages: [],
  },
  {
    place: 'node.ts',
    is: 'the door to serving',
    below: ['interpreter', 'node'],
    packages: [],
  },
  { place: 'testing.ts', is: 'the door to testing', below: ['node'], packages: [] },
  {
    place: 'showcase',
    is: 'an application like any other: it meets the package by its name',
    below: [],
    packages: ['espalier', 'fp-ts', 'io-ts', 'node:'],
  },
]
