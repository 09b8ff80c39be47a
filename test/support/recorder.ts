/** A logger that remembers, so that a test can say what was told at which level. */
import type { Log, Logger } from '../../src/compiler/settings/logger.ts'

export interface Line {
  readonly level: keyof Logger
  readonly members: Parameters<Log>[0]
  readonly message: string
}

export interface Recorder {
  readonly logger: Logger
  /** The log since it was last emptied. */
  readonly lines: Line[]
  /** The lines of a level. */
  readonly told: (level: keyof Logger) => ReadonlyArray<Line>
}

export const recorder = (): Recorder => {
  const lines: Line[] = []
  const log =
    (level: keyof Logger): Log =>
    (members, message) => {
      lines.push({ level, members, message })
    }
  return {
    lines,
    told: (level) => lines.filter((line) => line.level === level),
    logger: {
      trace: log('trace'),
      debug: log('debug'),
      info: log('info'),
      warn: log('warn'),
      error: log('error'),
    },
  }
}
