/** Codecs of espalier, compiled to generated code. */
import { generatedBackEnd } from '../../../dist/src/codec/compiled/generator/generated-back-end.js'
import { operationsBy } from './espalier.mjs'

export const operations = operationsBy(generatedBackEnd)
