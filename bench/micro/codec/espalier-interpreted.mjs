/** espalier's codecs, decoded by interpretation. */
import { byInterpretation } from '../../../dist/src/codec/compiled/interpreted/interpreted.js'
import { operationsBy } from './espalier.mjs'

export const operations = operationsBy(byInterpretation)
