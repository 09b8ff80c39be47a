/** Codecs of espalier, compiled to generated code. */
import { generatedBackEnd } from '../../../dist/src/codec/generated/generator/generated-back-end.js'
import { operationsBy } from './espalier.mjs'

export const operations = operationsBy(generatedBackEnd)
