/**
 * Words that do not occur in file names, identifiers, comments, messages, test titles, the README and the guides, because a standard term
 * exists. Identifiers are split into their words first.
 */
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import { describe, table } from './support/describe.ts'
import type { SourceFile } from './support/source.ts'
import { filesBelow } from './support/source.ts'

/** Patterns of words, each with the term to use instead. */
const terms: ReadonlyArray<readonly [pattern: string, instead: string]> = [
  ['octets?', 'byte'],
  ['who(?:so)?ever', 'the name of the component'],
  ['nobody|somebody|anybody|everybody', 'the name of the component: caller, client, application'],
  ['told|tells?|telling', 'log, notify, return, report'],
  ['said|unsaid', 'declared, configured'],
  ['asks?|asked|asking', 'request, read'],
  ['heard?|hears', 'notify'],
  ['(?<!there )(?:is|are) none', 'is missing, is not a …'],
  ['underway', 'in flight, request info'],
  ['refus(?:e|ed|es|al|als|ing)', 'reject'],
  ['mistakes?|mistaken', 'configuration error'],
  ['faults?', 'validation error'],
  ['pieces?|piecemeal', 'chunk'],
  ['departures?', 'disconnect'],
  ['heed(?:s|ed|ing)?', 'abortable'],
  ['handovers?|offload', 'dispatch'],
  ['vital', 'critical'],
  ['(?:a|its|no|own|the|last|only) say', 'the technical effect'],
  ['beside', 'next to, with'],
  ['usual', 'default'],
  ['omissions?|inclusions?', 'excluded route, condition'],
  ['surroundings', 'context'],
  ['let(?:s|ting)? go', 'close, cancel, abort'],
  ['taken? off', 'decompress, remove'],
  ['goes away', 'disconnects'],
  ['stands? (?:around|beside|behind|there)', 'the position: contains, encloses, precedes'],
  ['begun', 'started'],
  ['sofar', 'until now, accumulated'],
  ['whatever', 'any'],
  ['made known', 'authenticated'],
  ['outcomes?', 'result'],
  ['has it not', 'is missing'],
]

/** Files with a genuine use of a word, each with the reason. */
const exceptions: ReadonlyArray<readonly [path: string, word: string, reason: string]> = []

const isException = (path: string, word: string): boolean =>
  exceptions.some(([file, excepted]) => file === path && excepted === word)

const words = new RegExp(`\\b(?:${terms.map(([pattern]) => pattern).join('|')})\\b`, 'gi')

/** Technical names that contain words of the list: a media type, and a function of fp-ts. */
const technicalNames = /octet-?stream|\bisNone\b/gi

/** Separates the words of identifiers and file names. */
const separate = (text: string): string =>
  text
    .replaceAll(technicalNames, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/(?<=\w)[-_](?=\w)/g, ' ')

const wordsIn = (text: string): ReadonlyArray<string> =>
  [...separate(text).matchAll(words)].map(([word]) => word.toLowerCase())

const documents: ReadonlyArray<SourceFile> = [
  ...filesBelow('src', '.ts').map((file) => ({ ...file, path: `src/${file.path}` })),
  ...filesBelow('src', '.md').map((file) => ({ ...file, path: `src/${file.path}` })),
  ...filesBelow('test', '.ts')
    .filter(({ path }) => !path.startsWith('docs/out/') && path !== 'wording.test.ts')
    .map((file) => ({ ...file, path: `test/${file.path}` })),
  ...['README.md', '.github/CONTRIBUTING.md', '.github/SECURITY.md', 'test/README.md'].map(
    (path) => ({ path, text: readFileSync(path, 'utf8') }),
  ),
]

describe('wording', (test) => {
  test('files use standard terms', () => {
    assert.ok(documents.length > 500, 'no files found')
    assert.equal(
      documents.flatMap(({ path, text }) =>
        [
          ...wordsIn(path),
          ...text
            .split('\n')
            .flatMap((line, index) =>
              wordsIn(line).map((word) =>
                isException(path, word) ? '' : `${path}:${index + 1} ${word}`,
              ),
            ),
        ].filter((found) => found !== ''),
      ),
      [],
    )
  })
  test('there are at most 20 exceptions, all of which are in use', () => {
    assert.ok(exceptions.length <= 20)
    for (const [path, word] of exceptions)
      assert.ok(wordsIn(readFileSync(path, 'utf8')).includes(word), `${path}: ${word}`)
  })
})

describe('wording test: detects violations', (test) => {
  table(
    test,
    [
      ['octetCount', ['octet']],
      ['toldBy', ['told']],
      ['/** What is said of it. */', ['said']],
      ['http/refused-body.ts', ['refused']],
      ['const isMISTAKE = 1', ['mistake']],
      ['default, defaults, saidith', []],
      ['the byte count', []],
    ] as const,
    (text, expected) => assert.equal(wordsIn(text), expected),
  )
})
