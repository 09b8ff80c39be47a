/** espalier's codecs compiled to closures. */
import { byClosures } from '../../../dist/src/codec/compiled/closures/closures.js'
import { operationsBy } from './espalier.mjs'

export const operations = operationsBy(byClosures)
