/** Replies that are meant to be kept as a file. */
import * as ContentDisposition from '../http/content-disposition.ts'
import type { Modify } from './reply.ts'
import { settingHeader } from './reply.ts'

/**
 * Has the client keep the content under a name, instead of showing it (RFC 6266). Any text will do: directories before the name
 * and control characters are left out, and what is no ASCII is written by RFC 8187.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { attachment, ok } from 'espalier'
 *
 * assert.deepEqual(attachment('notes.txt')(ok('')).headers, [
 *   'Content-Disposition',
 *   'attachment; filename="notes.txt"',
 * ])
 * assert.deepEqual(attachment('../€.txt')(ok('')).headers, [
 *   'Content-Disposition',
 *   `attachment; filename="_.txt"; filename*=UTF-8''%E2%82%AC.txt`,
 * ])
 * ```
 */
export const attachment = (name: string): Modify =>
  settingHeader('Content-Disposition', ContentDisposition.attachment(name))
