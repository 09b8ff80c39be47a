/**
 * Compiled codecs of espalier.
 *
 * @import { BackEnd } from '../../../dist/src/codec/compiled/compiled-codec.js'
 */
import * as t from '../../../node_modules/io-ts/lib/index.js'
import { compileCodec } from '../../../dist/src/codec/compiled/compiled-codec.js'
import { operationsOf } from './codecs.mjs'

/** @param {BackEnd} backEnd */
export const operationsBy = (backEnd) =>
  operationsOf(t.type, (codec) => {
    const { decode, encode, write } = compileCodec(codec, 'drop', backEnd)
    return { decode, encode, write: (value) => write(value) ?? '' }
  })
