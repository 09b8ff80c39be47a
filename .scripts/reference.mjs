/** Writes the generated reference pages of the guides. Needs a build: `npx tsc && node .scripts/reference.mjs`. */
import { writeFileSync } from 'node:fs'
import { references } from '../dist/test/docs/reference.js'

for (const [path, text] of references()) writeFileSync(path, text)
