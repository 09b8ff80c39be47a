/** How the settings have JSON read and written, where nothing is said of an operation or a representation. */
import { platformJson } from '../codec/json/json-library.ts'
import { lossless } from '../codec/json/lossless.ts'
import type { JsonSettings } from '../body/json/json-rules.ts'
import type { JsonReadSettings } from '../body/json/read-json.ts'
import { codecBackEnd } from '../compiler/settings/settings.ts'
import type { Settings } from '../compiler/settings/settings.ts'

export const jsonSettings = (settings: Settings): JsonSettings => ({
  library: settings['fw.rest.json-library'] === 'lossless' ? lossless : platformJson,
  backEnd: codecBackEnd(settings),
})

/** With the bounds of what is received. */
export const jsonReadSettings = (settings: Settings): JsonReadSettings => ({
  ...jsonSettings(settings),
  undeclared: settings['fw.rest.jsonlib.fail-on-unknown-properties'] ? 'reject' : 'drop',
  bounds: {
    depth: settings['fw.http.limits.max-json-depth'],
    keys: settings['fw.http.limits.max-json-keys'],
  },
})
