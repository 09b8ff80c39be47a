/** Handlers that wait until a test lets them go on, on whatever thread they run: threads share nothing but files. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { newFolder } from './folder.ts'

export interface Gate {
  /** What a handler is told, as the value of a query parameter. */
  readonly name: string
  /** Whether a handler has come to it. */
  readonly isReached: () => boolean
  readonly open: () => void
}

export const newGate = (): Gate => {
  const name = join(newFolder(), 'gate')
  return {
    name,
    isReached: () => existsSync(`${name}.reached`),
    open: () => writeFileSync(`${name}.open`, ''),
  }
}

/** Tells that a handler has come to a gate; without a name nobody is told. */
export const reach = (name: string | undefined): void => {
  if (name !== undefined) writeFileSync(`${name}.reached`, '')
}

/** Waits at a gate. */
export const pass = async (name: string): Promise<void> => {
  reach(name)
  while (!existsSync(`${name}.open`)) await wait(5)
}
