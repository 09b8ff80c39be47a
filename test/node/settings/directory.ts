/** Configuration files in a temporary directory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  loadSettings,
  type LoadedSettings,
  type LoadOptions,
} from '../../../src/node/settings/load-settings.ts'

/** File contents by file name. */
export type Files = Readonly<Record<string, string | Uint8Array>>

export const properties = (text: string): Files => ({ 'application.properties': text })

export const env = (text: string): Files => ({ '.env': text })

export const withDirectory = <A>(files: Files, use: (directory: string) => A): A => {
  const directory = mkdtempSync(join(tmpdir(), 'settings-'))
  try {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(directory, name), content)
    return use(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Loads settings from files. The environment is empty by default. */
export const load = (files: Files, options: LoadOptions = {}): LoadedSettings =>
  withDirectory(files, (directory) => loadSettings({ directory, environment: {}, ...options }))
