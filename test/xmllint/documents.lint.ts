/** Compares written and rejected XML documents with libxml2. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { bindingOf } from '../../src/xml/context/xml-binding.ts'
import { xmlAttribute } from '../../src/xml/mapping/mapping-codecs.ts'
import { parse } from '../../src/xml/reading/parser.ts'
import { untypedBinding } from '../../src/xml/untyped/untyped-binding.ts'
import { describe } from '../support/describe.ts'
import { malformedXml } from '../support/malformed-xml.ts'
import type { Sample } from '../support/sample.ts'
import { xmlDocument } from '../support/xml-document.ts'
import { xmlSample } from '../support/xml-sample.ts'

/** Runs `xmllint` for texts. Returns its exit code and the indices of the invalid texts. */
const lint = (
  texts: ReadonlyArray<string>,
): {
  readonly status: number | null
  readonly invalid: ReadonlySet<number>
  readonly output: string
} => {
  const folder = mkdtempSync(join(tmpdir(), 'xmllint-'))
  try {
    const files = texts.map((text, at) => {
      const file = `${at}.xml`
      writeFileSync(join(folder, file), text)
      return file
    })
    const { status, stderr, error } = spawnSync('xmllint', ['--noout', '--nonet', ...files], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    if (error !== undefined) throw error
    // processors need not check that a namespace name is a URI (Namespaces in XML, 2.2)
    const errors = stderr.matchAll(/^(\d+)\.xml:\d+: \w+ error : (?!.*is not a valid URI$)/gm)
    const indices = Array.from(errors, ([, at]) => Number(at))
    return { status, invalid: new Set(indices), output: stderr.slice(0, 2000) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const codecCount = 1000

/** Writes a value, compact and indented. */
const written = ({ codec, value }: Sample, seed: number): ReadonlyArray<string> => {
  const document = bindingOf(codec)
  const [decoded] = fc.sample(value, { numRuns: 1, seed })
  return ['', '  '].map(
    (indentation) =>
      `<?xml version="1.0" encoding="UTF-8"?>${document.writer({ indentation, isOmitted: () => false })(decoded)}`,
  )
}

describe('xmllint', (test) => {
  test(`accepts documents written by ${codecCount} codecs`, () => {
    const seed = Date.now()
    const texts = fc.sample(xmlSample, { numRuns: codecCount, seed }).flatMap(written)
    assert.is(texts.length, 2 * codecCount)
    const { status, invalid, output } = lint(texts)
    const [first] = invalid
    assert.is(status, 0, `${output}\n${first === undefined ? '' : texts[first]}\n(seed ${seed})`)
    assert.is(invalid.size, 0)
  })
  test('accepts each character that espalier writes, and no other', () => {
    const codes = [0, 0x7f, 0xd7ff, 0xdfff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff]
    const texts = [...codes, ...Array.from({ length: 0x20 }, (_, code) => code)].map((code) =>
      String.fromCodePoint(code),
    )
    const Text = bindingOf(t.type({ a: t.string, b: xmlAttribute()(t.string) }, 'Text'))
    const writer = Text.writer({ indentation: '', isOmitted: () => false })
    const all = texts.map((a) => E.tryCatch(() => writer({ a, b: a }), String))
    const { status, output } = lint(all.filter(E.isRight).map(({ right }) => right))
    assert.is(status, 0, output)
    const references = texts.map((text) => `<a>&#${text.codePointAt(0)};</a>`)
    const { invalid } = lint(references)
    assert.equal(
      [...all.entries()].filter(([, result]) => E.isLeft(result)).map(([at]) => at),
      [...invalid],
    )
  })
  test('rejects the documents that espalier rejects', () => {
    const { invalid } = lint(malformedXml.map(([text]) => text))
    assert.equal(
      malformedXml.filter((_, at) => !invalid.has(at)).map(([, reason]) => reason),
      [],
    )
  })
  test('accepts the documents that espalier accepts', () => {
    const texts = fc.sample(xmlDocument, 500)
    const rejected = texts.filter((text) => E.isLeft(parse(text, 100)))
    assert.equal(rejected, [])
    const { invalid, output } = lint(texts)
    assert.equal(
      [...invalid].map((at) => texts[at]),
      [],
      output,
    )
  })
  test('accepts documents of no known shape that were read and written again', () => {
    const { read, writer } = untypedBinding(t.unknown, {})
    const texts = fc.sample(xmlDocument, 500).flatMap((text) => {
      const value = read(text, { depth: 100, rejectsUndeclared: false, decode: E.right })
      if (E.isLeft(value)) return []
      return ['', '  '].map((indentation) =>
        writer({ indentation, isOmitted: () => false })(value.right).trimStart(),
      )
    })
    const { status, output } = lint(texts)
    assert.ok(texts.length > 100)
    assert.is(status, 0, output)
  })
  test('agrees with espalier on documents with a part removed', () => {
    const texts = fc
      .sample(xmlSample, { numRuns: 100 })
      .flatMap((sample, seed) => written(sample, seed).slice(0, 1))
      .flatMap((text) =>
        Array.from({ length: 20 }, (_, at) => {
          const characters = Array.from(text)
          characters.splice(Math.floor((characters.length * at) / 20), 1 + (at % 3))
          return characters.join('')
        }),
      )
      // `parse` reads decoded documents, and does not check the names of encodings
      .filter((text) => !/^<\?xml [^>]*encoding="(?!UTF-8")/.test(text))
    const { invalid } = lint(texts)
    const accepted = [...texts.entries()].filter(([, text]) => E.isRight(parse(text, 200)))
    assert.ok(accepted.length > 0 && accepted.length < texts.length)
    for (const [at, text] of accepted) assert.not.ok(invalid.has(at), text)
  })
})
