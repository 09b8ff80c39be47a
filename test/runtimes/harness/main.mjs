/** The program that runs contracts on Deno and Bun. Its arguments are `direct` or `socket`, and the indexes of test files. */
import { files } from 'contract-files'
import { mode, unsupported } from './contract.mjs'
import { runSuites } from './uvu.mjs'

const [transport, ...indexes] = process.argv.slice(2)
mode.isOverSocket = transport === 'socket'

const print = (value) =>
  new Promise((done) => process.stdout.write(`\u0001${JSON.stringify(value)}\n`, done))

process.on('unhandledRejection', (error) => {
  void print({ unhandled: String(error?.stack ?? error) })
})

for (const index of indexes) {
  const { name, load } = files[index]
  await print({ started: index })
  try {
    await load()
    const results = await runSuites()
    await print({ file: name, results, unsupported: unsupported.splice(0) })
  } catch (error) {
    await print({
      file: name,
      results: [{ suite: name, title: 'load', error: String(error?.stack ?? error) }],
      unsupported: [],
    })
  }
}
process.exit(0)
