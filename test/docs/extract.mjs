/**
 * Extracts every `ts` block of the README, the guides and doc comments into a module of its own, which the compiler checks
 * and `examples.test.ts` runs. The name of a module contains the source file and the line.
 *
 * In Markdown, a comment `<!-- then: … -->` after a block is code that runs after it and is not shown to readers, such as
 * closing a server. `console` blocks between a block that starts a `server` and the next `ts` block are checked as well: their
 * `curl` commands are sent to that server, and the output is compared (`console.ts`).
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'

const out = 'test/docs/out'
const sources = [
  'README.md',
  ...readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$|^guide[/\\][^/\\]+\.md$/.test(file))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .toSorted(),
]
const opening = /```(?:ts|typescript)\b/g
const fence = /^([ \t]*(?:\*[ \t]?)?)```ts\n([\s\S]*?)^\1```(?:\s*<!-- then: (.*?) -->)?/gm
const consoleFence = /^```console\n([\s\S]*?)^```/gm

/** The `curl` commands of a text, each with its expected output. Lines that end with a backslash are continued. */
const commandsIn = (text) =>
  [...text.matchAll(consoleFence)]
    .flatMap(([, block]) => block.split(/^\$ /m).slice(1))
    .map((entry) => /^((?:[^\n]*\\\n)*[^\n]*)\n?([^]*)$/.exec(entry))
    .map(([, command, output]) => ({ command, output: output.trim() }))
    .filter(({ command }) => /(?:^|\| )curl /.test(command))

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
for (const file of sources) {
  const text = readFileSync(file, 'utf8')
  const blocks = [...text.matchAll(fence)]
  if (blocks.length !== (text.match(opening) ?? []).length)
    throw new Error(`${file}: unclosed or misindented ts block`)
  blocks.forEach(({ index, 0: whole, 1: margin = '', 2: body = '', 3: then = '' }, position) => {
    const line = text.slice(0, index).split('\n').length + 1
    const code = body
      .split('\n')
      .map((row) =>
        row.startsWith(margin) ? row.slice(margin.length) : row.replace(/^[ \t]*\*$/, ''),
      )
    const commands = file.endsWith('.md')
      ? commandsIn(text.slice(index + whole.length, blocks[position + 1]?.index))
      : []
    if (commands.length > 0 && !/\bconst server = /.test(body))
      throw new Error(`${file}:${line}: a curl command follows a block that starts no server`)
    const checks = commands.map(
      ({ command, output }) =>
        `await checkCommand(server.url, ${JSON.stringify(command)}, ${JSON.stringify(output)})\n`,
    )
    const imports = checks.length === 0 ? '' : "import { checkCommand } from '../console.ts'\n"
    writeFileSync(
      `${out}/${file.replaceAll('/', '.')}.${line}.ts`,
      `${code.join('\n')}\n${imports}${checks.join('')}${then}\nexport {}\n`,
    )
  })
}
