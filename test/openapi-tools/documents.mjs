/** Writes the documents that the tools read: of the showcase and of a tree with every combinator, in both versions. */
import { mkdir, writeFile } from 'node:fs/promises'
import { compiled, output } from './tool.mjs'

export const versions = ['3.1', '3.2']

/** Paths of the documents by name and version. @type {(name: string, version: string) => string} */
export const documentPath = (name, version) => `${output}${name}-${version}.json`

export const writeDocuments = async () => {
  const { openApi } = await import(new URL('espalier/openapi.js', compiled).href)
  const { api } = await import(new URL('src/showcase/api.js', compiled).href)
  const { info } = await import(new URL('src/showcase/info.js', compiled).href)
  const { everyCombinator } = await import(new URL('test/openapi/every-combinator.js', compiled).href)
  const servers = [{ url: '/' }]
  await mkdir(output, { recursive: true })
  for (const version of versions)
    for (const [name, document] of [
      ['showcase', openApi(api, { info, servers, version })],
      ['every-combinator', everyCombinator(version)],
    ])
      await writeFile(documentPath(name, version), JSON.stringify(document, null, 2))
}
