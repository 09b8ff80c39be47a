/** The texts of `--help`. */
import { exitCodes } from './exit-code.ts'

type Row = readonly [option: string, description: string]

const summaries = {
  openapi:
    'Writes the OpenAPI document of a route tree, or checks that a committed document is current.',
  routes: 'Lists the operations of a route tree, and the routes that conditions exclude.',
} as const

const ownOptions: Readonly<Record<keyof typeof summaries, ReadonlyArray<Row>>> = {
  openapi: [
    ['-o, --output FILE', 'write the document to FILE; default: standard output'],
    ['--check FILE', 'write nothing, and exit with 1 if FILE has other contents than the document'],
    ['--version VERSION', 'version of OpenAPI, 3.1 or 3.2; default: by openApiRoutes, or 3.1'],
    ['--yaml', 'YAML instead of JSON; default: by the extension of FILE'],
    ['--title TEXT', 'title of the API; default: by openApiRoutes, or by package.json'],
    ['--api-version TEXT', 'version of the API; default: as for the title'],
    ['--server URL', 'URL of a server; may be repeated'],
  ],
  routes: [['--json', 'JSON instead of a table']],
}

const treeOptions: ReadonlyArray<Row> = [
  ['--profile NAME', 'configuration profile; default: prod'],
  ['-D, --define NAME=VALUE', 'a setting or an application property; may be repeated'],
  ['--config DIRECTORY', 'read application.properties in DIRECTORY; default: no file is read'],
  ['--timeout SECONDS', 'time limit for loading the module; default: 30'],
  ['--stack', 'print the stack traces of errors'],
  ['-h, --help', 'print this help'],
]

const configuration = `The environment and .env are not read, so that the output depends only on the arguments and on files of the project.
MODULE is the path of a JavaScript module, or of a TypeScript module if Node.js can load it. MODULE#name selects an export.
Default: the export api, or else the default export. A call of serve in the module has no effect.
`

const table = (rows: ReadonlyArray<Row>): string => {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}\n`).join('')
}

const exitCodeTable = `Exit codes:\n${table(Object.values(exitCodes).map(([code, meaning]) => [String(code), meaning]))}`

/** The help of the command line as a whole. */
export const generalHelp = `Usage: espalier COMMAND MODULE [options]

${table(Object.entries(summaries))}
espalier COMMAND --help  prints the options of a command
espalier --version       prints the version of espalier

${exitCodeTable}`

/** Returns the help of a command. */
export const commandHelp = (command: string): string => {
  const name = command === 'openapi' ? command : 'routes'
  return `Usage: espalier ${name} MODULE [options]

${summaries[name]}

${table([...ownOptions[name], ...treeOptions])}
${configuration}
${exitCodeTable}`
}
