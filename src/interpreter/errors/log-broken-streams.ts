/** Logs responses whose body fails after the head was sent. The client sees only that the connection is cut. */
import type { Exchange } from '../exchange.ts'
import type { ChunkSource } from '../chunks.ts'
import { observeChunks } from '../chunks.ts'
import type { Program } from '../program.ts'

interface Broken {
  readonly program: Pick<Program, 'logger'>
  readonly exchange: Pick<Exchange, 'path' | 'signal'>
  readonly id: string
}

/** Returns the same body, and logs its error: at `debug` once the client has disconnected, whatever the error is. */
export const logBrokenStream = (pieces: ChunkSource, call: Broken): ChunkSource =>
  observeChunks(pieces, (error) => {
    const { program, exchange, id } = call
    const level = exchange.signal().aborted ? 'debug' : 'error'
    program.logger[level](
      { id, err: error },
      `the response of ${exchange.path} was cut, error id: ${id}`,
    )
  })
