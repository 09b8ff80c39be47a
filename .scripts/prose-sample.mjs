/**
 * Prints random doc comments and all distinct messages of `src`, for a review of the language.
 *
 *   node .scripts/prose-sample.mjs --seed 7 --count 100 --under src/http
 *   node .scripts/prose-sample.mjs --messages --under src/http
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    under: { type: 'string', default: 'src' },
    messages: { type: 'boolean', default: false },
  },
})

/** The doc comments of a file, each with the line of code that it describes. */
const docComments = (file, text) =>
  [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].map((match) => {
    const line = text.slice(0, match.index).split('\n').length
    const [subject = ''] = text
      .slice(match.index + match[0].length)
      .trimStart()
      .split('\n')
    return `${file}:${line}\n${match[0].replace(/^ +/gm, ' ')}\n${subject.trim()}`
  })

/** String and template literals of at least two words. Comments, imports, regular expressions and code are skipped. */
const messages = (text) => {
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^(import|export) .* from .*$/gm, '')
  const literals = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  return literals
    .filter((literal) => /[A-Za-z]{2,}[,;:]? [A-Za-z$]/.test(literal))
    .filter((literal) => !/\b(?:return|const|let|typeof) |=>|&&|\(u\)/.test(literal))
}

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
const randomBy = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const sample = (list, count, random) => {
  const rest = [...list]
  for (let index = rest.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1))
    ;[rest[index], rest[other]] = [rest[other], rest[index]]
  }
  return rest.slice(0, count)
}

const files = readdirSync(options.under, { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .toSorted((a, b) => a.localeCompare(b))
  .map((name) => join(options.under, name))
const texts = files.map((file) => [file, readFileSync(file, 'utf8')])

const printed = options.messages
  ? [...new Set(texts.flatMap(([, text]) => messages(text)))].toSorted((a, b) => a.localeCompare(b))
  : sample(
      texts.flatMap(([file, text]) => docComments(file, text)),
      Number(options.count),
      randomBy(Number(options.seed)),
    )

console.log(printed.join(options.messages ? '\n' : '\n\n'))
