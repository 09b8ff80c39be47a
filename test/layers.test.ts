/**
 * The house as a picture that is a test: what each folder of `src` may import, the highest first. Nothing points upward,
 * for types neither.
 */
import { posix } from 'node:path'
import * as assert from 'uvu/assert'
import { describe, table } from './support/describe.ts'
import type { SourceFile } from './support/source.ts'
import { filesBelow, importsOf, withoutComments } from './support/source.ts'

interface Layer {
  /** A folder of `src`, or a file in it. */
  readonly place: string
  readonly what: string
  /** Other places that it may import from. */
  readonly below: ReadonlyArray<string>
  /** Packages; `node:` stands for every module of Node. */
  readonly packages: ReadonlyArray<string>
}

const layer = (
  place: string,
  what: string,
  below: ReadonlyArray<string>,
  packages: ReadonlyArray<string>,
): Layer => ({ place, what, below, packages })

// prettier-ignore
const house: ReadonlyArray<Layer> = [
  layer('showcase', 'an application, which meets the package by its name', [], ['espalier', 'fp-ts', 'io-ts', 'node:']),
  layer('index.ts', 'the door to the language', ['endpoint', 'codec', 'http'], []),
  layer('inferred.ts', 'the names that declarations need', ['endpoint', 'codec', 'http'], []),
  layer('node.ts', 'the door to serving', ['node', 'interpreter'], []),
  layer('testing.ts', 'the door to testing', ['node'], []),
  layer('node', 'the runtime', ['interpreter', 'endpoint', 'codec', 'http'], ['fp-ts', 'node:']),
  layer('client', 'calls what is described', ['endpoint', 'codec', 'http'], ['fp-ts', 'io-ts']),
  layer('interpreter', 'runs descriptions', ['endpoint', 'codec', 'http'], ['fp-ts', 'io-ts', '@eslint-community/regexpp']),
  layer('endpoint', 'descriptions: nothing runs', ['codec', 'http'], ['fp-ts', 'io-ts']),
  layer('codec', 'text and octets <-> values', ['http'], ['fp-ts', 'io-ts', 'temporal-polyfill', 'node:module']),
  layer('http', 'the nouns of HTTP', [], ['fp-ts', 'cookie']),
]

/** What only one file may import. */
const alone: Readonly<Record<string, string>> = {
  cookie: 'http/cookie.ts',
  'node:module': 'codec/temporal.ts',
  'node:assert/strict': 'node/test-context.ts',
}

const placeOf = (path: string): string => path.split('/')[0] ?? path

/** Every import that the picture does not show. */
const strangers = ({ path, text }: SourceFile): ReadonlyArray<string> => {
  const place = placeOf(path)
  const own = house.find((one) => one.place === place)
  return own === undefined
    ? [`${path} has no place`]
    : importsOf(text)
        .filter((from) =>
          from.startsWith('.')
            ? ![place, ...own.below].includes(placeOf(posix.join(posix.dirname(path), from)))
            : !own.packages.some((name) => (name.endsWith(':') ? from : `${from}/`).startsWith(name.endsWith(':') ? name : `${name}/`)) || (alone[from] ?? path) !== path,
        )
        .map((from) => `${path} imports ${from}`)
}
