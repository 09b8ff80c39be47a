/** A logger that records its lines. */
import type { Log, Logger } from '../../src/compiler/settings/logger.ts'

export interface LogLine {
  readonly level: keyof Logger
  readonly members: Parameters<Log>[0]
  readonly message: string
}

export interface Recorder {
  readonly logger: Logger
  /** All lines, in order. A test may empty the array. */
  readonly lines: LogLine[]
  /** Returns the lines of a level. */
  readonly linesAt: (level: keyof Logger) => ReadonlyArray<LogLine>
}

export const createRecorder = (): Recorder => {
  const lines: LogLine[] = []
  const log =
    (level: keyof Logger): Log =>
    (members, message) => {
      lines.push({ level, members, message })
    }
  return {
    lines,
    linesAt: (level) => lines.filter((line) => line.level === level),
    logger: {
      trace: log('trace'),
      debug: log('debug'),
      info: log('info'),
      warn: log('warn'),
      error: log('error'),
    },
  }
}
