/** Tells the log of responses whose content breaks off. The client sees that something is missing, and nothing else. */
import { isDeparture } from './departure.ts'
import type { Exchange } from './exchange.ts'
import type { Pieces } from './pieces.ts'
import { watched } from './pieces.ts'
import type { Program } from './program.ts'

interface Broken {
  readonly program: Pick<Program, 'logger'>
  readonly exchange: Pick<Exchange, 'path' | 'signal'>
  readonly id: string
}

/** The same pieces; if they break off, that is told. */
export const told = (pieces: Pieces, call: Broken): Pieces =>
  watched(pieces, (error) => {
    const { program, exchange, id } = call
    const level = isDeparture(error, () => exchange.signal()) ? 'debug' : 'error'
    program.logger[level](
      { id, err: error },
      `the response of ${exchange.path} was cut, error id: ${id}`,
    )
  })
