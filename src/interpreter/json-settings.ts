/** Derives the default JSON options for all operations and representations from the settings. */
import { platformJson } from '../codec/json/json-library.ts'
import { lossless } from '../codec/json/lossless.ts'
import type { JsonSettings, JsonReadSettings } from '../body/json/json-rules.ts'
import { codecBackEnd } from '../compiler/settings/settings.ts'
import type { Settings } from '../compiler/settings/settings.ts'

/** Returns the JSON library and the codec back end selected by the settings. */
export const jsonSettings = (settings: Settings): JsonSettings => ({
  library: settings['fw.rest.json-library'] === 'lossless' ? lossless : platformJson,
  backEnd: codecBackEnd(settings),
})

/** Returns the options of {@link jsonSettings}, together with the limits and rules for reading request bodies. */
export const jsonReadSettings = (settings: Settings): JsonReadSettings => ({
  ...jsonSettings(settings),
  undeclared: settings['fw.rest.jsonlib.fail-on-unknown-properties'] ? 'reject' : 'drop',
  bounds: {
    depth: settings['fw.http.limits.max-json-depth'],
    keys: settings['fw.http.limits.max-json-keys'],
  },
})
