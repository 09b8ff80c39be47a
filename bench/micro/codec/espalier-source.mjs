/** espalier's codecs compiled to source. */
import { bySource } from '../../../dist/src/codec/compiled/source/source.js'
import { operationsBy } from './espalier.mjs'

export const operations = operationsBy(bySource)
