/** Writes the reference of settings in the guides. Needs a build: `npm run build && node .scripts/reference.mjs`. */
import { writeFileSync } from 'node:fs'
import { settingsReference } from '../dist/test/docs/reference.js'

writeFileSync('src/guide/settings.md', settingsReference())
