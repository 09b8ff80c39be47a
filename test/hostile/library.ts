/** Loads a build of espalier, so that one program can measure several builds. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type * as Io from 'io-ts'
import type * as Hal from '../../src/hal.ts'
import type * as Espalier from '../../src/index.ts'
import type * as Json from '../../src/json.ts'
import type * as Node from '../../src/node.ts'
import type * as Xml from '../../src/xml.ts'

export interface Library {
  readonly t: typeof Io
  readonly espalier: typeof Espalier
  readonly json: typeof Json
  readonly xml: typeof Xml
  readonly hal: typeof Hal
  readonly node: typeof Node
}

/** Loads the build in `directory`, the URL of `dist/src/` or `dist/espalier/`, with the io-ts that it uses itself. */
export const load = async (directory: string): Promise<Library> => {
  const from = (name: string) => import(new URL(`${name}.js`, directory).href)
  const io = createRequire(new URL('index.js', directory)).resolve('io-ts')
  const [espalier, json, xml, hal, node, t] = await Promise.all([
    from('index'),
    from('json'),
    from('xml'),
    from('hal'),
    from('node'),
    import(pathToFileURL(io).href),
  ])
  return { t, espalier, json, xml, hal, node }
}
