/**
 * Writes every `ts` block of the README and of doc comments to a module of its own, which the compiler then checks
 * and `examples.test.ts` runs. A failing module's name holds the source file and the line.
 *
 * A comment `<!-- then: … -->` right behind a block is code that runs after it and that a reader need not see, such as
 * closing a server.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'

const out = 'test/docs/out'
const sources = [
  'README.md',
  ...readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file}`),
]
const opening = /```(?:ts|typescript)\b/g
const fence = /^([ \t]*(?:\*[ \t]?)?)```ts\n([\s\S]*?)^\1```(?:\s*<!-- then: (.*?) -->)?/gm

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
for (const file of sources) {
  const text = readFileSync(file, 'utf8')
  const blocks = [...text.matchAll(fence)]
  if (blocks.length !== (text.match(opening) ?? []).length)
    throw new Error(`${file}: a block of ts is not closed, or not at its margin`)
  for (const { index, 1: margin = '', 2: body = '', 3: then = '' } of blocks) {
    const line = text.slice(0, index).split('\n').length + 1
    const code = body
      .split('\n')
      .map((row) =>
        row.startsWith(margin) ? row.slice(margin.length) : row.replace(/^[ \t]*\*$/, ''),
      )
    writeFileSync(
      `${out}/${file.replaceAll('/', '.')}.${line}.ts`,
      `${code.join('\n')}\n${then}\nexport {}\n`,
    )
  }
}
