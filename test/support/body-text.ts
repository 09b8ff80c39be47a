/** Converts bodies between text and bytes, and declares an interceptor that marks a response. */
import type { WriterInterceptor } from '../../src/index.ts'
import { writerInterceptor } from '../../src/index.ts'

export const textOf = (octets: Uint8Array): string => new TextDecoder().decode(octets)
export const octetsOf = (content: string): Uint8Array => new TextEncoder().encode(content)

/** Puts a name around what is written. */
export const around = (name: string): WriterInterceptor =>
  writerInterceptor(async (_, proceed) => `${name}(${textOf(await proceed())})`)
