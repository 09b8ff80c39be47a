/** Runs the bundles of programs: `node run-programs.mjs [[NAME,FILE],...]`. Prints a line with the result of each program in JSON. */
import { argv, exit, stdout } from 'node:process'
import { pathToFileURL } from 'node:url'

for (const [name, file] of JSON.parse(argv[2])) {
  let result
  try {
    const module = await import(pathToFileURL(file).href)
    const run = module.run ?? module.default.run // CommonJS
    result = String(await run())
  } catch (error) {
    result = String(error)
  }
  stdout.write(`${JSON.stringify({ name, result })}\n`)
}
exit()
