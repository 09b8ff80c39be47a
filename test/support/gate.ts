/** Gates at which handlers wait until a test opens them. They are files, because handlers may run on any thread. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './folder.ts'
import { waitUntil } from './wait-until.ts'

export interface Gate {
  /** The path that identifies the gate. A test passes it to a handler as a query parameter. */
  readonly name: string
  /** Whether a handler has reached the gate. */
  readonly isReached: () => boolean
  readonly open: () => void
}

export const createGate = (): Gate => {
  const name = join(newFolder(), 'gate')
  return {
    name,
    isReached: () => existsSync(`${name}.reached`),
    open: () => writeFileSync(`${name}.open`, ''),
  }
}

/** Records that a handler has reached a gate. Does nothing without a name. */
export const reachGate = (name: string | undefined): void => {
  if (name !== undefined) writeFileSync(`${name}.reached`, '')
}

/** Waits until a gate is open. */
export const waitAtGate = async (name: string): Promise<void> => {
  reachGate(name)
  await waitUntil(() => existsSync(`${name}.open`))
}
