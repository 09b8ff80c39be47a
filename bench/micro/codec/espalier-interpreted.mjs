/** Codecs of espalier, interpreted. */
import { interpretedBackEnd } from '../../../dist/src/codec/compiled/interpreted-back-end.js'
import { operationsBy } from './espalier.mjs'

export const operations = operationsBy(interpretedBackEnd)
