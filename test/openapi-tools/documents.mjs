/** Writes the documents of the example application and of the tree with every combinator that the tools read, in both versions. */
import { mkdir, writeFile } from 'node:fs/promises'
import { compiled, output } from './tool.mjs'

export const documentNames = ['showcase', 'every-combinator']
export const versions = ['3.1', '3.2']

/** Paths of the documents by name and version. @type {(name: string, version: string) => string} */
export const documentPath = (name, version) => `${output}${name}-${version}.json`

export const writeDocuments = async () => {
  const { openApi } = await import(new URL('espalier/openapi.js', compiled).href)
  const { api } = await import(new URL('src/showcase/api.js', compiled).href)
  const { info } = await import(new URL('src/showcase/info.js', compiled).href)
  const { everyCombinator } = await import(
    new URL('test/openapi/every-combinator/tree.js', compiled).href
  )
  const trees = { showcase: api, 'every-combinator': everyCombinator }
  const servers = [{ url: '/' }]
  await mkdir(output, { recursive: true })
  for (const version of versions)
    for (const name of documentNames)
      await writeFile(
        documentPath(name, version),
        JSON.stringify(openApi(trees[name], { info, servers, version }), null, 2),
      )
}
