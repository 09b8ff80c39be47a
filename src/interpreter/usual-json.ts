/** How the settings have JSON read and written, where nothing is said of an operation or a representation. */
import { standard } from '../codec/json-library.ts'
import { lossless } from '../codec/lossless.ts'
import type { Usual } from '../content/json-rules.ts'
import type { JsonReading } from '../content/read-json.ts'
import { backEnd } from './back-end.ts'
import type { Settings } from './settings.ts'

export const usualJson = (settings: Settings): Usual => ({
  library: settings['fw.rest.json-library'] === 'lossless' ? lossless : standard,
  backEnd: backEnd(settings),
})

/** With the bounds of what is received. */
export const jsonReading = (settings: Settings): JsonReading => ({
  ...usualJson(settings),
  undeclared: settings['fw.rest.jsonlib.fail-on-unknown-properties'] ? 'refuse' : 'drop',
  bounds: {
    depth: settings['fw.http.limits.max-json-depth'],
    keys: settings['fw.http.limits.max-json-keys'],
  },
})
