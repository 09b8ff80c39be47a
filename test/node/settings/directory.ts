/**
 * Settings files in a folder of their own, gone after use.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  loadSettings,
  type LoadedSettings,
  type LoadOptions,
} from '../../../src/node/settings/load-settings.ts'

/** Contents by file name. */
export type Files = Readonly<Record<string, string | Uint8Array>>

export const properties = (text: string): Files => ({ 'application.properties': text })

export const env = (text: string): Files => ({ '.env': text })

export const inDirectory = <A>(files: Files, use: (directory: string) => A): A => {
  const directory = mkdtempSync(join(tmpdir(), 'settings-'))
  try {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(directory, name), content)
    return use(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Loads from these files, in an empty environment unless the options have one. */
export const load = (files: Files, options: LoadOptions = {}): LoadedSettings =>
  inDirectory(files, (directory) => loadSettings({ directory, environment: {}, ...options }))
