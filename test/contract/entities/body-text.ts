/** Conversions between text and bytes, and a writer interceptor that marks a response. */
import type { WriterInterceptor } from '../../../src/index.ts'
import { writerInterceptor } from '../../../src/index.ts'

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Wraps the encoded body as `name(…)`. */
export const wrapWritten = (name: string): WriterInterceptor =>
  writerInterceptor(async (_, proceed) => `${name}(${textOf(await proceed())})`)
