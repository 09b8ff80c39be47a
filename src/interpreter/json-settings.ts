/** How the settings have JSON read and written, where nothing is said of an operation or a representation. */
import { platformJson } from '../codec/json/json-library.ts'
import { lossless } from '../codec/json/lossless.ts'
import type { Usual } from '../body/json/json-rules.ts'
import type { JsonReading } from '../body/json/read-json.ts'
import { backEnd } from '../compiler/settings/codec-back-end.ts'
import type { Settings } from '../compiler/settings/settings.ts'

export const usualJson = (settings: Settings): Usual => ({
  library: settings['fw.rest.json-library'] === 'lossless' ? lossless : platformJson,
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
