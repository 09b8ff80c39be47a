/** espalier's codecs, decoded by interpretation. */
import { byInterpretation } from '../../../dist/src/codec/generated/interpreted/interpreted-back-end.js'
import { operationsBy } from './espalier.mjs'

export const operations = operationsBy(byInterpretation)
