/** Finds the `package.json` that describes a module. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isObject } from '../http/platform-value.ts'

/** The members of `package.json` that documents contain. */
export interface PackageDescription {
  readonly name?: string
  readonly version?: string
  readonly description?: string
}

/**
 * Returns the name, version and description in the nearest `package.json` that has a name, starting in the directory of a file. Files
 * without a name, which only declare the module system of a build, are skipped. Returns `{}` if there is no such file.
 */
export const nearestPackage = (file: string): PackageDescription => {
  const directory = dirname(file)
  const found = readPackage(join(directory, 'package.json'))
  if (found.name !== undefined) return found
  return directory === dirname(directory) ? {} : nearestPackage(directory)
}

const readPackage = (file: string): PackageDescription => {
  try {
    return describe(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {} // missing, unreadable or invalid
  }
}

const describe = (manifest: unknown): PackageDescription => {
  if (!isObject(manifest)) return {}
  const members = Object.entries(manifest).filter(
    ([name, value]: readonly [string, unknown]) =>
      ['name', 'version', 'description'].includes(name) &&
      typeof value === 'string' &&
      value !== '',
  )
  return Object.fromEntries(members)
}
