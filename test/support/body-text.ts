/** Text and octets, and an interceptor that is seen in what is sent. */
import type { WriterInterceptor } from '../../src/index.ts'
import { writerInterceptor } from '../../src/index.ts'

export const textOf = (octets: Uint8Array): string => new TextDecoder().decode(octets)
export const octetsOf = (content: string): Uint8Array => new TextEncoder().encode(content)

/** Puts a name around what is written. */
export const around = (name: string): WriterInterceptor =>
  writerInterceptor(async (_, proceed) => `${name}(${textOf(await proceed())})`)
